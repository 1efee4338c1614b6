import type { Attribute, FieldChange, Json } from '@account-sync/client';
import { VisuallyHidden } from '@mantine/core';
import { useFields } from '../api/attributes';
import { IconArrowNarrowRight } from '../icons/icons.js';
import { FieldValue } from './field-value';
import { formatUtc } from './format';

const LONGEST = 40;

interface FromToProps {
  readonly changed: FieldChange;
  /** Whether the account is new: only the new value is shown. */
  readonly isNew: boolean;
  /** Whether times are also shown in UTC, as they are entered. */
  readonly withUtc?: boolean | undefined;
}

/** The old and the new value of a field, shortened. */
export function FromTo({ changed: { field, from, to }, isNew, withUtc = false }: FromToProps) {
  const { attribute } = useFields()(field);
  return (
    <>
      {!isNew && (
        <>
          <ShortValue value={from} attribute={attribute} withUtc={withUtc} />{' '}
          <IconArrowNarrowRight size={13} style={{ verticalAlign: -2 }} aria-hidden />
          <VisuallyHidden>to</VisuallyHidden>{' '}
        </>
      )}
      <ShortValue value={to} attribute={attribute} withUtc={withUtc} />
    </>
  );
}

interface ShortValueProps {
  readonly value: Json;
  readonly attribute: Attribute | undefined;
  readonly withUtc: boolean;
}

function ShortValue({ value, attribute, withUtc }: ShortValueProps) {
  const isTime =
    attribute?.type === 'datetime' && typeof value === 'string' && !Number.isNaN(Date.parse(value));
  return (
    <>
      <FieldValue value={shortened(value)} attribute={attribute} />
      {withUtc && isTime && ` (${formatUtc(value)})`}
    </>
  );
}

/** Long texts are cut. */
export function shortened(value: Json): Json {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return typeof text === 'string' && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
