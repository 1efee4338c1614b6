import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { runJson } from '../support/service.js';

/** A separate tenant for one test, so that the demo tenant does not change. */
export interface OwnTenant {
  readonly name: string;
  /** Has all scopes. */
  readonly key: string;
  readonly keyId: string;
  /** Runs a command on the server's database. */
  command(...args: string[]): Promise<Record<string, string>>;
}

export async function ownTenant(): Promise<OwnTenant> {
  const name = `own-${randomUUID().slice(0, 8)}`;
  const command = (...args: string[]) => runJson(inject('consoleSettings'), ...args);
  await command('tenant', 'create', name);
  const scopes = ['--scope', 'sync', 'read', 'admin'];
  const { key, id } = await command('key', 'create', name, '--label', 'first', ...scopes);
  return { name, key, keyId: id, command };
}

/** Creates another key of the tenant with fewer scopes. */
export async function keyFor(key: string, ...scopes: string[]): Promise<string> {
  return (await request(key, 'POST', '/api/v2/keys', { label: scopes.join(), scopes })).body.key;
}

/** Calls the API with a key. For an NDJSON response, returns the last line. */
export async function request(
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${inject('consoleUrl')}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = (await response.text()).trim().split('\n').at(-1) ?? '';
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

export function send(key: string, record: Readonly<Record<string, unknown>>) {
  return request(key, 'POST', '/api/v1_1/account', record);
}
