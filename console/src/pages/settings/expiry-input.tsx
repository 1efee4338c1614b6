import { Group, NativeSelect, TextInput } from '@mantine/core';
import { formatLocalShort } from '../../components/format';
import { useNow } from '../../components/use-now';
import { type Expiry, expiryTime } from './expiry';

const CHOICES = [
  { value: 'never', label: 'Never' },
  { value: '30 days', label: 'In 30 days' },
  { value: '90 days', label: 'In 90 days' },
  { value: '1 year', label: 'In 1 year' },
  { value: 'day', label: 'On a specific date …' },
] as const;

interface ExpiryInputProps {
  readonly label: string;
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  /** The current expiry, if the key can keep it. */
  readonly kept?: { readonly expires_at: string | null };
  readonly error: string | undefined;
}

export function ExpiryInput({ label, value, onChange, kept, error }: ExpiryInputProps) {
  const now = useNow();
  const expiresAt = value.choice === 'kept' ? kept?.expires_at : expiryTime(value, now);
  const isDay = value.choice === 'day';
  const description = expiresAt ? `Until ${formatLocalShort(expiresAt)}` : undefined;
  return (
    <Group align="flex-start" gap="sm" grow>
      <NativeSelect
        label={label}
        value={value.choice}
        onChange={(event) => onChange({ ...value, choice: event.currentTarget.value as Expiry['choice'] })}
        data={[...(kept ? [{ value: 'kept', label: 'Same as the old key' }] : []), ...CHOICES]}
        description={isDay ? undefined : description}
        error={isDay ? undefined : error}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      {isDay && (
        <TextInput
          type="date"
          label="Last day"
          required
          withAsterisk={false}
          value={value.day}
          onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
          description={description}
          error={error}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
      )}
    </Group>
  );
}
