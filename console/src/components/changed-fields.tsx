import type { Change } from '@account-sync/client';
import { Fragment } from 'react';
import { FieldName } from './field-name';
import { plural } from './format';
import { FromTo } from './from-to';

const SHOWN = 3;

interface ChangedFieldsProps {
  readonly change: Pick<Change, 'kind' | 'changes' | 'is_erased'>;
  readonly withUtc?: boolean;
}

/** The first changed fields, shortened. The page of the account shows all. */
export function ChangedFields({ change: { kind, changes, is_erased }, withUtc }: ChangedFieldsProps) {
  if (is_erased) return ' · values deleted';
  if (kind === 'deleted') return null;
  const others = changes.length - SHOWN;
  return (
    <>
      {changes.slice(0, SHOWN).map((changed) => (
        <Fragment key={changed.field}>
          {' · '}
          <FieldName name={changed.field} />:{' '}
          <FromTo changed={changed} isNew={kind === 'created'} withUtc={withUtc} />
        </Fragment>
      ))}
      {others > 0 && ` · ${plural(others, 'more field')}`}
    </>
  );
}
