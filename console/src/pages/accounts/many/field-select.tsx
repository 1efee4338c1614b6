import type { Attribute } from '@account-sync/client';
import { type ComboboxItem, type ComboboxParsedItem, Select, Text } from '@mantine/core';
import type { Ref } from 'react';
import { useFields } from '../../../api/attributes';
import { inGroups } from '../../../api/fields';
import { useSession } from '../../../api/session';
import { useSourceLabel } from '../../../api/sources';
import { matchesSearch } from '../../../components/matches-search';
import { isOwnProperty } from '../../../components/value-control';

interface FieldSelectProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly fields: readonly Attribute[];
  readonly value: string | null;
  readonly onField: (name: string | null) => void;
}

/** The fields as people see them. Those that another source owns cannot be chosen. */
export function FieldSelect({ ref, fields, value, onField }: FieldSelectProps) {
  const find = useFields();
  const labelOf = useSourceLabel();
  const source = useSession().data?.source;
  const owners = new Map(fields.map(({ name, owner }) => [name, owner?.source]));
  const lockedBy = (name: string) => (owners.get(name) === source ? undefined : owners.get(name));
  const optionOf = ({ name }: { readonly name: string }) => ({
    value: name,
    label: find(name).label,
    disabled: lockedBy(name) !== undefined,
  });
  const others = fields.filter(({ name }) => !isOwnProperty(name)).map(({ name }) => find(name));
  return (
    <Select
      ref={ref}
      label="Field"
      placeholder="Select"
      data={[
        ...fields.filter(({ name }) => isOwnProperty(name)).map(optionOf),
        ...inGroups(others).map(({ group, fields: members }) => ({
          group: group ?? 'Attributes',
          items: members.map(optionOf),
        })),
      ]}
      filter={({ options, search }) => matching(options, search)}
      renderOption={({ option: { value: name, label } }) => (
        <FieldOption label={label} title={find(name).title} owner={lockedBy(name)} labelOf={labelOf} />
      )}
      value={value}
      onChange={onField}
      searchable
      // With a field, it would cover the value.
      openOnFocus={value === null}
      // The owner must be readable.
      styles={{ option: { opacity: 1 } }}
      nothingFoundMessage="No matching field that can be changed"
      data-autofocus
    />
  );
}

interface FieldOptionProps {
  readonly label: string;
  readonly title: string | undefined;
  /** The source that owns the field, if that is another one. */
  readonly owner: string | undefined;
  readonly labelOf: (source: string) => string;
}

function FieldOption({ label, title, owner, labelOf }: FieldOptionProps) {
  return (
    <Text span inherit title={title} className="breakable" {...(owner !== undefined && { c: 'dimmed' })}>
      {label}
      {owner !== undefined && (
        <Text span size="xs" display="block">
          Owned by {labelOf(owner)}, so only that source changes it.
        </Text>
      )}
    </Text>
  );
}

/** By the label, and by the name that systems send. */
function matching(options: readonly ComboboxParsedItem[], search: string): ComboboxParsedItem[] {
  const isFound = ({ value, label }: ComboboxItem) => matchesSearch([label, value], search);
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return isFound(option) ? [option] : [];
    return [{ ...option, items: option.items.filter(isFound) }];
  });
}
