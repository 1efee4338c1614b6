import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './call';
import { SESSION, SIGNED_IN_KEY, setSession } from './session';
import { STATUS } from './status';

/** When a session ends, every page shows the sign-in form. The address stays, so signing in returns to the page. */
function onError(error: Error): void {
  // A wrong password ends no session.
  if (!(error instanceof ApiError) || error.status !== 401 || error.code === 'sign_in_failed') return;
  setSession(queryClient, null);
}

/**
 * Another tab that switches to another tenant gets a new cookie for the session. A request that this tab has sent just
 * before is rejected, although the session goes on, so the session itself is asked.
 */
function onQueryError(error: Error, { queryKey }: { readonly queryKey: readonly unknown[] }): void {
  const isRejected = error instanceof ApiError && error.status === 401;
  if (!isRejected || queryKey[0] === SESSION[0]) onError(error);
  else queryClient.refetchQueries({ queryKey: SESSION }, { cancelRefetch: false });
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onQueryError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // A server on this computer works without a network, so the browser's offline state is ignored.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      retry: (failures, error) => failures < 2 && (!(error instanceof ApiError) || error.isTransient),
    },
  },
});

/** Every transient failure, including one that is retried, triggers a status check. */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated' || event.action.type !== 'failed' || event.query.queryKey[0] === STATUS[0])
    return;
  const { error } = event.action;
  if (error instanceof ApiError && error.isTransient) refetchStatus();
});

/** Does not start a second request while one is running. */
export function refetchStatus(): void {
  queryClient.refetchQueries({ queryKey: STATUS, type: 'active' }, { cancelRefetch: false });
}

/** All tabs share the cookie, so a sign-in or sign-out in another tab applies here, too. */
addEventListener('storage', ({ key, newValue }) => {
  if (key !== SIGNED_IN_KEY) return;
  if (newValue === null) setSession(queryClient, null);
  else queryClient.resetQueries();
});
