import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { INTERVAL_UNITS, type IntervalUnit } from '../../components/duration';
import type { EnteredInterval } from './source-draft';

interface IntervalInputProps {
  readonly label: string;
  readonly description: string;
  readonly value: EnteredInterval;
  readonly onChange: (value: EnteredInterval) => void;
  readonly error: string | undefined;
}

/** A number and its unit. */
export function IntervalInput({ label, description, value, onChange, error }: IntervalInputProps) {
  return (
    <Group align="flex-start" gap="sm" grow>
      <NumberInput
        label={label}
        description={description}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        value={value.amount}
        onChange={(amount) => onChange({ ...value, amount })}
        min={0}
        decimalScale={2}
        error={error}
      />
      <NativeSelect
        label="Unit"
        aria-label={`Unit of “${label}”`}
        value={value.unit}
        onChange={(event) => onChange({ ...value, unit: event.currentTarget.value as IntervalUnit })}
        data={Object.keys(INTERVAL_UNITS)}
      />
    </Group>
  );
}
