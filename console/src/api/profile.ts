import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, encodePathSegment } from './call';
import { SESSION, type Session, setSession } from './session';

export interface BrowserSession {
  readonly id: string;
  readonly tenant: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string;
  /** The header User-Agent; null if it is not known. */
  readonly browser: string | null;
  readonly is_current: boolean;
}

const SESSIONS = ['sessions'];

/** Where the user or key of this session is signed in. */
export function useBrowserSessions() {
  return useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) =>
      (await call<{ data: readonly BrowserSession[] }>('/sessions', { signal })).data,
  });
}

export function useEndSession() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: BrowserSession) =>
      call<void>(`/sessions/${encodePathSegment(id)}`, { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}

/** Ends all sessions but this one. */
export function useEndOtherSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => call<{ ended: number }>('/sessions', { method: 'DELETE' }),
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}

export interface ProfileChange {
  readonly name?: string;
  readonly password?: string;
  readonly current_password?: string;
}

export function useChangeProfile(onChanged: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: ProfileChange) => call<Session>('/profile', { method: 'PATCH', body }),
    onSuccess: (session) => {
      onChanged();
      queries.setQueryData(SESSION, session);
      // Passwords must not stay in memory, and a new name is shown in lists, too.
      queries.getMutationCache().clear();
      queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    },
  });
}

/** Gives the session another tenant. All data of the previous one is dropped. */
export function useSwitchTenant(onSwitched: (session: Session) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (tenant: string) => {
      // The session gets a new cookie: a request with the previous one would be rejected.
      await queries.cancelQueries();
      return call<Session>('/session/tenant', { method: 'PUT', body: { tenant } });
    },
    onSuccess: (session) => {
      onSwitched(session);
      setSession(queries, session);
    },
  });
}
