import type { Change } from '@account-sync/client';
import { Group, Text } from '@mantine/core';
import { useKeyLabels } from '../../api/keys';
import { AccountLink } from '../../components/account-link';
import { Timestamp } from '../../components/timestamp';
import { ChangedFields } from './changed-fields';
import css from './overview.module.css';
import { Swatch } from './swatch';

const KINDS = { created: 'Created', updated: 'Updated', deleted: 'Deleted' } as const;

export function ChangeRow({ change, isNew }: { change: Change; isNew: boolean }) {
  const { account_id, kind, at, key_id } = change;
  const label = useKeyLabels().get(key_id);
  return (
    <li className={isNew ? css.arrived : undefined}>
      <Group justify="space-between" gap="sm" wrap="nowrap" align="baseline">
        <Text size="sm" fw={550} miw={0}>
          <AccountLink id={account_id} />
        </Text>
        <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
          <Timestamp at={at} />
        </Text>
      </Group>
      <Group gap={6} wrap="nowrap" align="baseline">
        <Swatch colour={`var(--${kind})`} />
        <Text size="xs" c="dimmed" miw={0} lineClamp={2} className="breakable">
          <Text span inherit c="var(--mantine-color-text)">
            {KINDS[kind]}
          </Text>{' '}
          by key {label === undefined || label === '' ? key_id : `“${label}”`}
          <ChangedFields change={change} />
        </Text>
      </Group>
    </li>
  );
}
