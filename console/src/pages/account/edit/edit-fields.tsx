import type { Attribute } from '@account-sync/client';
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAttributes, useFields } from '../../../api/attributes';
import { useSession } from '../../../api/session';
import { ExpandButton } from '../../../components/expand-button';
import { plural } from '../../../components/format';
import { matchesSearch } from '../../../components/matches-search';
import { isOwnProperty } from '../../../components/value-control';
import styles from '../account.module.css';
import { type AccountDraft, isOvertaken, storedValue } from './account-draft';
import { EditField } from './edit-field';

/** With more fields, the form has a search. */
const MANY_FIELDS = 15;

/** Fields under the heading that they have on the page of the account. */
export interface EditGroup {
  readonly title: string;
  readonly fields: readonly Attribute[];
}

interface EditFieldsProps {
  readonly draft: AccountDraft;
  readonly groups: readonly EditGroup[];
  readonly onText: (field: Attribute, text: string | undefined) => void;
  readonly errorOf: (field: Attribute) => string | undefined;
}

/**
 * First the fields with a value, then the others on request. Fields with an error or a mark are always shown. The inputs
 * of fields that are not shown stay in the document: an incomplete date is known to its input only.
 */
export function EditFields({ draft, groups, onText, errorOf }: EditFieldsProps) {
  const find = useFields();
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const fields = groups.flatMap((group) => group.fields);
  const isLong = fields.length > MANY_FIELDS;
  const hasError = (field: Attribute) => errorOf(field) !== undefined;
  const hasValue = ({ name }: Attribute) => isOwnProperty(name) || storedValue(draft.base, name) !== null;
  const isMarked = (field: Attribute) => hasError(field) || isOvertaken(draft, field);
  const shown = groups.flatMap((group) =>
    group.fields.filter(
      (field) => matchesSearch([field.name, find(field.name).label, group.title], search) || isMarked(field),
    ),
  );
  const rest = shown.filter((field) => !hasValue(field));
  const isRestOpen = isOpen || search !== '' || rest.some(isMarked);
  const inputs = { draft, onText, errorOf, visible: new Set(isRestOpen ? shown : shown.filter(hasValue)) };
  const part = (isPart: (field: Attribute) => boolean) =>
    groups.map(({ title, fields: all }) => ({ title, fields: all.filter(isPart) }));
  return (
    <>
      {isLong && (
        <TextInput
          data-autofocus
          label="Find a field"
          type="search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {shown.length === 0 && <NothingFound search={search} />}
      <Groups {...inputs} hasAutofocus={!isLong} groups={part(hasValue)} />
      {rest.length > 0 && search === '' && (
        <div>
          <ExpandButton
            isOpen={isRestOpen}
            onToggle={() => setOpen(!isRestOpen)}
            what={`${plural(rest.length, 'field')} without a value`}
          />
        </div>
      )}
      <Groups {...inputs} hasAutofocus={false} groups={part((field) => !hasValue(field))} />
    </>
  );
}

/** A person who looks for a read-only field learns why it is not here. */
function NothingFound({ search }: { search: string }) {
  const find = useFields();
  const labels = (useAttributes().data?.data ?? [])
    .filter(({ name, group, read_only }) => {
      return read_only && matchesSearch([name, find(name).label, group ?? ''], search);
    })
    .map(({ name }) => find(name).label);
  return (
    <Text size="sm" role="status">
      {labels.length === 0
        ? 'No field or group has this in its name.'
        : `Read-only, so only on the page of the account: ${labels.join(', ')}.`}
    </Text>
  );
}

interface GroupsProps extends EditFieldsProps {
  readonly visible: ReadonlySet<Attribute>;
  /** Whether the first input has the focus when the dialog opens. */
  readonly hasAutofocus: boolean;
}

function Groups({ draft, groups, visible, onText, errorOf, hasAutofocus }: GroupsProps) {
  const source = useSession().data?.source;
  const isLocked = ({ owner }: Attribute) => owner !== null && owner.source !== source;
  const fields = groups.flatMap((group) => group.fields);
  const first = hasAutofocus ? fields.find((field) => !isLocked(field)) : undefined;
  return groups.map((group) => (
    <div key={group.title} hidden={!group.fields.some((field) => visible.has(field))}>
      <fieldset className={styles.inputs}>
        <legend className={styles.legend}>{group.title}</legend>
        <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
          {group.fields.map((field) => (
            <div
              key={field.name}
              hidden={!visible.has(field)}
              data-overtaken={isOvertaken(draft, field) || undefined}
            >
              <EditField
                field={field}
                draft={draft}
                onText={onText}
                isLocked={isLocked(field)}
                isFirst={field === first}
                error={errorOf(field)}
              />
            </div>
          ))}
        </SimpleGrid>
      </fieldset>
    </div>
  ));
}
