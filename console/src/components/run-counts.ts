import type { Run } from '@account-sync/client';

/** The counts of a run, with their labels. */
export const RUN_COUNTS = [
  { name: 'requests', label: 'Requests' },
  { name: 'created', label: 'Created' },
  { name: 'updated', label: 'Updated' },
  { name: 'unchanged', label: 'Unchanged' },
  { name: 'rejected', label: 'Rejected' },
] as const satisfies readonly { name: keyof Run; label: string }[];
