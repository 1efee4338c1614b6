import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useSources } from '../api/sources';

interface SourceSelectProps extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  readonly value: string | undefined;
  readonly onSource: (source: string | undefined) => void;
  /** The choice without a source, if there is one. */
  readonly none?: string;
}

/** Chooses a source. A removed one stays selectable while it is selected. */
export function SourceSelect({ value, onSource, none, ...props }: SourceSelectProps) {
  const sources = useSources().data ?? [];
  const choices = sources.map(({ name, label }) => ({ value: name, label }));
  const isMissing = value !== undefined && !sources.some(({ name }) => name === value);
  return (
    <NativeSelect
      label="Source"
      {...props}
      data={[
        ...(none === undefined ? [] : [{ value: '', label: none }]),
        ...choices,
        ...(isMissing ? [{ value, label: value }] : []),
      ]}
      value={value ?? ''}
      onChange={(event) => onSource(event.currentTarget.value || undefined)}
    />
  );
}
