import type { FieldChange, Json } from '@account-sync/client';
import { VisuallyHidden } from '@mantine/core';
import { useFields } from '../api/attributes';
import { IconArrowNarrowRight } from '../icons/icons.js';
import { FieldValue } from './field-value';

const LONGEST = 40;

interface FromToProps {
  readonly changed: FieldChange;
  /** Whether the account is new: only the new value is shown. */
  readonly isNew: boolean;
}

/** The old and the new value of a field, shortened. */
export function FromTo({ changed: { field, from, to }, isNew }: FromToProps) {
  const { attribute } = useFields()(field);
  return (
    <>
      {!isNew && (
        <>
          <FieldValue value={shortened(from)} attribute={attribute} />{' '}
          <IconArrowNarrowRight size={13} style={{ verticalAlign: -2 }} aria-hidden />
          <VisuallyHidden>to</VisuallyHidden>{' '}
        </>
      )}
      <FieldValue value={shortened(to)} attribute={attribute} />
    </>
  );
}

/** Long texts are cut. */
export function shortened(value: Json): Json {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return typeof text === 'string' && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
