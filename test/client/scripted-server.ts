import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { AccountSync, type AccountSyncOptions } from '@account-sync/client';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A real HTTP server with scripted responses, for failures that the service does not produce on demand. */
export class ScriptedServer {
  /** Method and path of each request, in the order of arrival. */
  readonly seen: string[] = [];

  private constructor(readonly http: Server) {}

  /** Each request gets the next handler; the last handler serves all further requests. */
  static async start(handlers: readonly RequestHandler[], port = 0): Promise<ScriptedServer> {
    const server = new ScriptedServer(createServer());
    server.http.on('request', (request, response) => {
      server.seen.push(`${request.method} ${request.url}`);
      const handler = handlers[Math.min(server.seen.length, handlers.length) - 1] as RequestHandler;
      // A client that disconnects is no failure of the script.
      response.on('error', () => {});
      Promise.resolve(handler(request, response)).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => {
      server.http.listen(port, '127.0.0.1', resolve);
    });
    return server;
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  client(options: Partial<AccountSyncOptions> = {}): AccountSync {
    return new AccountSync({ url: `http://127.0.0.1:${this.port}`, key: 'acs_test', ...options });
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.http.close(resolve);
    });
    this.http.closeAllConnections();
    await closed;
  }
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): RequestHandler {
  return async (request, response) => {
    await text(request);
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r1', ...headers });
    response.end(JSON.stringify(body));
  };
}

export const stored = json(200, { success: true }, { 'account-sync-result': 'created' });
export const overloaded = json(503, {
  success: false,
  errors: ['Too many writes.'],
  errors_by_attributes: [],
});
export const cut: RequestHandler = (request) => request.socket.destroy();
export const silent: RequestHandler = () => {};

export function problem(status: number, slug: string, detail: string): RequestHandler {
  const type = `urn:problem:account-sync:${slug}`;
  const body = { type, title: slug, status, detail, request_id: 'r1', errors: [] };
  return json(status, body, { 'content-type': 'application/problem+json' });
}

/** Reads all records of an import request. */
export async function recordsOf(request: IncomingMessage): Promise<{ account_id: string }[]> {
  const lines = (await text(request)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

export function importResponse(records: readonly { account_id: string }[], summary: object = {}): string {
  const results = records.map(({ account_id }, index) => ({
    index,
    account_id,
    status: 'created',
    changed: ['name'],
  }));
  const counts = {
    records: records.length,
    created: records.length,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    failed: 0,
    kept: 0,
  };
  const last = { summary: { ...counts, dry_run: false, is_complete: true, problem: null, ...summary } };
  return [...results, last].map((line) => `${JSON.stringify(line)}\n`).join('');
}

export const importing: RequestHandler = async (request, response) => {
  const records = await recordsOf(request);
  response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(importResponse(records));
};

/** Collects all items of a sequence. */
export async function all<Item>(sequence: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of sequence) items.push(item);
  return items;
}

/** A promise, and the function that resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
