import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { head, type RawConnection } from '../support/raw-connection.js';
import { AttackedService } from './attacked-service.js';
import { Chance } from './chance.js';
import { type ParsedAnswer, parseAnswers } from './http-answers.js';
import { mutate } from './request-mutations.js';
import { Trial } from './trial.js';

const ROUND_MS = 1_000;
const ANSWERED_WITHIN_MS = 100;
const CONNECTIONS = 48;
const REMEMBERED = 5 * CONNECTIONS;
/** Those that are described, but for the failures. */
const STATUSES = new Set([
  100, 200, 201, 204, 206, 302, 304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 416, 417, 429, 431, 503,
]);
const LEAKS = /undefined|\[object |\n {4}at |node:internal/;
const UUID = /^[\da-f]{8}-[\da-f-]{27}$/;
const READS = [
  '/healthz',
  '/metrics',
  '/openapi.json',
  '/api/v2/accounts?limit=2&sort=-updated&count=true',
  '/api/v2/accounts/fuzz-1',
  '/api/v2/accounts/fuzz-1/history?limit=1',
  '/api/v2/accounts/fuzz-1/subtree',
  '/api/v2/accounts/fuzz-1/ancestors',
  '/api/v2/changes?after=0-1&limit=2',
  '/api/v2/rejections?since=2026-11-15T00:00Z',
  '/api/v2/stats?unit=minute',
  '/api/v2/status',
  '/api/v2/session',
];

/** Sends requests that are not quite in order, and compares what was answered with what was stored. */
class RequestFuzzer {
  requests = 0;
  answers = 0;
  readonly #service: AttackedService;
  readonly #chance: Chance;
  /** The ids of requests that were answered with success. */
  readonly #acknowledged = new Set<string>();
  /** What was sent lately on connections that were not answered to their end: it may be stored later. */
  #open: string[] = [];
  #cursor = '0-0';

  constructor(service: AttackedService, chance: Chance) {
    this.#service = service;
    this.#chance = chance;
  }

  async round(): Promise<void> {
    const until = performance.now() + ROUND_MS;
    do await this.#batch();
    while (performance.now() < until);
  }

  async #batch(): Promise<void> {
    const cases = Array.from({ length: CONNECTIONS }, () => this.#pieces());
    const connections = await this.#service.connectMany(CONNECTIONS);
    await Promise.all(connections.map((connection, i) => send(connection, cases[i]?.pieces ?? [])));
    // Some will never be answered: those that are cut.
    const answered = connections.map((connection) => connection.answered(1, /\r\n\r\n/));
    await Promise.race([Promise.all(answered), pause(ANSWERED_WITHIN_MS)]);
    // Whoever wrote before has its answer when this one has, and what it says has arrived with the next.
    for (let n = 0; n < 3; n += 1) await this.#write();
    const stored = new Set<string>();
    for (const [i, { text, socket }] of connections.entries()) {
      const { requests = 0, pieces = [] } = cases[i] ?? {};
      const about = `seed ${this.#chance.seed}, ${JSON.stringify(pieces.join(''))}`;
      const { answers, isCut } = parsed(text, about);
      for (const answer of answers) this.#judge(answer, about, stored);
      if (socket.destroyed || isCut || answers.length < requests) this.#open.push(pieces.join(''));
    }
    for (const connection of connections) connection.close();
    this.#open = this.#open.slice(-REMEMBERED);
    await this.#compare(stored);
  }

  /** One to three requests, in as many pieces as chance wants. */
  #pieces(): { requests: number; pieces: string[] } {
    const requests = Array.from({ length: 1 + this.#chance.below(3) }, () => {
      this.requests += 1;
      const request = this.#valid(`fuzz-${this.requests}`);
      return this.#chance.isChance(0.8) ? mutate(request, this.#chance) : request;
    });
    const bytes = requests.join('');
    const cuts = this.#chance.times(4, () => this.#chance.below(bytes.length)).sort((a, b) => a - b);
    const pieces = [0, ...cuts].map((from, i) => bytes.slice(from, cuts[i] ?? bytes.length));
    return { requests: requests.length, pieces };
  }

  #valid(id: string): string {
    const others = [...this.#service.admitted, `X-Request-Id: ${id}`];
    if (this.#chance.isChance(0.4)) return head(`GET ${this.#chance.pick(READS)}`, ...others);
    const record = JSON.stringify({ account_id: id, name: 'Fuzz \xe9', licenses: 1, x: [{ y: null }] });
    const [path, type, body] = this.#chance.pick([
      ['/api/v1_1/account', 'application/json', record],
      ['/api/v1_1/accounts', 'application/json', `[${record},{"account_id":"${id}-b"}]`],
      ['/api/v2/accounts/import', 'application/x-ndjson', `${record}\n{"account_id":"${id}-b"}\n`],
      ['/api/v2/accounts/import', 'application/json', `[${record}]`],
      ['/api/v2/session', 'application/json', JSON.stringify({ key: this.#service.key })],
      ['/api/v2/blocked-ids/test', 'application/json', '{"account_id":"a"}'],
    ] as const);
    const bytes = Buffer.from(body).toString('latin1');
    return (
      head(`POST ${path}`, ...others, `Content-Type: ${type}`, `Content-Length: ${bytes.length}`) + bytes
    );
  }

  #judge({ status, headers, body }: ParsedAnswer, about: string, stored: Set<string>): void {
    this.answers += 1;
    expect(STATUSES, about).toContain(status);
    if (/^application\/(problem\+)?json/.test(headers.get('content-type') ?? '') && body !== '') {
      expect(() => JSON.parse(body), about).not.toThrow();
      if (!body.startsWith('{"openapi"')) expect(body, about).not.toMatch(LEAKS);
    }
    const id = headers.get('x-request-id');
    if (id === undefined || status >= 300) return;
    this.#acknowledged.add(id);
    if (/created|updated/.test((headers.get('account-sync-result') ?? '').replaceAll(/\w+=0/g, '')))
      stored.add(id);
  }

  /**
   * Everything is stored that answers tell of, and nothing else: but for requests whose answers did not come,
   * since the connection was closed on account of what followed them, or a request before them is not answered to its
   * end. Those without an id of their own are counted.
   */
  async #compare(expected: Set<string>): Promise<void> {
    const found = new Set<string>();
    for (;;) {
      const page = await this.#get(`/api/v2/changes?limit=1000&after=${this.#cursor}`);
      this.#cursor = page.next;
      for (const { account_id, request_id } of page.data) {
        if (/^(steady|barrier)/.test(account_id)) continue;
        found.add(request_id);
      }
      if (page.data.length < 1_000) break;
    }
    const seed = `seed ${this.#chance.seed}`;
    const unknown = [...found].filter((id) => !this.#acknowledged.has(id));
    const unnamed = unknown.filter((id) => !this.#open.some((text) => text.includes(id)));
    expect(
      unnamed.filter((id) => !UUID.test(id)),
      seed,
    ).toEqual([]);
    expect(unnamed.length, seed).toBeLessThanOrEqual(this.#open.length);
    expect(
      [...expected].filter((id) => !found.has(id)),
      seed,
    ).toEqual([]);
  }

  async #write(): Promise<void> {
    const headers = { authorization: `Bearer ${this.#service.key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ account_id: 'barrier', n: this.requests });
    const answer = await fetch(`${this.#service.url}/api/v1_1/account`, { method: 'POST', headers, body });
    expect([answer.status, await answer.text()]).toEqual([200, '{"success":true}']);
  }

  async #get(path: string) {
    const headers = { authorization: `Bearer ${this.#service.key}` };
    const answer = await fetch(this.#service.url + path, { headers });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { data: { account_id: string; request_id: string }[]; next: string };
  }
}

async function send(connection: RawConnection, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (piece !== '' && connection.socket.writable) connection.send(piece);
    await turn();
  }
}

function parsed(text: string, about: string): ReturnType<typeof parseAnswers> {
  try {
    return parseAnswers(text);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${about}`);
  }
}

it('answers every sequence of bytes with HTTP, or not at all, and stores what it says', async () => {
  const trial = new Trial('Fuzzing: requests', { short: 10, long: 600 });
  const chance = new Chance(trial);
  const service = await AttackedService.start();
  onTestFinished(() => service.end());
  const fuzzer = new RequestFuzzer(service, chance);
  await trial.run(() => service.endures(trial, () => fuzzer.round()));
  trial.figures.requests = fuzzer.requests;
  trial.figures.answers = fuzzer.answers;
}, 7_200_000);
