import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type RequestResult, sendRequest } from './send-request.js';

const BATCH_SIZE = 20;
const PIECE_MS = 20;
/** Enough pieces that a body takes some time, but far less than the limit. */
const SLOW_PIECES = 20;

export interface Write extends RequestResult {
  readonly accountIds: readonly string[];
}

/** Clients of all kinds, which continue until the server no longer accepts connections. */
export class LoadUntilShutdown {
  readonly writes: Write[] = [];
  readonly reads: RequestResult[] = [];
  readonly streams: RequestResult[] = [];
  readonly imports: RequestResult[] = [];
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #prefix: string;
  readonly #running: Promise<unknown>;
  #isDown = false;

  constructor(url: string, key: string, prefix: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    this.#prefix = prefix;
    this.#running = Promise.all([
      ...['a', 'b', 'c', 'd'].map((name) => this.#write(name, { keepAlive: true })),
      ...['e', 'f'].map((name) => this.#write(name, { keepAlive: true, size: BATCH_SIZE })),
      ...['g', 'h'].map((name) => this.#write(name, { keepAlive: false })),
      // The connections of these clients are mostly idle.
      ...['i', 'j', 'k', 'l'].map((name) => this.#write(name, { keepAlive: true, restMs: 150 })),
      ...['m', 'n', 'o'].map((name) => this.#write(name, { keepAlive: false, isSlow: true })),
      this.#read(),
      this.#listen(),
      this.#import(),
    ]);
  }

  /** Resolves when every client has seen that the server is down. */
  end(): Promise<unknown> {
    return this.#running;
  }

  async #write(
    name: string,
    how: { keepAlive: boolean; size?: number; restMs?: number; isSlow?: boolean },
  ): Promise<void> {
    const { keepAlive, size = 1, restMs = 0, isSlow = false } = how;
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    for (let n = 1; !this.#isDown; n += 1) {
      const accountIds = Array.from({ length: size }, (_, i) => `${this.#prefix}-${name}-${n}-${i}`);
      const records = accountIds.map((account_id) => ({ account_id, licenses: n }));
      const path = size === 1 ? '/api/v1_1/account' : '/api/v1_1/accounts';
      const text = JSON.stringify(size === 1 ? records[0] : records);
      const body = isSlow ? inPieces(text) : text;
      this.writes.push({ accountIds, ...(await this.#send(path, agent, { method: 'POST', body })) });
      await pause(2 * restMs * Math.random());
    }
    agent.destroy();
  }

  async #read(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (!this.#isDown) this.reads.push(await this.#send('/api/v2/accounts?limit=200', agent));
    agent.destroy();
  }

  async #listen(): Promise<void> {
    const headers = { accept: 'text/event-stream' };
    while (!this.#isDown) {
      this.streams.push(await this.#send('/api/v2/changes?after=latest', new Agent(), { headers }));
    }
  }

  async #import(): Promise<void> {
    const headers = { 'content-type': 'application/x-ndjson' };
    for (let n = 1; !this.#isDown; n += 1) {
      const body = this.#lines(`${this.#prefix}-import-${n}`);
      const options = { method: 'POST', headers, body };
      this.imports.push(await this.#send('/api/v2/accounts/import', new Agent(), options));
    }
  }

  async *#lines(prefix: string): AsyncGenerator<string> {
    for (let n = 1; !this.#isDown; n += 1) {
      yield `{"account_id":"${prefix}-${n}","licenses":${n}}\n`;
      await pause(PIECE_MS);
    }
  }

  async #send(
    path: string,
    agent: Agent,
    options: Parameters<typeof sendRequest>[2] = {},
  ): Promise<RequestResult> {
    const headers = { ...this.#headers, ...options.headers };
    const sent = await sendRequest(this.#url + path, agent, { ...options, headers });
    if (sent.failure !== undefined) this.#isDown = sent.failure === 'ECONNREFUSED';
    return sent;
  }
}

async function* inPieces(text: string): AsyncGenerator<string> {
  const size = Math.ceil(text.length / SLOW_PIECES);
  for (let at = 0; at < text.length; at += size) {
    yield text.slice(at, at + size);
    await pause(PIECE_MS);
  }
}
