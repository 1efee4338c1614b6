import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { head, type RawConnection } from '../support/raw-connection.js';
import { AttackedService } from './attacked-service.js';
import { type ParsedResponse, parseResponses } from './parse-responses.js';
import { mutate } from './request-mutations.js';
import { SeededRandom } from './seeded-random.js';
import { Trial } from './trial.js';

const ROUND_MS = 1_000;
const RESPONSE_WAIT_MS = 100;
const CONNECTIONS = 48;
const MAX_OPEN = 5 * CONNECTIONS;
/** All documented statuses except server errors. */
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

/** Sends mutated requests, and compares the responses with the stored data. */
class RequestFuzzer {
  requests = 0;
  responses = 0;
  readonly #service: AttackedService;
  readonly #random: SeededRandom;
  /** The statuses of the responses, by the id of the request. */
  readonly #statuses = new Map<string, number>();
  /** Recent requests on connections without all responses: their data may be stored later. */
  #open: string[] = [];
  #cursor = '0~0';

  constructor(service: AttackedService, random: SeededRandom) {
    this.#service = service;
    this.#random = random;
  }

  async round(): Promise<void> {
    const until = performance.now() + ROUND_MS;
    do await this.#batch();
    while (performance.now() < until);
  }

  async #batch(): Promise<void> {
    const cases = Array.from({ length: CONNECTIONS }, () => this.#pieces());
    const connections = await this.#service.connectMany(CONNECTIONS);
    await Promise.all(connections.map((connection, i) => send(connection, cases[i] ?? [])));
    // Truncated requests never get a response.
    const responded = connections.map((connection) => connection.waitForResponses(1, /\r\n\r\n/));
    await Promise.race([Promise.all(responded), pause(RESPONSE_WAIT_MS)]);
    // A barrier: connections are accepted in order, and writes are processed in order. So after these writes the service
    // has read all connections, and all responses that need no further bytes have arrived.
    for (let n = 0; n < 3; n += 1) await this.#write();
    const stored = new Set<string>();
    for (const [i, { text, socket }] of connections.entries()) {
      const sent = (cases[i] ?? []).join('');
      const about = `seed ${this.#random.seed}, ${JSON.stringify(sent)}`;
      const { responses, isCut } = parsed(text, about);
      for (const response of responses) this.#checkResponse(response, about, stored);
      const final = responses.filter(({ status }) => status !== 100);
      if (socket.destroyed || isCut || final.length < mostRequests(sent)) this.#open.push(sent);
    }
    for (const connection of connections) connection.close();
    this.#open = this.#open.slice(-MAX_OPEN);
    await this.#compare(stored);
  }

  /** One to three requests, split into random pieces. */
  #pieces(): string[] {
    const requests = Array.from({ length: 1 + this.#random.below(3) }, () => {
      this.requests += 1;
      const request = this.#valid(`fuzz-${this.requests}`);
      return this.#random.isChance(0.8) ? mutate(request, this.#random) : request;
    });
    const bytes = requests.join('');
    const cuts = this.#random.times(4, () => this.#random.below(bytes.length)).sort((a, b) => a - b);
    return [0, ...cuts].map((from, i) => bytes.slice(from, cuts[i] ?? bytes.length));
  }

  #valid(id: string): string {
    const others = [...this.#service.authorizedHeaders, `X-Request-Id: ${id}`];
    if (this.#random.isChance(0.4)) return head(`GET ${this.#random.pick(READS)}`, ...others);
    const record = JSON.stringify({ account_id: id, name: 'Fuzz \xe9', licenses: 1, x: [{ y: null }] });
    const [path, type, body] = this.#random.pick([
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

  #checkResponse({ status, headers, body }: ParsedResponse, about: string, stored: Set<string>): void {
    this.responses += 1;
    expect(STATUSES, about).toContain(status);
    if (/^application\/(problem\+)?json/.test(headers.get('content-type') ?? '') && body !== '') {
      expect(() => JSON.parse(body), about).not.toThrow();
      if (!body.startsWith('{"openapi"')) expect(body, about).not.toMatch(LEAKS);
    }
    const id = headers.get('x-request-id');
    if (id === undefined || status === 100) return;
    this.#statuses.set(id, status);
    if (status >= 300) return;
    if (/created|updated/.test((headers.get('account-sync-result') ?? '').replaceAll(/\w+=0/g, '')))
      stored.add(id);
  }

  /**
   * Checks that exactly the acknowledged requests are stored. Exceptions are requests without a response: the
   * connection was closed because of later bytes, or the response to an earlier request is incomplete. Exceptions with
   * a generated id are only counted.
   */
  async #compare(expected: Set<string>): Promise<void> {
    const found = new Set<string>();
    for (;;) {
      const page = await this.#get(`/api/v2/changes?limit=1000&after=${this.#cursor}`);
      this.#cursor = page.next;
      for (const { account_id, request_id } of page.data) {
        if (/^(probe|barrier)/.test(account_id)) continue;
        found.add(request_id);
      }
      if (page.data.length < 1_000) break;
    }
    const seed = `seed ${this.#random.seed}`;
    const unknown = [...found].filter((id) => (this.#statuses.get(id) ?? 500) >= 300);
    const unnamed = unknown.filter((id) => !this.#open.some((text) => text.includes(id)));
    const named = unnamed.filter((id) => !UUID.test(id));
    expect(
      named.map((id) => [id, this.#statuses.get(id) ?? 'no response']),
      seed,
    ).toEqual([]);
    expect(unnamed.length, seed).toBeLessThanOrEqual(this.#open.length);
    expect(
      [...expected].filter((id) => !found.has(id)),
      seed,
    ).toEqual([]);
  }

  /** Writes an account on a new connection. */
  async #write(): Promise<void> {
    const body = JSON.stringify({ account_id: 'barrier', n: this.requests });
    const type = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const connection = await this.#service.connect();
    connection.send(head('POST /api/v1_1/account', ...this.#service.authorizedHeaders, ...type) + body);
    expect(await connection.waitForResponses(1)).toEqual([200]);
    expect(connection.body).toBe('{"success":true}');
    connection.close();
  }

  async #get(path: string) {
    const headers = { authorization: `Bearer ${this.#service.key}` };
    const response = await fetch(this.#service.url + path, { headers });
    expect(response.status).toBe(200);
    return (await response.json()) as { data: { account_id: string; request_id: string }[]; next: string };
  }
}

/** Mutations repeat and remove requests; each one that remains has a request line. */
function mostRequests(sent: string): number {
  return sent.split('HTTP/').length - 1;
}

async function send(connection: RawConnection, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    if (piece !== '' && connection.socket.writable) connection.send(piece);
    await nextTurn();
  }
}

function parsed(text: string, about: string): ReturnType<typeof parseResponses> {
  try {
    return parseResponses(text);
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${about}`);
  }
}

it('responds to any bytes with valid HTTP or not at all, and stores what it acknowledges', async () => {
  const trial = new Trial('Fuzzing: requests', { short: 10, long: 600 });
  const random = new SeededRandom(trial);
  const service = await AttackedService.start();
  onTestFinished(() => service.end());
  const fuzzer = new RequestFuzzer(service, random);
  await trial.run(() => service.expectUnaffected(trial, () => fuzzer.round()));
  trial.figures.requests = fuzzer.requests;
  trial.figures.responses = fuzzer.responses;
}, 7_200_000);
