import type { ChangePage } from '@account-sync/client';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from './call';
import { queryClient } from './query-client';

const CHANGES_PER_PAGE = 50;

export function latestChanges(last: number, signal: AbortSignal): Promise<ChangePage> {
  return call<ChangePage>('/changes', { parameters: { last }, signal });
}

/** Time of the first change; null if there is none. */
export function firstChangeAt(signal: AbortSignal): Promise<number | null> {
  return queryClient.fetchQuery({
    queryKey: ['changes', 'first'],
    queryFn: async () => {
      const { data } = await call<ChangePage>('/changes', { parameters: { limit: 1 }, signal });
      return data[0] === undefined ? null : Date.parse(data[0].at);
    },
    // The first change never becomes another one, so it is read once.
    staleTime: ({ state }) => (typeof state.data === 'number' ? Number.POSITIVE_INFINITY : 0),
  });
}

/** The first changes of a run, for samples. `changed` is the number of changes: they are read again if it grows. */
export function useFirstChangesOfRun(runId: string, changed: number, limit: number) {
  return useQuery({
    queryKey: ['changes', 'of-run', runId, 'first', limit, Math.min(changed, limit)],
    queryFn: async ({ signal }) => (await changesOfRun(runId, { limit }, signal)).data,
    placeholderData: keepPreviousData,
  });
}

/** The changes of a run in their order. */
export function useChangesOfRun(runId: string) {
  return useInfiniteQuery({
    queryKey: ['changes', 'of-run', runId, 'all'],
    queryFn: ({ pageParam, signal }) =>
      changesOfRun(runId, { after: pageParam, limit: CHANGES_PER_PAGE }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next, has_more }) => (has_more ? next : undefined),
  });
}

interface ChangeRange {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A request examines a part of the feed, so a page is filled by as many requests as necessary. */
async function changesOfRun(
  run_id: string,
  { after, limit }: ChangeRange,
  signal: AbortSignal,
): Promise<ChangePage> {
  const data: ChangePage['data'][number][] = [];
  let next = after;
  for (;;) {
    const parameters = { run_id, after: next, limit: limit - data.length };
    const page = await call<ChangePage>('/changes', { parameters, signal });
    data.push(...page.data);
    if (data.length >= limit || !page.has_more) return { ...page, data };
    next = page.next;
  }
}
