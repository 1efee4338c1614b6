import type { Adapter, AdapterPayload } from 'oidc-provider';

/** Where an OpenID provider keeps its sessions, codes and tokens. Nothing expires, because tests end first. */
export function memoryAdapter(model: string, stored: Map<string, AdapterPayload>): Adapter {
  const keyOf = (id: string) => `${model} ${id}`;
  const find = (isFound: (payload: AdapterPayload) => boolean) =>
    [...stored].find(([key, payload]) => key.startsWith(`${model} `) && isFound(payload))?.[1];
  return {
    async upsert(id, payload) {
      stored.set(keyOf(id), payload);
    },
    async find(id) {
      return stored.get(keyOf(id));
    },
    async findByUid(uid) {
      return find((payload) => payload.uid === uid);
    },
    async findByUserCode(userCode) {
      return find((payload) => payload.userCode === userCode);
    },
    async consume(id) {
      Object.assign(stored.get(keyOf(id)) ?? {}, { consumed: Math.floor(Date.now() / 1_000) });
    },
    async destroy(id) {
      stored.delete(keyOf(id));
    },
    async revokeByGrantId(grantId) {
      for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key);
    },
  };
}
