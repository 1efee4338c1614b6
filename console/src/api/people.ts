import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';
import type { Role } from './session';

/** A person who belongs to the tenant. */
export interface Member {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly state: 'active' | 'disabled';
  /** Who decides on the role: an administrator, or the identity provider. */
  readonly origin: 'invitation' | 'oidc';
  readonly has_password: boolean;
  readonly joined_at: string;
  readonly last_used_at: string | null;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly created_at: string;
  readonly expires_at: string;
}

/** No later response contains the address. */
export interface IssuedLink {
  readonly url: string;
  readonly expires_at: string;
}

export interface Invited {
  readonly email: string;
  readonly role: Role;
}

const PEOPLE = 'people';

export function useMembers() {
  return useQuery({
    queryKey: [PEOPLE, 'members'],
    queryFn: async ({ signal }) => (await call<{ data: readonly Member[] }>('/users', { signal })).data,
  });
}

/** Those that are still valid. */
export function useInvitations() {
  return useQuery({
    queryKey: [PEOPLE, 'invitations'],
    queryFn: async ({ signal }) =>
      (await call<{ data: readonly Invitation[] }>('/invitations', { signal })).data,
  });
}

/** Passes the link to a callback. A mutation result would stay in the cache, and the link must not. */
export function useInvite(onIssued: (link: IssuedLink) => void) {
  return useChange(async (body: Invited) =>
    onIssued(await call<Invitation & IssuedLink>('/invitations', { method: 'POST', body })),
  );
}

/** See `useInvite`. */
export function useMakePasswordLink(onIssued: (link: IssuedLink) => void) {
  return useChange(async (id: string) =>
    onIssued(await call<IssuedLink>(`${pathOf(id)}/password-link`, { method: 'POST' })),
  );
}

export function useRemoveInvitation() {
  return useChange((id: string) => call<void>(`/invitations/${encodePathSegment(id)}`, { method: 'DELETE' }));
}

export interface MemberChange {
  readonly id: string;
  readonly role?: Role;
  readonly disabled?: boolean;
}

export function useChangeMember() {
  return useChange(({ id, ...body }: MemberChange) => call<Member>(pathOf(id), { method: 'PATCH', body }));
}

export function useRemoveMember() {
  return useChange((id: string) => call<void>(pathOf(id), { method: 'DELETE' }));
}

/** Signs a member out of the tenant everywhere. */
export function useEndMemberSessions() {
  return useChange((id: string) => call<{ ended: number }>(`${pathOf(id)}/sessions`, { method: 'DELETE' }));
}

const pathOf = (id: string) => `/users/${encodePathSegment(id)}`;

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: change, onSuccess: () => queries.invalidateQueries() });
}
