import type { CountName } from '../../api/stats';

export interface Series {
  readonly name: CountName;
  readonly label: string;
  readonly colour: string;
}

/** The style sheet defines the colours for both themes. */
export const SYNCS: readonly Series[] = [
  { name: 'created', label: 'Created', colour: 'var(--created)' },
  { name: 'updated', label: 'Updated', colour: 'var(--updated)' },
  { name: 'deleted', label: 'Deleted', colour: 'var(--deleted)' },
];

export const REJECTIONS: readonly Series[] = [
  { name: 'refused', label: 'Rejected', colour: 'var(--rejected)' },
];
