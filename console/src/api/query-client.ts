import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './call';
import { begin, MARK } from './session';

/** A session that has ended shows the sign-in, wherever one is; the address stays. */
function onError(error: Error): void {
  if (error instanceof Problem && error.status === 401) begin(queryClient, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && (!(error instanceof Problem) || error.isPassing),
    },
  },
});

/** Whoever signs in or out in another tab does so here, too: all have the same cookie. */
addEventListener('storage', ({ key, newValue }) => {
  if (key !== MARK) return;
  if (newValue === null) begin(queryClient, null);
  else queryClient.resetQueries();
});
