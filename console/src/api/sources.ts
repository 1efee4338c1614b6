import type { Source } from '@account-sync/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';

const SOURCES = ['sources'];
const POLL_MS = 15_000;

/** Body of `PUT /sources/{name}`. What is left out stays unchanged. */
export interface SourceChanges {
  readonly label?: string;
  /** Null: runs are not expected regularly. */
  readonly expect_every_seconds: number | null;
  readonly grace_seconds?: number;
  readonly is_tracked?: boolean;
}

/** All sources with their latest runs, by name. Polls while a component with `isLive` is mounted. */
export function useSources({ isLive = false } = {}) {
  return useQuery({
    queryKey: SOURCES,
    queryFn: async ({ signal }) => (await call<{ data: readonly Source[] }>('/sources', { signal })).data,
    // Pages that only need the labels do not read the runs of all sources again.
    staleTime: isLive ? 0 : 60_000,
    refetchInterval: isLive && POLL_MS,
  });
}

/** Returns the label of a source by name. A removed source has none and keeps its name. */
export function useSourceLabel(): (name: string) => string {
  const labels = new Map(useSources().data?.map(({ name, label }) => [name, label]));
  return (name) => labels.get(name) ?? name;
}

export function useSaveSource(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: SourceChanges) =>
      call<Source>(`/sources/${encodePathSegment(name)}`, { method: 'PUT', body }),
    onSuccess: () => queries.invalidateQueries(),
  });
}

export function useRemoveSource(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<void>(`/sources/${encodePathSegment(name)}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries(),
  });
}
