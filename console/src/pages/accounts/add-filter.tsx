import type { Attributes } from '@account-sync/client';
import { Button, Popover, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import type { AccountFilter } from '../../api/account-list';
import { type Field, fieldsOf, inGroups } from '../../api/fields';
import { IconFilterPlus } from '../../icons/icons.js';
import { splitAttribute } from './filter-labels';
import { FilterValue } from './filter-value';
import { SLIM } from './listing';

interface AddFilterProps {
  readonly filter: AccountFilter;
  readonly attributes: Attributes;
  readonly onFilter: (changes: Partial<AccountFilter>) => void;
}

/** Selects an attribute, then a value. Each attribute can have one filter value. */
export function AddFilter({ filter, attributes, onFilter }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [by, setBy] = useState<string | null>(null);
  const find = fieldsOf(attributes);
  const fields = attributes.data.map(({ name }) => find(name));
  const open = (toOpen: boolean) => {
    setOpen(toOpen);
    setBy(null);
  };
  const add = (value: string) => {
    open(false);
    if (by === 'parent' || by === 'changed' || by === 'archived') return onFilter({ [by]: value });
    const others = filter.attributes.filter((text) => splitAttribute(text).name !== by);
    onFilter({ attributes: [...others, `${by}:${value}`] });
  };
  return (
    <Popover opened={isOpen} onChange={open} position="bottom-start" width={300} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          px={SLIM}
          leftSection={<IconFilterPlus size={17} aria-hidden />}
          onClick={() => open(!isOpen)}
        >
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Select
            label="Filter by"
            placeholder="Select"
            data={[
              { value: 'changed', label: 'Last change' },
              { value: 'parent', label: 'Parent' },
              { value: 'archived', label: 'Archived' },
              ...inGroups(fields).map(({ group, fields: members }) => ({
                group: group ?? 'Attributes',
                items: members.map(optionOf),
              })),
            ]}
            renderOption={({ option: { value, label } }) => <span title={find(value).title}>{label}</span>}
            value={by}
            onChange={setBy}
            searchable
            nothingFoundMessage="No matching attribute"
            comboboxProps={{ withinPortal: false }}
            data-autofocus
          />
          {by !== null && <FilterValue key={by} by={by} field={find(by)} onValue={add} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function optionOf({ name, label }: Field) {
  return { value: name, label };
}
