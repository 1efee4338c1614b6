import type { Attribute, Json } from '@account-sync/client';
import { Text } from '@mantine/core';
import { FieldValue, unitText } from '../../components/field-value';
import { formatUtc } from '../../components/format';
import { CollapsibleText } from './collapsible-text';

interface TypedValueProps {
  readonly value: Json;
  readonly attribute?: Attribute | undefined;
}

/** A value in full: a time also in UTC, and a long text collapsible. */
export function TypedValue({ value, attribute }: TypedValueProps) {
  const type = attribute?.type;
  if (typeof value === 'object' && value !== null) {
    return <CollapsibleText text={JSON.stringify(value, null, 2)} isCode />;
  }
  if (typeof value === 'string' && type === 'datetime' && !Number.isNaN(Date.parse(value))) {
    return (
      <>
        <FieldValue value={value} attribute={attribute} />
        {formatUtc(value) !== value && (
          <Text span inherit c="dimmed" display="block">
            {formatUtc(value)}
          </Text>
        )}
      </>
    );
  }
  if (typeof value === 'string' && type !== 'date')
    return <CollapsibleText text={value + unitText(attribute?.unit)} />;
  return <FieldValue value={value} attribute={attribute} />;
}
