import type { Tally } from './tally.js';

const SUCCESS = '{"success":true}';
const FAILURE =
  '{"success":false,"errors":["Internal Server Error. Please Connect to Customer Support."],"errors_by_attributes":[]}';
const JSON_BODY = { 'content-type': 'application/json' };
/** A request that takes this long hangs. */
const GIVE_UP_MS = 30_000;

export type Answer =
  | { readonly success: true; readonly created: number; readonly updated: number; readonly unchanged: number }
  | { readonly success: false };

/** Sends requests to one server, and notes how they are answered. */
export class Caller {
  /** Set when the server is to be killed: from then on a request may get no answer. */
  isDying = false;

  constructor(
    readonly url: string,
    readonly key: string,
    readonly tally: Tally,
  ) {}

  async post(body: object, requestId: string): Promise<Answer> {
    const path = Array.isArray(body) ? '/api/v1_1/accounts' : '/api/v1_1/account';
    const read = async (response: Response) => this.#judge(response, await response.text());
    const init = { method: 'POST', body: JSON.stringify(body), headers: JSON_BODY };
    return (await this.#exchange(path, init, requestId, read)) ?? { success: false };
  }

  /** The answer to a request of which another outcome would be unexpected; `undefined` where it fails. */
  send(
    [method, path, body]: readonly [method: string, path: string, body?: object],
    requestId: string,
    expected: 'success' | 'refusal',
  ): Promise<Record<string, unknown> | undefined> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: JSON_BODY };
    return this.#exchange(path, init, requestId, async (response) => {
      const text = await response.text();
      const isExpected = expected === 'success' ? response.ok : response.status === 400;
      if (!isExpected) this.tally.unexpected.push(`${path}: ${response.status} ${text}`);
      else if (response.ok) this.tally.acknowledged += 1;
      return isExpected ? JSON.parse(text || '{}') : undefined;
    });
  }

  /** Tells of each record that is stored, as soon as that is known. */
  async import(
    records: readonly object[],
    requestId: string,
    onStored: (index: number) => void,
  ): Promise<void> {
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    await this.#exchange(
      '/api/v2/accounts/import',
      { method: 'POST', body, headers },
      requestId,
      async (response) => {
        if (response.status !== 200)
          this.tally.unexpected.push(`${response.status} ${await response.text()}`);
        let rest = '';
        for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const { index, status } of lines.map((line) => JSON.parse(line))) {
            if (status !== 'created' && status !== 'updated') continue;
            this.tally.acknowledged += 1;
            onStored(index);
          }
        }
      },
    );
  }

  /** Status of a health route; the time it took counts as that of any request. */
  async get(path: string): Promise<number> {
    const startedAt = performance.now();
    const { status } = await fetch(this.url + path, { signal: AbortSignal.timeout(GIVE_UP_MS) });
    this.#timed(startedAt);
    return status;
  }

  async #exchange<T>(
    path: string,
    { headers, ...init }: RequestInit,
    requestId: string,
    read: (response: Response) => Promise<T>,
  ): Promise<T | undefined> {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    const own = { ...headers, authorization: `Bearer ${this.key}`, 'x-request-id': requestId };
    try {
      return await read(await fetch(this.url + path, { ...init, headers: own, signal }));
    } catch (error) {
      if (!this.isDying) this.tally.unexpected.push(`${path}: ${error}, ${(error as Error).cause}`);
      return undefined;
    } finally {
      this.#timed(startedAt);
    }
  }

  #timed(startedAt: number): void {
    this.tally.longestMs = Math.max(this.tally.longestMs, performance.now() - startedAt);
  }

  #judge({ status, headers }: Response, body: string): Answer {
    if (status === 200 && body === SUCCESS) {
      this.tally.acknowledged += 1;
      return { success: true, ...countsIn(headers.get('account-sync-result') ?? '') };
    }
    this.tally.failed += 1;
    if (status !== 500 || body !== FAILURE) this.tally.unexpected.push(`${status} ${body}`);
    return { success: false };
  }
}

/** `created` for one account, `created=1, updated=2, unchanged=0` for a batch. */
function countsIn(result: string) {
  const of = (outcome: string) =>
    result === outcome ? 1 : Number(new RegExp(`${outcome}=(\\d+)`).exec(result)?.[1] ?? 0);
  return { created: of('created'), updated: of('updated'), unchanged: of('unchanged') };
}
