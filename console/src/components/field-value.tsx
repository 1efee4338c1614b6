import type { Attribute, Json } from '@account-sync/client';
import { Code, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { formatDay, formatDecimal, formatLocal, formatNumber, formatUtc } from './format';

interface FieldValueProps {
  readonly value: Json;
  /** Undefined for an undeclared field: the value is then formatted by its JSON type. */
  readonly attribute?: Pick<Attribute, 'type' | 'unit'> | undefined;
}

/** A stored value, formatted by its type, with its unit. */
export function FieldValue({ value, attribute }: FieldValueProps) {
  const { type, unit = null } = attribute ?? {};
  if (value === null || value === undefined) {
    return (
      <Text span inherit c="dimmed">
        <span aria-hidden>–</span>
        <VisuallyHidden>no value</VisuallyHidden>
      </Text>
    );
  }
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') {
    return (
      <span className="numbers">
        {type === 'integer' ? formatNumber(value) : formatDecimal(value)}
        {unitText(unit)}
      </span>
    );
  }
  if (typeof value !== 'string') return <Code className="breakable">{JSON.stringify(value)}</Code>;
  // Values that were stored before the type was declared may not match it.
  if (type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value))
    return <time dateTime={value}>{formatDay(value)}</time>;
  if (type === 'datetime' && !Number.isNaN(Date.parse(value))) {
    return (
      <Tooltip label={formatUtc(value)} events={{ hover: true, focus: true, touch: true }}>
        <time dateTime={value}>{formatLocal(value)}</time>
      </Tooltip>
    );
  }
  return (
    <span className="breakable">
      {value}
      {unitText(unit)}
    </span>
  );
}

/** With a no-break space. */
export function unitText(unit: string | null | undefined): string {
  return unit ? `\u00a0${unit}` : '';
}
