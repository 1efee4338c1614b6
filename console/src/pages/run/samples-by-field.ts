import type { Change, FieldChange } from '@account-sync/client';

const PER_FIELD = 3;

/** One changed field of one account. */
export interface Sample {
  readonly change: Change;
  readonly changed: FieldChange;
}

/** The first changes of each field. Creations come last: they have no old value. */
export function samplesByField(changes: readonly Change[]): Map<string, Sample[]> {
  const samples = new Map<string, Sample[]>();
  const updatesFirst = [
    ...changes.filter(({ kind }) => kind !== 'created'),
    ...changes.filter(({ kind }) => kind === 'created'),
  ];
  for (const change of updatesFirst.filter(({ is_erased }) => !is_erased)) {
    for (const changed of change.changes) {
      const known = samples.get(changed.field) ?? [];
      if (known.length < PER_FIELD) samples.set(changed.field, [...known, { change, changed }]);
    }
  }
  return samples;
}
