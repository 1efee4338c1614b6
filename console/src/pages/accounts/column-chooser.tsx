import { Button, Checkbox, Popover, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { Fragment, useState } from 'react';
import { matchesSearch } from '../../components/matches-search';
import { IconColumns3 } from '../../icons/icons.js';
import { type Column, NAME } from './columns';
import { SLIM } from './listing';

interface ColumnChooserProps {
  readonly all: readonly Column[];
  readonly shown: readonly Column[];
  readonly isDefault: boolean;
  readonly onColumns: (ids: readonly string[] | undefined) => void;
}

/** With more columns than this, the list has a search field. */
const SEARCHABLE_FROM = 10;

export function ColumnChooser({ all, shown, isDefault, onColumns }: ColumnChooserProps) {
  const [search, setSearch] = useState('');
  const found = all.filter(({ label, name }) => matchesSearch([label, name], search));
  const ids = shown.map(({ id }) => id);
  const toggle = (id: string) => {
    onColumns(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  };
  return (
    <Popover position="bottom-end" width={290} shadow="md" trapFocus onClose={() => setSearch('')}>
      <Popover.Target>
        <Button
          variant="default"
          px={SLIM}
          ms={{ sm: 'auto' }}
          leftSection={<IconColumns3 size={17} aria-hidden />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {all.length > SEARCHABLE_FROM && (
            <TextInput
              aria-label="Find a column"
              placeholder="Find a column"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              data-autofocus
            />
          )}
          <ScrollArea.Autosize mah={300} type="auto">
            <Stack gap={8} p={2}>
              <Checkbox label={NAME.label} checked disabled />
              {found.map((column, i) => (
                <Fragment key={column.id}>
                  <GroupHead column={column} previous={found[i - 1]} />
                  <Checkbox
                    label={<span title={column.field?.title}>{column.label}</span>}
                    checked={ids.includes(column.id)}
                    onChange={() => toggle(column.id)}
                    classNames={{ label: 'breakable' }}
                  />
                </Fragment>
              ))}
            </Stack>
          </ScrollArea.Autosize>
          <Button variant="default" size="xs" disabled={isDefault} onClick={() => onColumns(undefined)}>
            Restore default columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** The group, before its first column. */
function GroupHead({ column, previous }: { column: Column; previous: Column | undefined }) {
  const group = groupOf(column);
  if (group === null || group === groupOf(previous)) return null;
  return (
    <Text size="xs" c="dimmed" mt={4} className="breakable">
      {group}
    </Text>
  );
}

function groupOf(column: Column | undefined): string | null {
  return column?.field?.attribute?.group ?? null;
}
