import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Role } from '../../src/domain/user.js';
import { type OwnTenant, request } from './own-tenant.js';

/** A person who signs in with a password. */
export interface Person {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

/** With an e-mail address that no other person has. */
export function newPerson(name = 'Kim Poe'): Person {
  return { email: `kim-${randomUUID().slice(0, 8)}@example.com`, password: 'four words to remember', name };
}

/** The link of a new invitation. */
export async function inviteTo(tenant: OwnTenant, { email }: Person, role: Role): Promise<string> {
  return (await request(tenant.key, 'POST', '/api/v2/invitations', { email, role })).body.url;
}

/** A person with a role in the tenant; a new one, unless the person belongs to another tenant. */
export async function memberOf(tenant: OwnTenant, role: Role, person = newPerson()): Promise<Person> {
  const url = await inviteTo(tenant, person, role);
  const { password, name } = person;
  const body = { token: tokenIn(url), password, name };
  const response = await post('/api/v2/links/redeem', body);
  if (response.status !== 201) throw new Error(await response.text());
  return person;
}

/** Starts a session of the person, as another browser would. Returns its cookie. */
export async function sessionOf({ email, password }: Person, browser: string): Promise<string> {
  const response = await post('/api/v2/session', { email, password }, { 'user-agent': browser });
  if (response.status !== 201) throw new Error(await response.text());
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

export function tokenIn(url: string): string {
  return new URL(url).hash.slice(1);
}

function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${inject('consoleUrl')}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
