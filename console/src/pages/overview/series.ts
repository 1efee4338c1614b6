import type { Counted } from '../../api/stats';

export interface Series {
  readonly name: Counted;
  readonly label: string;
  readonly colour: string;
}

/** The colours are those of the style sheet, in either theme. */
export const SYNCS: readonly Series[] = [
  { name: 'created', label: 'Created', colour: 'var(--created)' },
  { name: 'updated', label: 'Updated', colour: 'var(--updated)' },
  { name: 'deleted', label: 'Deleted', colour: 'var(--deleted)' },
];

export const REFUSALS: readonly Series[] = [{ name: 'refused', label: 'Refused', colour: 'var(--refused)' }];
