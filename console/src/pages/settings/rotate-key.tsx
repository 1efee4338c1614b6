import { Button, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldError, otherError } from '../../api/field-error';
import { type IssuedKey, type Key, useRotateKey } from '../../api/keys';
import { useSession } from '../../api/session';
import { Caution } from '../../components/caution';
import { ErrorState } from '../../components/error-state';
import { formatLocalShort } from '../../components/format';
import { useNow } from '../../components/use-now';
import { type Expiry, expiryTime } from './expiry';
import { ExpiryInput } from './expiry-input';

const HOURS = { hours: 1, days: 24 } as const;

interface RotateKeyProps {
  readonly old: Key;
  readonly onIssued: (issued: IssuedKey) => void;
  readonly onCancel: () => void;
}

export function RotateKey({ old, onIssued, onCancel }: RotateKeyProps) {
  const [amount, setAmount] = useState<number | string>(24);
  const [unit, setUnit] = useState<keyof typeof HOURS>('hours');
  const [expiry, setExpiry] = useState<Expiry>({ choice: 'kept', day: '' });
  const rotate = useRotateKey(onIssued);
  const isOwn = useSession().data?.key_id === old.id;
  const hours = Number(amount) * HOURS[unit];
  const other = otherError(rotate.error, ['overlap_hours', 'expires_at']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires_at = expiryTime(expiry, Date.now());
    rotate.mutate({ id: old.id, overlap_hours: hours, ...(expires_at !== undefined && { expires_at }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          This creates a new key with the same label and scopes. Both keys work until the old one expires, so
          that you have time to replace it.
        </Text>
        <Group align="flex-start" gap="sm" grow>
          <NumberInput
            label="Keep the old key valid for"
            value={amount}
            onChange={setAmount}
            min={0}
            max={8760 / HOURS[unit]}
            decimalScale={1}
            required
            withAsterisk={false}
            error={fieldError(rotate.error, 'overlap_hours')}
            data-autofocus
          />
          <NativeSelect
            label="Unit"
            value={unit}
            onChange={(event) => setUnit(event.currentTarget.value as keyof typeof HOURS)}
            data={Object.keys(HOURS)}
          />
        </Group>
        <OldKeyEnd old={old} hours={hours} />
        <ExpiryInput
          label="The new key expires"
          kept={old}
          value={expiry}
          onChange={setExpiry}
          error={fieldError(rotate.error, 'expires_at')}
        />
        {isOwn && (
          <Caution title="This is your key">
            You are signed in with this key. When it expires you are signed out. Then sign in with the new
            key.
          </Caution>
        )}
        {other && <ErrorState error={other} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={rotate.isPending} disabled={amount === ''}>
            Rotate key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Rotation never extends the validity of the old key. */
function OldKeyEnd({ old, hours }: { old: Key; hours: number }) {
  const now = useNow();
  const end = Math.min(
    now + hours * 3_600_000,
    old.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(old.expires_at),
  );
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {hours > 0
        ? `The old key works until ${formatLocalShort(new Date(end).toISOString())}.`
        : 'The old key stops working immediately. Systems that use it are rejected until they have the new key.'}
    </Text>
  );
}
