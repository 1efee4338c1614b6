import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from './call';
import { lastTenant, type Session, SIGN_IN_METHODS, setSession } from './session';

export interface SignInMethods {
  readonly password: boolean;
  readonly key: boolean;
  /** The identity provider; null without one. */
  readonly oidc: { readonly name: string } | null;
}

export function useSignInMethods() {
  return useQuery({
    queryKey: SIGN_IN_METHODS,
    queryFn: ({ signal }) => call<SignInMethods>('/sign-in-methods', { signal }),
    staleTime: 60_000,
  });
}

/** A link that signs the user in at the identity provider and returns to a page of the console. */
export function providerSignIn(returnTo: string): string {
  return `/api/v2/session/oidc?${new URLSearchParams({ return_to: returnTo })}`;
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

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

export function useSignInWithPassword() {
  return useBeginSession(({ email, password }: Credentials) => {
    const body = { email, password, tenant: lastTenant() };
    return call<Session>('/session', { method: 'POST', body });
  });
}

export function useSignInWithKey() {
  return useBeginSession(async (key: string) => {
    const session = await call<Session>('/session', { method: 'POST', body: { key } });
    if (session.scopes.includes('read')) return session;
    await call<void>('/session', { method: 'DELETE' });
    throw new MissingReadScope(session);
  });
}

/** A mutation that starts a session. Then all data of an earlier one is dropped. */
export function useBeginSession<Input>(begin: (input: Input) => Promise<Session>) {
  const queries: QueryClient = useQueryClient();
  return useMutation({
    mutationFn: begin,
    onSuccess: (session) => setSession(queries, session),
  });
}
