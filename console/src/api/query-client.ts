import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './call';
import { begin } from './session';

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
      // What is refused would be refused again; what fails in passing may not.
      retry: (failures, error) => failures < 2 && (!(error instanceof Problem) || isPassing(error.status)),
    },
  },
});

function isPassing(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
