import type { Attribute, Json } from '@account-sync/client';
import { Text } from '@mantine/core';
import { FieldValue } from '../../parts/field-value';
import { formatUtc } from '../../parts/format';
import { FoldedText } from './folded-text';

interface TypedValueProps {
  readonly value: Json;
  readonly type?: Attribute['type'] | undefined;
}

/** A value with all that there is to see of it: both times of a moment, long texts to be unfolded. */
export function TypedValue({ value, type }: TypedValueProps) {
  if (typeof value === 'object' && value !== null) {
    return <FoldedText text={JSON.stringify(value, null, 2)} isCode />;
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
  if (typeof value === 'string' && type !== 'date') return <FoldedText text={value} />;
  return <FieldValue value={value} type={type} />;
}
