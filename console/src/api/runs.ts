import type { MissingAccount, Page, Run, RunDetails } from '@account-sync/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';

const RUNS_PER_PAGE = 50;
const ACCOUNTS_PER_PAGE = 20;
const POLL_MS = 15_000;
/** The server updates the counts of an open run about once a second. */
const OPEN_POLL_MS = 3_000;

export interface RunSelection {
  readonly source: string | undefined;
  readonly state: Run['state'] | undefined;
  /** Start of the time range at the time of the request; undefined without a limit. */
  readonly since: () => string | undefined;
  readonly until: string | undefined;
  /** Describes the time range: a part of the query key, since `since` may change with time. */
  readonly period: string;
}

/** A cursor is valid only for the same filters, so all pages have the start of the first one. */
interface PageStart {
  readonly cursor: string;
  readonly since: string | undefined;
}

/** Newest first. */
export function useRuns({ source, state, since, until, period }: RunSelection) {
  return useInfiniteQuery({
    queryKey: ['runs', source, state, until, period],
    queryFn: async ({ pageParam, signal }) => {
      const start = pageParam === undefined ? since() : pageParam.since;
      const parameters = {
        source,
        state,
        since: start,
        until,
        limit: RUNS_PER_PAGE,
        cursor: pageParam?.cursor,
      };
      return { ...(await call<Page<Run>>('/runs', { parameters, signal })), since: start };
    },
    initialPageParam: undefined as PageStart | undefined,
    getNextPageParam: ({ next, since }) => (next === null ? undefined : { cursor: next, since }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some(isOpen)) === true ? OPEN_POLL_MS : POLL_MS,
  });
}

/** Without an id, no run is read. */
export function useRun(id: string | null) {
  return useQuery({
    enabled: id !== null,
    queryKey: ['run', id],
    queryFn: ({ signal }) => call<RunDetails>(`/runs/${encodePathSegment(id ?? '')}`, { signal }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data) && OPEN_POLL_MS,
  });
}

/** Accounts that are missing from a run, in the order of their ids. They change while it is open, and when it ends. */
export function useMissingAccounts(run: Run) {
  return useInfiniteQuery({
    queryKey: ['run', run.id, 'missing', run.state],
    queryFn: ({ pageParam, signal }) => missingAccounts(run.id, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    refetchInterval: isOpen(run) && POLL_MS,
  });
}

/** A request examines a part of the accounts, so a page is filled by as many requests as necessary. */
async function missingAccounts(
  runId: string,
  after: string | undefined,
  signal: AbortSignal,
): Promise<Page<MissingAccount>> {
  const path = `/runs/${encodePathSegment(runId)}/missing`;
  const data: MissingAccount[] = [];
  let cursor = after;
  for (;;) {
    const parameters = { limit: ACCOUNTS_PER_PAGE - data.length, cursor };
    const page = await call<Page<MissingAccount>>(path, { parameters, signal });
    data.push(...page.data);
    if (data.length >= ACCOUNTS_PER_PAGE || page.next === null) return { ...page, data };
    cursor = page.next;
  }
}

function isOpen({ state }: Run): boolean {
  return state === 'open';
}
