import { Badge, Button, Group, Text } from '@mantine/core';
import type { Key } from '../../api/keys';
import { useSession } from '../../api/session';
import { useSourceLabel } from '../../api/sources';
import { Timestamp } from '../../components/timestamp';

/** Actions on the keys of a list. Ended keys have none. */
export interface KeyActions {
  readonly onMove?: (key: Key) => void;
  readonly onRotate?: (key: Key) => void;
  readonly onRevoke?: (key: Key) => void;
}

export function nameOf({ label, id }: Pick<Key, 'label' | 'id'>): string {
  return label === '' ? `key ${id}` : label;
}

export function KeyName({ of: key }: { of: Key }) {
  const isOwn = useSession().data?.key_id === key.id;
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600} className="breakable">
          {key.label === '' ? 'No label' : key.label}
        </Text>
        {isOwn && (
          <Badge variant="outline" size="sm">
            this session
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" ff="monospace" className="breakable">
        {key.id}
      </Text>
    </>
  );
}

export function KeySource({ of: { source } }: { of: Key }) {
  const labelOf = useSourceLabel();
  return <span className="breakable">{labelOf(source)}</span>;
}

export function ScopeBadges({ of: { scopes } }: { of: Pick<Key, 'scopes'> }) {
  return (
    <Group gap={4}>
      {scopes.map((scope) => (
        <Badge key={scope} variant="default" size="sm">
          {scope}
        </Badge>
      ))}
    </Group>
  );
}

const COLOURS = { live: 'teal', expired: 'gray', revoked: 'red' } as const;

export function StateBadge({ of: { state } }: { of: Key }) {
  return (
    <Badge color={COLOURS[state]} size="sm" miw="max-content">
      {state}
    </Badge>
  );
}

/** The session's own key is in use now. The server records the use a little later, so its value is not shown. */
export function LastUse({ of: key }: { of: Key }) {
  const isOwn = useSession().data?.key_id === key.id;
  return isOwn ? 'Now' : <TimeOrNever at={key.last_used_at} />;
}

export function TimeOrNever({ at }: { at: string | null }) {
  return at === null ? 'Never' : <Timestamp at={at} />;
}

export function endOf({ revoked_at, expires_at }: Key): string | null {
  return revoked_at ?? expires_at;
}

export function KeyButtons({ of: key, onMove, onRotate, onRevoke }: KeyActions & { of: Key }) {
  return (
    <Group gap={6} wrap="nowrap" justify="flex-end">
      {onMove && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Move ${nameOf(key)} to another source`}
          onClick={() => onMove(key)}
        >
          Move
        </Button>
      )}
      {onRotate && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Rotate ${nameOf(key)}`}
          onClick={() => onRotate(key)}
        >
          Rotate
        </Button>
      )}
      {onRevoke && (
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          size="compact-sm"
          aria-label={`Revoke ${nameOf(key)}`}
          onClick={() => onRevoke(key)}
        >
          Revoke
        </Button>
      )}
    </Group>
  );
}
