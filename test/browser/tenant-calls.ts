import { inject } from 'vitest';

/** What other systems do meanwhile, by a key of a tenant. */
export function callsBy(key: string) {
  const call = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${inject('consoleUrl')}/api${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers },
    });
    return { status: response.status, text: await response.text() };
  };
  return {
    read: async (path: string) => JSON.parse((await call(`/v2${path}`)).text),
    /** The status: 200 where it was stored. */
    send: async (record: object) =>
      (await call('/v1_1/account', { method: 'POST', body: JSON.stringify(record) })).status,
    import: (records: readonly object[]) =>
      call('/v2/accounts/import', {
        method: 'POST',
        body: records.map((record) => JSON.stringify(record)).join('\n'),
        headers: { 'content-type': 'application/x-ndjson' },
      }),
    remove: (id: string) => call(`/v2/accounts/${id}`, { method: 'DELETE' }),
  };
}
