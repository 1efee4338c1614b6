import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './call';
import { begin, MARK } from './session';
import { STATUS } from './status';

/** A session that has ended shows the sign-in, wherever one is; the address stays. */
function onError(error: Error): void {
  if (error instanceof Problem && error.status === 401) begin(queryClient, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // A server on this machine answers without a network: ask it, and show that it is away only when it does not answer.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && (!(error instanceof Problem) || error.isPassing),
    },
  },
});

/** What fails in passing, a poll before it is tried again included, has the server asked how it is. */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'failed' || event.query.queryKey[0] === STATUS[0])
    return;
  const { error } = event.action;
  if (error instanceof Problem && error.isPassing) askForStatus();
});

/** Where it is being asked for already, that answer will do. */
export function askForStatus(): void {
  queryClient.refetchQueries({ queryKey: STATUS, type: 'active' }, { cancelRefetch: false });
}

/** Whoever signs in or out in another tab does so here, too: all have the same cookie. */
addEventListener('storage', ({ key, newValue }) => {
  if (key !== MARK) return;
  if (newValue === null) begin(queryClient, null);
  else queryClient.resetQueries();
});
