import type { Attribute, Json } from '@account-sync/client';
import { Text } from '@mantine/core';
import { FieldValue } from '../../components/field-value';
import { formatUtc } from '../../components/format';
import { CollapsibleText } from './collapsible-text';

interface TypedValueProps {
  readonly value: Json;
  readonly type?: Attribute['type'] | undefined;
}

/** A value in full: a time also in UTC, and a long text collapsible. */
export function TypedValue({ value, type }: TypedValueProps) {
  if (typeof value === 'object' && value !== null) {
    return <CollapsibleText text={JSON.stringify(value, null, 2)} isCode />;
  }
  if (typeof value === 'string' && type === 'datetime' && !Number.isNaN(Date.parse(value))) {
    return (
      <>
        <FieldValue value={value} type={type} />
        {formatUtc(value) !== value && (
          <Text span inherit c="dimmed" display="block">
            {formatUtc(value)}
          </Text>
        )}
      </>
    );
  }
  if (typeof value === 'string' && type !== 'date') return <CollapsibleText text={value} />;
  return <FieldValue value={value} type={type} />;
}
