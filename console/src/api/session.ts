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

/** When somebody signed in, and nothing else: where nobody has, there is no need to ask the server. */
export const MARK = 'account-sync-signed-in';

/** Null where nobody is signed in. */
export function useSession() {
  return useQuery({
    queryKey: SESSION,
    queryFn: async ({ signal }) =>
      localStorage.getItem(MARK) === null ? null : call<Session>('/session', { signal }),
    staleTime: 60_000,
  });
}

/** The key is good, but opens none of the pages. */
export class CannotRead extends Error {
  readonly tenant: string;

  constructor({ tenant, scopes }: Session) {
    const may = scopes.includes('admin') ? 'may not look at accounts' : 'may only push accounts';
    super(`This key ${may}: it lacks the scope read, which the console needs.`);
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
      throw new CannotRead(session);
    },
    onSuccess: (session) => begin(queries, session),
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<void>('/session', { method: 'DELETE' }),
    onSuccess: () => begin(queries, null),
  });
}

/** Nothing stays of whoever was signed in before, nor the key that was sent to sign in. */
export function begin(queries: QueryClient, session: Session | null): void {
  if (session === null) localStorage.removeItem(MARK);
  else localStorage.setItem(MARK, new Date().toISOString());
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
  queries.getMutationCache().clear();
  queries.setQueryData(SESSION, session);
}

/** For parts that are shown only to a user who is signed in, whose key may read in any case. */
export function useScopes(): { mayAdmin: boolean; maySync: boolean } {
  const scopes = useSession().data?.scopes ?? [];
  return {
    mayAdmin: scopes.includes('admin'),
    maySync: scopes.includes('sync'),
  };
}
