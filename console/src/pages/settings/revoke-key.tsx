import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Key, useRevokeKey } from '../../api/keys';
import { useSession } from '../../api/session';
import { Caution } from '../../components/caution';
import { ErrorState } from '../../components/error-state';
import { Timestamp } from '../../components/timestamp';
import { nameOf } from './key-parts';

interface RevokeKeyProps {
  readonly of: Key;
  readonly onRevoked: (note: ReactNode) => void;
  readonly onCancel: () => void;
}

export function RevokeKey({ of: key, onRevoked, onCancel }: RevokeKeyProps) {
  const revoke = useRevokeKey();
  const isOwn = useSession().data?.key_id === key.id;
  const submit = () =>
    revoke.mutate(key.id, { onSuccess: () => onRevoked(`${nameOf(key)} (${key.id}) is revoked.`) });
  return (
    <Stack>
      <Text size="sm" component="div" className="breakable">
        <LastUse of={key} isOwn={isOwn} />
        <br />
        This cannot be undone. To replace the key without an interruption, rotate it instead.
      </Text>
      {isOwn && (
        <Caution title="This is your key">
          You are signed in with this key and will be signed out. You need another key to sign in again.
        </Caution>
      )}
      {revoke.error && <ErrorState error={revoke.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red.9" onClick={submit} loading={revoke.isPending}>
          {isOwn ? 'Revoke and sign out' : 'Revoke'}
        </Button>
      </Group>
    </Stack>
  );
}

/** Shows whether a system still uses the key. The session's own key is always in use. */
function LastUse({ of: key, isOwn }: { of: Key; isOwn: boolean }) {
  const name = <b>{nameOf(key)}</b>;
  if (isOwn) return <>{name} is in use by this session.</>;
  if (key.last_used_at === null)
    return (
      <>
        {name} has not been used so far. Uses in the last minute may be missing. It stops working immediately.
      </>
    );
  return (
    <>
      {name} was last used <Timestamp at={key.last_used_at} />. It stops working immediately for every system
      that uses it.
    </>
  );
}
