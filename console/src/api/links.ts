import { useQuery } from '@tanstack/react-query';
import { call } from './call';
import type { Role, Session } from './session';
import { useBeginSession } from './sign-in';

/** A one-time link: joins a tenant, or sets a password. */
export interface Link {
  readonly kind: 'invitation' | 'password';
  readonly email: string;
  /** Null if the operator has made it to set a password. */
  readonly tenant: string | null;
  readonly role: Role | null;
  /** Whether the person has a password already. */
  readonly has_password: boolean;
  readonly expires_at: string;
}

export function useLink(token: string) {
  return useQuery({
    queryKey: ['link', token],
    queryFn: ({ signal }) => call<Link>('/links/look-up', { method: 'POST', body: { token }, signal }),
    enabled: token !== '',
    // What is typed in its form must not be lost.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export interface Redemption {
  readonly token: string;
  readonly password: string;
  readonly name?: string;
}

/** Uses the link, and signs in. */
export function useRedeemLink() {
  return useBeginSession((body: Redemption) => call<Session>('/links/redeem', { method: 'POST', body }));
}
