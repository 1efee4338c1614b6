import type { CountName, Counts } from '../../api/stats';

export interface Series {
  readonly name: CountName;
  readonly label: string;
  readonly colour: string;
}

/** The theme defines the colours for both colour schemes. */
const CREATED: Series = { name: 'created', label: 'Created', colour: 'var(--created)' };
const UPDATED: Series = { name: 'updated', label: 'Updated', colour: 'var(--updated)' };
const RESTORED: Series = { name: 'restored', label: 'Restored', colour: 'var(--restored)' };
const ARCHIVED: Series = { name: 'archived', label: 'Archived', colour: 'var(--archived)' };
const DELETED: Series = { name: 'deleted', label: 'Deleted', colour: 'var(--deleted)' };

/** The series that are always shown. */
export const SYNCS: readonly Series[] = [CREATED, UPDATED, DELETED];

export const REJECTIONS: readonly Series[] = [
  { name: 'refused', label: 'Rejected', colour: 'var(--rejected)' },
];

/** Accounts are rarely archived or restored, so these series are shown only if they are not empty. */
export function syncsOf(total: Counts | undefined): readonly Series[] {
  const rare = [RESTORED, ARCHIVED].filter(({ name }) => total !== undefined && total[name] > 0);
  return [CREATED, UPDATED, ...rare, DELETED];
}
