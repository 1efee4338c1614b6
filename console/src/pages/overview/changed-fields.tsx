import type { Change, FieldChange, Json } from '@account-sync/client';
import { VisuallyHidden } from '@mantine/core';
import { IconArrowNarrowRight } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useAttributes } from '../../api/attributes';
import { FieldValue } from '../../components/field-value';
import { plural } from '../../components/format';
import css from './overview.module.css';

const SHOWN = 3;
const LONGEST = 40;

/** The first changed fields, shortened. The page of the account shows all. */
export function ChangedFields({ change: { kind, changes, is_erased } }: { change: Change }) {
  const types = new Map(useAttributes().data?.data.map(({ name, type }) => [name, type]));
  if (is_erased) return ' · values deleted';
  if (kind === 'deleted') return null;
  const others = changes.length - SHOWN;
  return (
    <>
      {changes.slice(0, SHOWN).map((changed) => (
        <Fragment key={changed.field}>
          {' · '}
          {changed.field}:{' '}
          <FromTo changed={changed} isNew={kind === 'created'} type={types.get(changed.field)} />
        </Fragment>
      ))}
      {others > 0 && ` · ${plural(others, 'more field')}`}
    </>
  );
}

interface FromToProps {
  readonly changed: FieldChange;
  /** Whether the account is new: only the new value is shown. */
  readonly isNew: boolean;
  readonly type: Parameters<typeof FieldValue>[0]['type'];
}

function FromTo({ changed: { from, to }, isNew, type }: FromToProps) {
  return (
    <>
      {!isNew && (
        <>
          <FieldValue value={shortened(from)} type={type} />{' '}
          <IconArrowNarrowRight size={13} className={css.arrow} aria-hidden />
          <VisuallyHidden>to</VisuallyHidden>{' '}
        </>
      )}
      <FieldValue value={shortened(to)} type={type} />
    </>
  );
}

function shortened(value: Json): Json {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return typeof text === 'string' && text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
