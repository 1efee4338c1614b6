import type { AccountSource, Mix } from './account-source.js';

export interface Workload {
  readonly path: string;
  /** Records per request. */
  readonly records: number;
  readonly connections: number;
  readonly mix: Mix;
}

export const BATCH = 200;

export const singles = (connections: number, mix: Mix): Workload => ({
  path: '/api/v1_1/account',
  records: 1,
  connections,
  mix,
});

export const batches = (mix: Mix): Workload => ({
  path: '/api/v1_1/accounts',
  records: BATCH,
  connections: 8,
  mix,
});

/** The bytes of a complete HTTP request. */
export function nextRequest({ path, records, mix }: Workload, source: AccountSource, key: string): Buffer {
  const accounts = source.next(mix, records);
  const body = JSON.stringify(records === 1 ? accounts[0] : accounts);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
