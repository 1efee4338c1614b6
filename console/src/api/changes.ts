import type { ChangePage } from '@account-sync/client';
import { call } from './call';
import { queryClient } from './query-client';

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
