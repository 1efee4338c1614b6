import type { InjectOptions } from 'fastify';
import { type Role, scopesOf } from '../../dist/domain/user.js';
import { VERSION } from '../../dist/version.js';
import { addSession, addUser } from './add-user.js';
import { type Answer, at, NOON, type Tenant, type V2Server } from './v2-server.js';

const HOUR = 3_600_000;

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

type Headers = Readonly<Record<string, string>>;

/** The body of a request without its outer parts. */
export interface Sent {
  readonly headers?: Headers | undefined;
  readonly body?: unknown;
  readonly from?: string;
}

/** Users of a server. They join through the store, since hashing a password over HTTP takes a quarter of a second. */
export class People {
  #count = 0;
  /** Failed sign-ins are limited by address, so each request has another, unless a test gives one. */
  #requests = 0;

  constructor(readonly server: V2Server) {}

  /** A new person, or a former member. */
  async join(tenant: Tenant, role: Role = 'viewer', given: Partial<Person> = {}): Promise<Person> {
    this.#count += 1;
    const name = given.name ?? `person-${this.#count}`;
    const { email = `${name.toLowerCase()}@example.com`, password = `password-of-${name}` } = given;
    const user = { tenantId: tenant.id, role, email, name, password, at: NOON };
    return { id: await addUser(this.server.store, user), email, name, password };
  }

  /** An existing user joins another tenant. */
  async joinAlso({ email, name }: Person, tenant: Tenant, role: Role = 'viewer'): Promise<void> {
    await addUser(this.server.store, { tenantId: tenant.id, role, email, name, at: NOON });
  }

  /** Headers of a browser in which the person is signed in. */
  session({ id: userId }: Pick<Person, 'id'>, tenant: Tenant, id?: string) {
    const session = { userId, tenantId: tenant.id, at: this.server.now };
    return addSession(this.server.store, { ...session, ...(id !== undefined && { id }) });
  }

  send(
    method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    { headers = {}, body, from }: Sent = {},
  ): Promise<Answer> {
    this.#requests += 1;
    const options: InjectOptions = {
      method,
      url: `/api/v2${path}`,
      remoteAddress: from ?? `10.1.${this.#requests >> 8}.${this.#requests & 255}`,
      headers: { 'x-request-id': 'r', ...headers },
      ...(body !== undefined && { payload: body as object }),
    };
    return this.server.inject(options);
  }

  signIn({ email, password }: Pick<Person, 'email' | 'password'>, tenant?: string, sent: Sent = {}) {
    return this.send('POST', '/session', { ...sent, body: { email, password, ...(tenant && { tenant }) } });
  }

  /** What is shown of a session that began at noon. */
  sessionBody(person: Person, tenants: readonly (readonly [Tenant, Role])[], current = 0) {
    const [tenant, role] = tenants[current] as readonly [Tenant, Role];
    const { id, email, name } = person;
    return {
      tenant: tenant.name,
      user: { id, email, name, role },
      key_id: null,
      label: name,
      source: 'console',
      scopes: [...scopesOf(role)],
      tenants: tenants.map(([one, of]) => ({ name: one.name, role: of })),
      expires_at: at(12 * HOUR),
      version: VERSION,
      database: this.server.store.dialect,
    };
  }
}

/** The token in a link. */
export function tokenIn(url: string): string {
  return /#(lnk_[\w-]{43})$/.exec(url)?.[1] ?? '';
}
