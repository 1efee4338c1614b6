import type { ManyProgress } from '@account-sync/client';

/** How many accounts a request changes. */
export function changedBy({ updated, archived, restored, deleted }: ManyProgress): number {
  return updated + archived + restored + deleted;
}
