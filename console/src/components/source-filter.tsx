import { NativeSelect } from '@mantine/core';
import { useSources } from '../api/sources';

interface SourceFilterProps {
  readonly value: string | undefined;
  readonly onChange: (source: string | undefined) => void;
}

/** A removed source stays selectable while it is selected. */
export function SourceFilter({ value, onChange }: SourceFilterProps) {
  const sources = useSources().data ?? [];
  const choices = sources.map(({ name, label }) => ({ value: name, label }));
  const isMissing = value !== undefined && !sources.some(({ name }) => name === value);
  return (
    <NativeSelect
      label="Source"
      data={[
        { value: '', label: 'All sources' },
        ...choices,
        ...(isMissing ? [{ value, label: value }] : []),
      ]}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}
