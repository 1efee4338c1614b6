import type { LoadStatistics } from './load-statistics.js';

const SUCCESS = '{"success":true}';
const FAILURE =
  '{"success":false,"errors":["Internal Server Error. Please Connect to Customer Support."],"errors_by_attributes":[]}';
const JSON_BODY = { 'content-type': 'application/json' };
/** A request that takes this long counts as hanging. */
const REQUEST_TIMEOUT_MS = 30_000;

export type UpsertResult =
  | { readonly success: true; readonly created: number; readonly updated: number; readonly unchanged: number }
  | { readonly success: false };

/** Sends requests to one server, and counts the kinds of responses. */
export class Caller {
  /** Set before the server is killed: from then on a request may get no response. */
  isDying = false;

  constructor(
    readonly url: string,
    readonly key: string,
    readonly statistics: LoadStatistics,
  ) {}

  async post(body: object, requestId: string): Promise<UpsertResult> {
    const path = Array.isArray(body) ? '/api/v1_1/accounts' : '/api/v1_1/account';
    const read = async (response: Response) => this.#readUpsertResult(response, await response.text());
    const init = { method: 'POST', body: JSON.stringify(body), headers: JSON_BODY };
    return (await this.#send(path, init, requestId, read)) ?? { success: false };
  }

  /** Sends a request with a known expected outcome, and returns its response body; `undefined` if it fails. */
  send(
    [method, path, body]: readonly [method: string, path: string, body?: object],
    requestId: string,
    expected: 'success' | 'rejection',
  ): Promise<Record<string, unknown> | undefined> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: JSON_BODY };
    return this.#send(path, init, requestId, async (response) => {
      const text = await response.text();
      const isExpected = expected === 'success' ? response.ok : response.status === 400;
      if (!isExpected) this.statistics.unexpected.push(`${path}: ${response.status} ${text}`);
      else if (response.ok) this.statistics.acknowledged += 1;
      return isExpected ? JSON.parse(text || '{}') : undefined;
    });
  }

  /** Imports records, and calls `onStored` as soon as the result of a stored record arrives. */
  async import(
    records: readonly object[],
    requestId: string,
    onStored: (index: number) => void,
  ): Promise<void> {
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    await this.#send(
      '/api/v2/accounts/import',
      { method: 'POST', body, headers },
      requestId,
      async (response) => {
        if (response.status !== 200)
          this.statistics.unexpected.push(`${response.status} ${await response.text()}`);
        let rest = '';
        for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const { index, status } of lines.map((line) => JSON.parse(line))) {
            if (status !== 'created' && status !== 'updated') continue;
            this.statistics.acknowledged += 1;
            onStored(index);
          }
        }
      },
    );
  }

  /** The status of a health route. Its time counts like that of any request. */
  async get(path: string): Promise<number> {
    const startedAt = performance.now();
    const { status } = await fetch(this.url + path, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    this.#recordTime(startedAt);
    return status;
  }

  async #send<T>(
    path: string,
    { headers, ...init }: RequestInit,
    requestId: string,
    read: (response: Response) => Promise<T>,
  ): Promise<T | undefined> {
    const startedAt = performance.now();
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const allHeaders = { ...headers, authorization: `Bearer ${this.key}`, 'x-request-id': requestId };
    try {
      return await read(await fetch(this.url + path, { ...init, headers: allHeaders, signal }));
    } catch (error) {
      if (!this.isDying) this.statistics.unexpected.push(`${path}: ${error}, ${(error as Error).cause}`);
      return undefined;
    } finally {
      this.#recordTime(startedAt);
    }
  }

  #recordTime(startedAt: number): void {
    this.statistics.longestMs = Math.max(this.statistics.longestMs, performance.now() - startedAt);
  }

  #readUpsertResult({ status, headers }: Response, body: string): UpsertResult {
    if (status === 200 && body === SUCCESS) {
      this.statistics.acknowledged += 1;
      return { success: true, ...countsIn(headers.get('account-sync-result') ?? '') };
    }
    this.statistics.failed += 1;
    if (status !== 500 || body !== FAILURE) this.statistics.unexpected.push(`${status} ${body}`);
    return { success: false };
  }
}

/** `created` for one account, `created=1, updated=2, unchanged=0` for a batch. */
function countsIn(result: string) {
  const of = (outcome: string) =>
    result === outcome ? 1 : Number(new RegExp(`${outcome}=(\\d+)`).exec(result)?.[1] ?? 0);
  return { created: of('created'), updated: of('updated'), unchanged: of('unchanged') };
}
