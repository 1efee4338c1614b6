import { Button, Group, NativeSelect, NumberInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { fieldProblem, otherProblem } from '../../api/field-problem';
import { type IssuedKey, type Key, useRotateKey } from '../../api/keys';
import { useSession } from '../../api/session';
import { ErrorState } from '../../parts/error-state';
import { formatLocalShort } from '../../parts/format';
import { useNow } from '../../parts/use-now';
import { Caution } from './caution';
import { type Expiry, expiryMoment } from './expiry';
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
  const other = otherProblem(rotate.error, ['overlap_hours', 'expires_at']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires_at = expiryMoment(expiry, Date.now());
    rotate.mutate({ id: old.id, overlap_hours: hours, ...(expires_at !== undefined && { expires_at }) });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          A new key with the same label and scopes takes over. Until the old one ends, both work: put the new
          one in place meanwhile.
        </Text>
        <Group align="flex-start" gap="sm" grow>
          <NumberInput
            label="The old key works on for"
            value={amount}
            onChange={setAmount}
            min={0}
            max={8760 / HOURS[unit]}
            decimalScale={1}
            required
            withAsterisk={false}
            error={fieldProblem(rotate.error, 'overlap_hours')}
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
          label="The new key ends"
          kept={old}
          value={expiry}
          onChange={setExpiry}
          error={fieldProblem(rotate.error, 'expires_at')}
        />
        {isOwn && (
          <Caution title="This is your key">
            You are signed in with it. When it ends you are signed out, and sign in with the new one.
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

/** It never works longer than it would have without this. */
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
        : 'The old key ends at once: whoever uses it is locked out until they have the new one.'}
    </Text>
  );
}
