import type { Tally } from './tally.js';

const SUCCESS = '{"success":true}';
const FAILURE =
  '{"success":false,"errors":["Internal Server Error. Please Connect to Customer Support."],"errors_by_attributes":[]}';
/** A request that takes this long hangs. */
const GIVE_UP_MS = 30_000;

export type Answer =
  | { readonly success: true; readonly created: number; readonly updated: number; readonly unchanged: number }
  | { readonly success: false };

/** Sends requests to one server, and notes how they are answered. */
export class Caller {
  constructor(
    readonly url: string,
    readonly key: string,
    readonly tally: Tally,
  ) {}

  async post(body: object, requestId: string): Promise<Answer> {
    const path = Array.isArray(body) ? '/api/v1_1/accounts' : '/api/v1_1/account';
    const headers = {
      authorization: `Bearer ${this.key}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
    };
    const startedAt = performance.now();
    try {
      const signal = AbortSignal.timeout(GIVE_UP_MS);
      const init = { method: 'POST', headers, body: JSON.stringify(body), signal };
      const response = await fetch(this.url + path, init);
      return this.#judge(response, await response.text());
    } catch (error) {
      this.tally.unexpected.push(`${error}, ${(error as Error).cause}`);
      return { success: false };
    } finally {
      this.#timed(startedAt);
    }
  }

  /** Status of a health route; the time it took counts as that of any request. */
  async get(path: string): Promise<number> {
    const startedAt = performance.now();
    const { status } = await fetch(this.url + path, { signal: AbortSignal.timeout(GIVE_UP_MS) });
    this.#timed(startedAt);
    return status;
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
