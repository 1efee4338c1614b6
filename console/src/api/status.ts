import { useQuery } from '@tanstack/react-query';
import { call, Problem } from './call';
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

export const STATUS = ['status'];

const LIVE_MS = 12_000;
/** The console waits for a server that is away. */
const AWAITED_MS = 3_000;

export function useStatus() {
  const query = useQuery({
    queryKey: STATUS,
    queryFn: ({ signal }) => call<Status>('/status', { signal }),
    refetchInterval: ({ state }) => (state.status === 'error' ? AWAITED_MS : LIVE_MS),
    // What fails is told at once, and asked for again soon enough.
    retry: false,
  });
  const { error, errorUpdatedAt, dataUpdatedAt } = query;
  const isRefused = error instanceof Problem && error.status >= 400 && error.status < 500;
  // By when it failed last, since a query that never had an answer counts as pending whenever it is asked again.
  return { ...query, isAway: errorUpdatedAt > dataUpdatedAt && !isRefused };
}
