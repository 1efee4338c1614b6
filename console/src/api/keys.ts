import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';
import { type Scope, setSession, useScopes, useSession } from './session';

export interface Key {
  readonly id: string;
  readonly state: 'live' | 'expired' | 'revoked';
  readonly scopes: readonly Scope[];
  readonly label: string;
  readonly source: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/** A new key with its secret. No later response contains the secret. */
export interface IssuedKey extends Key {
  readonly key: string;
  /** The key that it replaces, and until when that key still works. */
  readonly replaced?: { readonly id: string; readonly expires_at: string };
}

export interface NewKey {
  readonly label: string;
  /** Default: one that is named after the label. */
  readonly source?: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
}

export interface Rotation {
  readonly id: string;
  readonly overlap_hours: number;
  /** Default: the expiry of the old key. */
  readonly expires_at?: string | null;
}

/** Oldest first, including expired and revoked keys. */
export function useKeys() {
  const { mayAdmin } = useScopes();
  return useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await call<{ data: readonly Key[] }>('/keys', { signal })).data,
    enabled: mayAdmin,
  });
}

/** Labels of keys by id. Without the scope admin, only the label of the session's own key is known. */
export function useKeyLabels(): ReadonlyMap<string, string> {
  const session = useSession().data;
  const own = session && session.key_id !== null ? [{ id: session.key_id, label: session.label }] : [];
  return new Map([...own, ...(useKeys().data ?? [])].map(({ id, label }) => [id, label]));
}

/** Passes the key to a callback. A mutation result would stay in the cache, and the secret must not. */
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
      onIssued(await call<IssuedKey>(`/keys/${encodePathSegment(id)}/rotate`, { method: 'POST', body })),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** Gives a key another source. */
export function useMoveKey() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, source }: Pick<Key, 'id' | 'source'>) =>
      call<Key>(`/keys/${encodePathSegment(id)}`, { method: 'PATCH', body: { source } }),
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** Revoking the key of the session ends the session. */
export function useRevokeKey() {
  const queries = useQueryClient();
  const ownId = useSession().data?.key_id;
  return useMutation({
    mutationFn: (id: string) => call<void>(`/keys/${encodePathSegment(id)}`, { method: 'DELETE' }),
    onSuccess: (_response, id) => {
      if (id !== ownId) return queries.invalidateQueries();
      setSession(queries, null);
    },
  });
}
