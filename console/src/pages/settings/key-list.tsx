import { Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Key } from '../../api/keys';
import { useIsNarrow } from '../../components/use-is-narrow';
import {
  endOf,
  type KeyActions,
  KeyButtons,
  KeyName,
  KeySource,
  LastUse,
  ScopeBadges,
  StateBadge,
  TimeOrNever,
} from './key-parts';

interface KeyListProps extends KeyActions {
  readonly label: string;
  readonly keys: readonly Key[];
}

/** A table, or a list on narrow screens. */
export function KeyList(props: KeyListProps) {
  return useIsNarrow() ? <KeyCards {...props} /> : <KeyTable {...props} />;
}

function KeyTable({ label, keys, ...actions }: KeyListProps) {
  return (
    <Table verticalSpacing="sm" aria-label={label} mt="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Key</Table.Th>
          <Table.Th>Source</Table.Th>
          <Table.Th>Scopes</Table.Th>
          <Table.Th>State</Table.Th>
          <Table.Th>Created</Table.Th>
          <Table.Th>Last used</Table.Th>
          <Table.Th>{actions.onRevoke ? 'Expires' : 'Ended'}</Table.Th>
          {actions.onRevoke && (
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Table.Tr key={key.id}>
            <Table.Td>
              <KeyName of={key} />
            </Table.Td>
            <Table.Td>
              <KeySource of={key} />
            </Table.Td>
            <Table.Td>
              <ScopeBadges of={key} />
            </Table.Td>
            <Table.Td>
              <StateBadge of={key} />
            </Table.Td>
            <Table.Td>
              <TimeOrNever at={key.created_at} />
            </Table.Td>
            <Table.Td>
              <LastUse of={key} />
            </Table.Td>
            <Table.Td>
              <TimeOrNever at={endOf(key)} />
            </Table.Td>
            {actions.onRevoke && (
              <Table.Td>
                <KeyButtons of={key} {...actions} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function KeyCards({ label, keys, ...actions }: KeyListProps) {
  return (
    <Stack component="ul" gap={0} m={0} mt="sm" p={0} aria-label={label}>
      {keys.map((key) => (
        <Stack
          key={key.id}
          component="li"
          gap="xs"
          py="md"
          style={{ listStyle: 'none', borderTop: '1px solid var(--mantine-color-default-border)' }}
        >
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <KeyName of={key} />
            </div>
            <StateBadge of={key} />
          </Group>
          <ScopeBadges of={key} />
          <Facts of={key} isLive={actions.onRevoke !== undefined} />
          <KeyButtons of={key} {...actions} />
        </Stack>
      ))}
    </Stack>
  );
}

function Facts({ of: key, isLive }: { of: Key; isLive: boolean }) {
  const facts: readonly [string, ReactNode][] = [
    ['Source', <KeySource key="source" of={key} />],
    ['Created', <TimeOrNever key="created" at={key.created_at} />],
    ['Last used', <LastUse key="used" of={key} />],
    [isLive ? 'Expires' : 'Ended', <TimeOrNever key="end" at={endOf(key)} />],
  ];
  return facts.map(([name, value]) => (
    <Group key={name} justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text size="sm">{value}</Text>
    </Group>
  ));
}
