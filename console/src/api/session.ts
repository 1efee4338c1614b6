import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call';

export type Scope = 'sync' | 'read' | 'admin';

export interface Session {
  readonly tenant: string;
  readonly key_id: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
  readonly version: string;
  readonly database: 'sqlite' | 'postgres';
}

const SESSION = ['session'];

/** Local storage key for the time of the sign-in. Without it, the session request is skipped. */
export const SIGNED_IN_KEY = 'account-sync-signed-in';

/** Null if no user is signed in. */
export function useSession() {
  return useQuery({
    queryKey: SESSION,
    queryFn: async ({ signal }) =>
      localStorage.getItem(SIGNED_IN_KEY) === null ? null : call<Session>('/session', { signal }),
    staleTime: 60_000,
  });
}

/** The key is valid but lacks the scope that every page needs. */
export class MissingReadScope extends Error {
  readonly tenant: string;

  constructor({ tenant, scopes }: Session) {
    const limit = scopes.includes('admin') ? 'cannot read accounts' : 'can only send accounts';
    super(`This key ${limit}. The console needs a key with the scope read.`);
    this.tenant = tenant;
  }
}

export function useSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (key: string) => {
      const session = await call<Session>('/session', { method: 'POST', body: { key } });
      if (session.scopes.includes('read')) return session;
      await call<void>('/session', { method: 'DELETE' });
      throw new MissingReadScope(session);
    },
    onSuccess: (session) => setSession(queries, session),
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<void>('/session', { method: 'DELETE' }),
    onSuccess: () => setSession(queries, null),
  });
}

/** Clears all data of the previous session, including the key that was sent to sign in. */
export function setSession(queries: QueryClient, session: Session | null): void {
  if (session === null) localStorage.removeItem(SIGNED_IN_KEY);
  else localStorage.setItem(SIGNED_IN_KEY, new Date().toISOString());
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  queries.getMutationCache().clear();
  queries.setQueryData(SESSION, session);
}

/** For components inside the shell, where a user is signed in and every key has the scope read. */
export function useScopes(): { mayAdmin: boolean; maySync: boolean } {
  const scopes = useSession().data?.scopes ?? [];
  return {
    mayAdmin: scopes.includes('admin'),
    maySync: scopes.includes('sync'),
  };
}
