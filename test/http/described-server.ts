import { randomBytes, randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { Config } from '../../dist/config.js';
import { hashKey } from '../../dist/domain/api-key.js';
import { newLinkToken } from '../../dist/domain/one-time-link.js';
import { addSession, addUser, EXAMPLE_IDS, giveId } from './add-user.js';
import { withToken } from './browsers.js';
import { needsSession } from './example-body.js';
import { type Described, OpenapiDocument } from './openapi-document.js';
import { RunningServer } from './running-server.js';

export const KEYS = {
  all: { id: 'ops', key: 'key-with-all-scopes-------------', scopes: ['sync', 'read', 'admin'] },
  reader: { id: 'reader', key: 'key-that-only-reads-------------', scopes: ['read'] },
  /** The key id that the examples use. */
  syncer: { id: 'k3f9a2b7', key: 'key-that-only-syncs-------------', scopes: ['sync'] },
  /** The key that the example of a sign-in sends. */
  signer: { id: 'signer', key: 'acs_…', scopes: ['read'] },
} as const;

export const PEOPLE = {
  /** Belongs to both tenants. */
  admin: { email: 'admin@example.com', name: 'Admin', role: 'admin' },
  /** The user whose id the examples use. */
  member: { email: 'member@example.com', name: 'Member', role: 'editor' },
  /** Signs in with the password of the example, and belongs to the tenant trial only. */
  kim: { email: 'kim@example.com', name: 'Kim', role: 'viewer', password: '…' },
} as const;

export interface Sent {
  readonly key?: string;
  /** Sent by the administrator instead of a key. */
  readonly byUser?: boolean;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent unchanged. */
  readonly body?: unknown;
}

/** Ids of the tenants. */
const ACME = 1;
const TRIAL = 2;

/** A server whose responses are all checked against its OpenAPI document. */
export class DescribedServer {
  /** Operation and status of every response so far. */
  readonly seen = new Set<string>();

  private constructor(
    readonly running: RunningServer,
    readonly document: OpenapiDocument,
    readonly adminId: string,
  ) {}

  static async start(config: Partial<Config> = {}): Promise<DescribedServer> {
    const running = await RunningServer.start({ config: { maxBodyBytes: 5_000, ...config } });
    const { directory } = running.store;
    for (const name of ['acme', 'trial']) await directory.createTenant(name, {}, 1);
    const unlimited = { tenantId: ACME, label: '', createdAt: 1, expiresAt: null };
    for (const { id, key, scopes } of Object.values(KEYS)) {
      await directory.keys.add({ ...unlimited, id, hash: hashKey(key), scopes });
    }
    const server = new DescribedServer(
      running,
      await OpenapiDocument.of(running.app),
      await addUser(running.store, { ...PEOPLE.admin, tenantId: ACME, at: Date.now() }),
    );
    await server.#addObjectsOfExamples();
    return server;
  }

  async #addObjectsOfExamples(): Promise<void> {
    const { running } = this;
    const { store } = running;
    const at = Date.now();
    await addUser(store, { ...PEOPLE.admin, tenantId: TRIAL, at });
    await addUser(store, { ...PEOPLE.kim, tenantId: TRIAL, at });
    const member = await addUser(store, { ...PEOPLE.member, tenantId: ACME, at });
    running.breakDatabase(giveId('user', member, EXAMPLE_IDS.user));
    await this.invite('invited@example.com');
    const [invitation] = await store.directory.links.invitations(ACME, at);
    running.breakDatabase(giveId('invitation', invitation?.id ?? '', EXAMPLE_IDS.invitation));
    await addSession(store, { userId: KEYS.all.id, tenantId: ACME, at, id: EXAMPLE_IDS.session });
  }

  /** The token of an invitation to the tenant acme. */
  async invite(email: string): Promise<string> {
    const { token, hash } = newLinkToken(randomBytes);
    const expiresAt = Date.now() + 3_600_000;
    await this.running.store.directory.links.invite(ACME, 'viewer', { hash, email, expiresAt });
    return token;
  }

  /** The operations that document a status. */
  answering(status: number): Described[] {
    return this.document.operations.filter(({ operation }) => String(status) in operation.responses);
  }

  sendTo(name: string, sent?: Sent): Promise<LightMyRequestResponse> {
    return this.send(this.document.operations.find((one) => one.name === name) as Described, sent);
  }

  async send(described: Described, sent: Sent = {}): Promise<LightMyRequestResponse> {
    const { key = KEYS.all.key, path = pathOf(described), headers = {} } = sent;
    const body = await this.#withLink(sent.body);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.running.app.inject({
      method: described.method,
      url: path,
      headers: {
        ...(await this.#credentials(described, sent, key)),
        ...requiredHeaders(described),
        ...type,
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.document.expectDescribed(described, answer);
    this.seen.add(`${described.name} ${answer.statusCode}`);
    return answer;
  }

  /** A valid link instead of the dots of the examples. */
  async #withLink(body: unknown): Promise<unknown> {
    if (typeof body !== 'object' || body === null || !('token' in body) || body.token !== 'lnk_…')
      return body;
    const token = await this.invite(`${randomUUID()}@example.com`);
    return { ...body, token, ...('password' in body && { password: 'password-of-somebody-new' }) };
  }

  /** A key, unless the operation accepts sessions only. */
  async #credentials(described: Described, { byUser }: Sent, key: string): Promise<Record<string, string>> {
    if (!byUser && !needsSession(described)) return { authorization: `Bearer ${key}` };
    const unknown = withToken('x'.repeat(43));
    if (key !== KEYS.all.key) return unknown;
    const session = { userId: this.adminId, tenantId: ACME, at: Date.now() };
    // A test may have broken the database.
    return addSession(this.running.store, session).catch(() => unknown);
  }

  stop(): Promise<void> {
    return this.running.stop();
  }
}

/** The headers that the operation needs, with example values. */
export function requiredHeaders({ operation }: Described): Record<string, string> {
  const headers = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header');
  return Object.fromEntries(
    headers.flatMap(({ name, example }) => (example === undefined ? [] : [[name, String(example)]])),
  );
}

/** The path with example values, or with one other value for all parameters. */
export function pathOf({ path, operation }: Described, value?: string): string {
  return (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(value ?? String(example))),
      path,
    );
}
