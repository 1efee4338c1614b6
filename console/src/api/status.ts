import { useQuery } from '@tanstack/react-query';
import { call } from './call';
import type { Session } from './session';

export interface Status {
  readonly version: string;
  readonly database: Session['database'];
  readonly is_ready: boolean;
  /** Why not. */
  readonly problem: string | null;
  /** That the process was sent and has not stored yet. */
  readonly waiting_records: number;
  /** What an operator should see to, a sentence each. */
  readonly warnings: readonly string[];
}

export function useStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => call<Status>('/status', { signal }),
    refetchInterval: 12_000,
  });
}
