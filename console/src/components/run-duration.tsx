import type { Run } from '@account-sync/client';
import { formatElapsed } from './duration';
import { useNow } from './use-now';

/** How long a run took, or has taken so far. */
export function RunDuration({ run: { started_at, ended_at } }: { run: Run }) {
  const now = useNow();
  const start = Date.parse(started_at);
  if (ended_at === null) return `${formatElapsed(now - start)} so far`;
  return formatElapsed(Date.parse(ended_at) - start);
}
