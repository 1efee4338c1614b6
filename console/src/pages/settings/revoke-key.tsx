import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Key, useRevokeKey } from '../../api/keys';
import { useSession } from '../../api/session';
import { ErrorState } from '../../parts/error-state';
import { Moment } from '../../parts/moment';
import { Caution } from './caution';
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
        This cannot be undone. To replace it without a gap, rotate it instead.
      </Text>
      {isOwn && (
        <Caution title="This is your key">
          You are signed in with it, and will be signed out. Have another key at hand.
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

/** Who would notice. That of one's own key says nothing: it is in use right now. */
function LastUse({ of: key, isOwn }: { of: Key; isOwn: boolean }) {
  const name = <b>{nameOf(key)}</b>;
  if (isOwn) return <>{name} is in use by this session.</>;
  if (key.last_used_at === null)
    return <>{name} has never been used, up to a minute ago. Whoever uses it will be locked out at once.</>;
  return (
    <>
      {name} was used <Moment at={key.last_used_at} />: whoever uses it will be locked out at once.
    </>
  );
}
