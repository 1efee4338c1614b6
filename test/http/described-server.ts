import type { LightMyRequestResponse } from 'fastify';
import { hashKey } from '../../dist/domain/api-key.js';
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

export interface Sent {
  readonly key?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings are sent unchanged. */
  readonly body?: unknown;
}

/** A server whose responses are all checked against its OpenAPI document. */
export class DescribedServer {
  /** Operation and status of every response so far. */
  readonly seen = new Set<string>();

  private constructor(
    readonly running: RunningServer,
    readonly document: OpenapiDocument,
  ) {}

  static async start(): Promise<DescribedServer> {
    const running = await RunningServer.start({ config: { maxBodyBytes: 5_000 } });
    const { directory } = running.store;
    await directory.createTenant('acme', {}, 1);
    const tenantId = (await directory.findTenant({ name: 'acme' }))?.id ?? 0;
    const unlimited = { tenantId, label: '', createdAt: 1, expiresAt: null };
    for (const { id, key, scopes } of Object.values(KEYS)) {
      await directory.keys.add({ ...unlimited, id, hash: hashKey(key), scopes });
    }
    return new DescribedServer(running, await OpenapiDocument.of(running.app));
  }

  /** The operations that document a status. */
  answering(status: number): Described[] {
    return this.document.operations.filter(({ operation }) => String(status) in operation.responses);
  }

  sendTo(name: string, sent?: Sent): Promise<LightMyRequestResponse> {
    return this.send(this.document.operations.find((one) => one.name === name) as Described, sent);
  }

  async send(described: Described, sent: Sent = {}): Promise<LightMyRequestResponse> {
    const { key = KEYS.all.key, path = pathOf(described), headers = {}, body } = sent;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.running.app.inject({
      method: described.method,
      url: path,
      headers: { ...(await this.#credentials(described, key)), ...type, ...headers },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    this.document.expectDescribed(described, answer);
    this.seen.add(`${described.name} ${answer.statusCode}`);
    return answer;
  }

  /** A key, unless the operation accepts sessions only. */
  async #credentials({ operation: { security } }: Described, key: string): Promise<Record<string, string>> {
    if (security.length === 0 || security.some((one) => 'key' in one)) {
      return { authorization: `Bearer ${key}` };
    }
    const { headers } = await this.running.app.inject({
      method: 'POST',
      url: '/api/v2/session',
      payload: { key },
    });
    const [cookie = ''] = String(headers['set-cookie'] ?? `account_sync_session=${'x'.repeat(43)}`).split(
      ';',
    );
    return { cookie, 'x-account-sync-console': '1' };
  }

  stop(): Promise<void> {
    return this.running.stop();
  }
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
