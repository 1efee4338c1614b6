import { useQuery } from '@tanstack/react-query';
import { ApiError, call } from './call';
import type { Session } from './session';

export interface Status {
  readonly version: string;
  readonly database: Session['database'];
  readonly is_ready: boolean;
  /** Why the server is not ready. */
  readonly problem: string | null;
  /** Records that this process has received and not yet stored. */
  readonly waiting_records: number;
  /** Sentences about problems that an operator should solve. */
  readonly warnings: readonly string[];
}

export const STATUS = ['status'];

const POLL_MS = 12_000;
/** Shorter while the server is unreachable, so that the page continues soon after the server is back. */
const UNREACHABLE_POLL_MS = 3_000;

export function useStatus() {
  const query = useQuery({
    queryKey: STATUS,
    queryFn: ({ signal }) => call<Status>('/status', { signal }),
    refetchInterval: ({ state }) => (state.status === 'error' ? UNREACHABLE_POLL_MS : POLL_MS),
    // A failure is shown immediately. The next poll is the retry.
    retry: false,
  });
  const { error, errorUpdatedAt, dataUpdatedAt } = query;
  const isClientError = error instanceof ApiError && error.status >= 400 && error.status < 500;
  // Compares times instead of the query's state: without earlier data, a query is pending again during each retry.
  return { ...query, isUnreachable: errorUpdatedAt > dataUpdatedAt && !isClientError };
}
