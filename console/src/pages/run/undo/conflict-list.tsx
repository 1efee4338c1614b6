import type { UndoConflict } from '@account-sync/client';
import { Group, ScrollArea, Stack, Table, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useFields } from '../../../api/attributes';
import { AccountLink } from '../../../components/account-link';
import { FieldName } from '../../../components/field-name';
import { FieldValue } from '../../../components/field-value';
import { formatNumber, plural } from '../../../components/format';
import { shortened } from '../../../components/from-to';
import { useIsNarrow } from '../../../components/use-is-narrow';
import type { Undone } from './undo-plan';

/** Higher lists scroll. */
const MAX_HEIGHT = 320;

const valuesOf = (undone: Undone) =>
  [
    { name: 'before', label: `Before the ${undone}` },
    { name: 'left', label: `Left by the ${undone}` },
    { name: 'now', label: 'Now' },
  ] as const;

const REASONS = {
  changed: 'The account was changed since',
  deleted: 'The account was deleted since',
} as const;

interface ConflictListProps {
  /** The first conflicts. */
  readonly conflicts: readonly UndoConflict[];
  /** How many there are. */
  readonly total: number;
  readonly undone: Undone;
  /** What happens to them. */
  readonly children: ReactNode;
}

export function ConflictList({ conflicts, total, undone, children }: ConflictListProps) {
  const isNarrow = useIsNarrow();
  const titleId = useId();
  if (total === 0) return null;
  const List = isNarrow ? ConflictCards : ConflictTable;
  const more = total - conflicts.length;
  return (
    <Stack gap={4}>
      <Title order={3} size="h5" id={titleId}>
        {plural(total, 'conflict')}
      </Title>
      <Text size="sm" c="dimmed">
        {children}
      </Text>
      <ScrollArea.Autosize
        mah={MAX_HEIGHT}
        type="auto"
        viewportProps={{ tabIndex: 0, role: 'region', 'aria-labelledby': titleId }}
      >
        <List conflicts={conflicts} undone={undone} />
      </ScrollArea.Autosize>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          and {formatNumber(more)} more
        </Text>
      )}
    </Stack>
  );
}

type ConflictsProps = Pick<ConflictListProps, 'conflicts' | 'undone'>;

function ConflictTable({ conflicts, undone }: ConflictsProps) {
  const values = valuesOf(undone);
  return (
    <Table stickyHeader verticalSpacing={6} aria-label="Conflicts">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Account</Table.Th>
          <Table.Th>Field</Table.Th>
          {values.map(({ name, label }) => (
            <Table.Th key={name}>{label}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {conflicts.map((conflict) => (
          <Table.Tr key={keyOf(conflict)}>
            <Table.Th scope="row" fw="normal">
              <AccountLink id={conflict.account_id} />
            </Table.Th>
            {conflict.field === null ? (
              <Table.Td colSpan={4}>{REASONS[conflict.reason]}</Table.Td>
            ) : (
              <>
                <Table.Td className="breakable">
                  <FieldName name={conflict.field} />
                </Table.Td>
                {values.map(({ name }) => (
                  <Table.Td key={name}>
                    <Value conflict={conflict} at={name} />
                  </Table.Td>
                ))}
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function ConflictCards({ conflicts, undone }: ConflictsProps) {
  return (
    <ul className="row-list" aria-label="Conflicts">
      {conflicts.map((conflict) => (
        <li key={keyOf(conflict)}>
          <Group gap="0 8px" fz="sm">
            <AccountLink id={conflict.account_id} />
            <Text span inherit fw={600} className="breakable">
              {conflict.field === null ? REASONS[conflict.reason] : <FieldName name={conflict.field} />}
            </Text>
          </Group>
          {conflict.field !== null &&
            valuesOf(undone).map(({ name, label }) => (
              <Text key={name} size="sm">
                <Text span inherit c="dimmed">
                  {label}:
                </Text>{' '}
                <Value conflict={conflict} at={name} />
              </Text>
            ))}
        </li>
      ))}
    </ul>
  );
}

function Value({ conflict, at }: { conflict: UndoConflict; at: 'before' | 'left' | 'now' }) {
  const { attribute } = useFields()(conflict.field ?? '');
  return <FieldValue value={shortened(conflict[at])} attribute={attribute} />;
}

function keyOf({ account_id, field }: UndoConflict): string {
  return JSON.stringify([account_id, field]);
}
