import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Exchange, exchange } from './exchange.js';

const BATCH_SIZE = 20;
const PIECE_MS = 20;
/** So that a body is under way for some time, and far less than it may be. */
const SLOW_PIECES = 20;

export interface Write extends Exchange {
  readonly accountIds: readonly string[];
}

/** Callers of all kinds, each of which goes on until its server has gone. */
export class LeavingLoad {
  readonly writes: Write[] = [];
  readonly reads: Exchange[] = [];
  readonly streams: Exchange[] = [];
  readonly imports: Exchange[] = [];
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #prefix: string;
  readonly #running: Promise<unknown>;
  #hasGone = false;

  constructor(url: string, key: string, prefix: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    this.#prefix = prefix;
    this.#running = Promise.all([
      ...['a', 'b', 'c', 'd'].map((name) => this.#write(name, { keepAlive: true })),
      ...['e', 'f'].map((name) => this.#write(name, { keepAlive: true, size: BATCH_SIZE })),
      ...['g', 'h'].map((name) => this.#write(name, { keepAlive: false })),
      // Their connections are idle for most of the time.
      ...['i', 'j', 'k', 'l'].map((name) => this.#write(name, { keepAlive: true, restMs: 150 })),
      ...['m', 'n', 'o'].map((name) => this.#write(name, { keepAlive: false, isSlow: true })),
      this.#read(),
      this.#listen(),
      this.#import(),
    ]);
  }

  /** Resolves once every caller has seen that nobody is there any more. */
  end(): Promise<unknown> {
    return this.#running;
  }

  async #write(
    name: string,
    how: { keepAlive: boolean; size?: number; restMs?: number; isSlow?: boolean },
  ): Promise<void> {
    const { keepAlive, size = 1, restMs = 0, isSlow = false } = how;
    const agent = new Agent({ keepAlive, maxSockets: 1 });
    for (let n = 1; !this.#hasGone; n += 1) {
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
    while (!this.#hasGone) this.reads.push(await this.#send('/api/v2/accounts?limit=200', agent));
    agent.destroy();
  }

  async #listen(): Promise<void> {
    const headers = { accept: 'text/event-stream' };
    while (!this.#hasGone) {
      this.streams.push(await this.#send('/api/v2/changes?after=latest', new Agent(), { headers }));
    }
  }

  async #import(): Promise<void> {
    const headers = { 'content-type': 'application/x-ndjson' };
    for (let n = 1; !this.#hasGone; n += 1) {
      const body = this.#lines(`${this.#prefix}-import-${n}`);
      const question = { method: 'POST', headers, body };
      this.imports.push(await this.#send('/api/v2/accounts/import', new Agent(), question));
    }
  }

  async *#lines(prefix: string): AsyncGenerator<string> {
    for (let n = 1; !this.#hasGone; n += 1) {
      yield `{"account_id":"${prefix}-${n}","licenses":${n}}\n`;
      await pause(PIECE_MS);
    }
  }

  async #send(path: string, agent: Agent, question: Parameters<typeof exchange>[2] = {}): Promise<Exchange> {
    const headers = { ...this.#headers, ...question.headers };
    const sent = await exchange(this.#url + path, agent, { ...question, headers });
    if (sent.failure !== undefined) this.#hasGone = sent.failure === 'ECONNREFUSED';
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
