import type { Run } from '@account-sync/client';

/** The counts of a run, with their labels. */
export const RUN_COUNTS = [
  { name: 'requests', label: 'Requests' },
  { name: 'created', label: 'Created' },
  { name: 'updated', label: 'Updated' },
  { name: 'unchanged', label: 'Unchanged' },
  { name: 'rejected', label: 'Rejected' },
] as const satisfies readonly { name: keyof Run; label: string }[];

type ChangeCounts = Pick<Run, 'updated' | 'archived' | 'restored'> & Partial<Pick<Run, 'created'>>;

/** How many changes a run or an undo has made. An undo creates nothing. */
export function changesIn({ created = 0, updated, archived, restored }: ChangeCounts): number {
  return created + updated + archived + restored;
}
