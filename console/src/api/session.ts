import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call';

export type Scope = 'sync' | 'read' | 'admin';
export type Role = 'viewer' | 'editor' | 'admin';

export interface SessionUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

export interface Session {
  readonly tenant: string;
  /** Null for a user. */
  readonly key_id: string | null;
  /** Null for a key. */
  readonly user: SessionUser | null;
  /** Label of the key. */
  readonly label: string;
  /** The source that its changes belong to. */
  readonly source: string;
  readonly scopes: readonly Scope[];
  /** The tenants of a user; empty for a key, which has one. */
  readonly tenants: readonly { readonly name: string; readonly role: Role }[];
  readonly expires_at: string | null;
  readonly version: string;
  readonly database: 'sqlite' | 'postgres';
}

export const SESSION = ['session'];

/** How a user can sign in. It does not depend on a session. */
export const SIGN_IN_METHODS = ['sign-in-methods'];

/** Local storage key for the time of the sign-in. Without it, the session request is skipped. */
export const SIGNED_IN_KEY = 'account-sync-signed-in';

/** Local storage key that is set while another site signs the user in. It returns to the console with a session. */
const SIGNING_IN_KEY = 'account-sync-signing-in';

/** Local storage key for the last tenant, in which the next session starts. */
const TENANT_KEY = 'account-sync-tenant';

/** Null if no user is signed in. */
export function useSession() {
  return useQuery({ queryKey: SESSION, queryFn: ({ signal }) => readSession(signal), staleTime: 60_000 });
}

async function readSession(signal: AbortSignal): Promise<Session | null> {
  const isReturning = localStorage.getItem(SIGNING_IN_KEY) !== null;
  localStorage.removeItem(SIGNING_IN_KEY);
  const isSignedIn = localStorage.getItem(SIGNED_IN_KEY) !== null;
  if (!isReturning && !isSignedIn) return null;
  const session = await call<Session>('/session', { signal });
  if (!isSignedIn) remember(session);
  return session;
}

/** To be called when the user follows a link to sign in at another site. */
export function leaveToSignIn(): void {
  localStorage.setItem(SIGNING_IN_KEY, new Date().toISOString());
}

/** The tenant of the last session of a user in this browser. */
export function lastTenant(): string | undefined {
  return localStorage.getItem(TENANT_KEY) ?? undefined;
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<void>('/session', { method: 'DELETE' }),
    onSuccess: () => setSession(queries, null),
  });
}

/** Clears all data of the previous session, including the key or password that was sent to sign in. */
export function setSession(queries: QueryClient, session: Session | null): void {
  if (session === null) localStorage.removeItem(SIGNED_IN_KEY);
  else remember(session);
  const kept = [SESSION[0], SIGN_IN_METHODS[0]];
  queries.removeQueries({ predicate: ({ queryKey }) => !kept.includes(queryKey[0] as string) });
  queries.getMutationCache().clear();
  queries.setQueryData(SESSION, session);
}

function remember({ user, tenant }: Session): void {
  localStorage.setItem(SIGNED_IN_KEY, new Date().toISOString());
  if (user !== null) localStorage.setItem(TENANT_KEY, tenant);
}

/** For components inside the shell, where a user is signed in and every session has the scope read. */
export function useScopes(): { mayAdmin: boolean; maySync: boolean } {
  const scopes = useSession().data?.scopes ?? [];
  return {
    mayAdmin: scopes.includes('admin'),
    maySync: scopes.includes('sync'),
  };
}

/** Who can do what the session cannot, at the beginning of a sentence. */
export function useWhoMayAdmin(): string {
  return useSession().data?.user ? 'An administrator' : 'A key with the scope admin';
}
