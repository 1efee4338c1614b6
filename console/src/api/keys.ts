import { useQuery } from '@tanstack/react-query';
import { call } from './call';
import { useScopes, useSession } from './session';

interface Key {
  readonly id: string;
  readonly label: string;
}

/** Labels of keys by their id: of all where they may be listed, else of one's own. */
export function useKeyLabels(): ReadonlyMap<string, string> {
  const { mayAdmin } = useScopes();
  const session = useSession().data;
  const keys = useQuery({
    queryKey: ['keys'],
    queryFn: async ({ signal }) => (await call<{ data: readonly Key[] }>('/keys', { signal })).data,
    enabled: mayAdmin,
  });
  const own = session ? [{ id: session.key_id, label: session.label }] : [];
  return new Map([...own, ...(keys.data ?? [])].map(({ id, label }) => [id, label]));
}
