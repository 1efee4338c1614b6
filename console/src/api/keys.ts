import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, segment } from './call';
import { begin, type Scope, useScopes, useSession } from './session';

export interface Key {
  readonly id: string;
  readonly state: 'live' | 'expired' | 'revoked';
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/** A key that was just made: with the secret, which no later answer has. */
export interface IssuedKey extends Key {
  readonly key: string;
  /** The one that it follows, and until when that still works. */
  readonly replaced?: { readonly id: string; readonly expires_at: string };
}

export interface NewKey {
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
}

export interface Rotation {
  readonly id: string;
  readonly overlap_hours: number;
  /** As that of the old key where it is left out. */
  readonly expires_at?: string | null;
}

/** Oldest first, those that have ended included. */
export function useKeys() {
  const { mayAdmin } = useScopes();
  return useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await call<{ data: readonly Key[] }>('/keys', { signal })).data,
    enabled: mayAdmin,
  });
}

/** Labels of keys by their id: of all where they may be listed, else of one's own. */
export function useKeyLabels(): ReadonlyMap<string, string> {
  const session = useSession().data;
  const own = session ? [{ id: session.key_id, label: session.label }] : [];
  return new Map([...own, ...(useKeys().data ?? [])].map(({ id, label }) => [id, label]));
}

/** The key is handed on and is no result of the mutation: results are kept in memory for a while, and it must not be. */
export function useCreateKey(onIssued: (key: IssuedKey) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: NewKey) => onIssued(await call<IssuedKey>('/keys', { method: 'POST', body })),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** See `useCreateKey`. */
export function useRotateKey(onIssued: (key: IssuedKey) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, ...body }: Rotation) =>
      onIssued(await call<IssuedKey>(`/keys/${segment(id)}/rotate`, { method: 'POST', body })),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** Whoever revokes the key of the session is signed out by that. */
export function useRevokeKey() {
  const queries = useQueryClient();
  const ownId = useSession().data?.key_id;
  return useMutation({
    mutationFn: (id: string) => call<void>(`/keys/${segment(id)}`, { method: 'DELETE' }),
    onSuccess: (_answer, id) => {
      if (id !== ownId) return queries.invalidateQueries();
      begin(queries, null);
    },
  });
}
