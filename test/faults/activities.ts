import type { Agent } from 'node:http';
import type { LoadStatistics } from './load-statistics.js';
import { type HttpResponse, type RequestOptions, sendRequest } from './send-request.js';

/** The same accounts are written repeatedly, so that the amount of data stays constant. */
const ACCOUNTS = 2_000;
const BATCH_SIZE = 20;
const IMPORT_SIZE = 200;
const SUCCESS = '{"success":true}';
const BAD_KEY = 'acs_AAAAAAAA_00000000000000000000000000000000AAAAAA';
const JSON_TYPE = { 'content-type': 'application/json' };

/** The operations of normal clients. Each rejects if a response is not the expected one. */
export class Activities {
  requests = 0;

  constructor(
    readonly url: string,
    readonly key: string,
    readonly agent: Agent,
    readonly statistics: LoadStatistics,
  ) {}

  /** Changes of single accounts come three times, because they are the most frequent requests. */
  get all(): readonly ((n: number) => Promise<void>)[] {
    const writing = [this.#single, this.#single, this.#single, this.#batch, this.#import];
    const reading = [this.#read, this.#pages, this.#stream];
    const others = [this.#session, this.#rejected, this.#directory, this.#abort];
    return [...writing, ...reading, ...others].map((activity) => activity.bind(this));
  }

  #bearer(key = this.key): Record<string, string> {
    return { authorization: `Bearer ${key}` };
  }

  /** Sends a request, and throws if the response has another status. */
  async #request(
    status: number,
    path: string,
    options: RequestOptions = {},
    by = this.#bearer(),
  ): Promise<HttpResponse> {
    this.requests += 1;
    const headers = { ...by, ...JSON_TYPE, ...options.headers };
    const { response, failure } = await sendRequest(this.url + path, this.agent, { ...options, headers });
    if (response?.status !== status) {
      throw new Error(
        `${options.method ?? 'GET'} ${path}: ${failure ?? `${response?.status} ${response?.body}`}`,
      );
    }
    return response;
  }

  #record() {
    const account_id = `account-${Math.floor(ACCOUNTS * Math.random())}`;
    const licenses = Math.floor(1_000_000 * Math.random());
    return { account_id, licenses, name: `Account ${licenses}` };
  }

  async #post(path: string, body: object): Promise<void> {
    const response = await this.#request(200, path, { method: 'POST', body: JSON.stringify(body) });
    if (response.body !== SUCCESS) throw new Error(response.body);
    this.statistics.acknowledged += 1;
  }

  #single(): Promise<void> {
    return this.#post('/api/v1_1/account', this.#record());
  }

  #batch(): Promise<void> {
    return this.#post(
      '/api/v1_1/accounts',
      Array.from({ length: BATCH_SIZE }, () => this.#record()),
    );
  }

  async #import(n: number): Promise<void> {
    const count = n % 5 === 0 ? IMPORT_SIZE : BATCH_SIZE;
    const body = Array.from({ length: count }, () => `${JSON.stringify(this.#record())}\n`).join('');
    const headers = { 'content-type': 'application/x-ndjson' };
    const response = await this.#request(200, '/api/v2/accounts/import', { method: 'POST', headers, body });
    if (!response.body.includes(`"records":${count},`) || !response.body.includes('"is_complete":true')) {
      throw new Error(response.body.slice(-300));
    }
  }

  async #read(): Promise<void> {
    const { account_id } = this.#record();
    await this.#post('/api/v1_1/account', { account_id, custom_Read: Math.random() });
    await this.#request(200, `/api/v2/accounts/${account_id}`);
    await this.#request(200, `/api/v2/accounts/${account_id}/history?limit=20`);
    await this.#request(404, '/api/v2/accounts/unknown');
  }

  async #pages(n: number): Promise<void> {
    const sort = ['id', '-name', '-updated'][n % 3];
    let cursor = '';
    for (let page = 1; page <= 3; page += 1) {
      const { body } = await this.#request(200, `/api/v2/accounts?limit=50&sort=${sort}${cursor}`);
      const { next } = JSON.parse(body);
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    await this.#request(200, '/api/v2/stats?unit=minute');
    await this.#request(200, '/api/v2/changes?last=50');
    await this.#request(200, '/metrics');
  }

  /** Opens a change stream, reads it for a while, and aborts it. */
  async #stream(): Promise<void> {
    this.requests += 1;
    const headers = { ...this.#bearer(), accept: 'text/event-stream' };
    const signal = AbortSignal.timeout(200 + Math.floor(800 * Math.random()));
    await sendRequest(`${this.url}/api/v2/changes?after=latest`, this.agent, { headers, signal });
  }

  async #session(): Promise<void> {
    const body = JSON.stringify({ key: this.key });
    const { headers } = await this.#request(201, '/api/v2/session', { method: 'POST', body }, {});
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const bySession = { cookie, 'x-account-sync-console': '1' };
    await this.#request(200, '/api/v2/session', {}, bySession);
    await this.#request(204, '/api/v2/session', { method: 'DELETE' }, bySession);
    await this.#request(401, '/api/v2/session', {}, bySession);
  }

  async #rejected(): Promise<void> {
    const body = JSON.stringify({ ...this.#record(), licenses: 'ten' });
    await this.#request(400, '/api/v1_1/account', { method: 'POST', body });
    await this.#request(401, '/api/v1_1/account', { method: 'POST', body }, this.#bearer(BAD_KEY));
    await this.#request(200, '/api/v2/rejections?limit=20');
  }

  /** Creates a key only rarely, because keys are kept for ever. */
  async #directory(n: number): Promise<void> {
    const pattern = JSON.stringify({ pattern: 'blocked.example' });
    await this.#request(201, '/api/v2/blocked-ids', { method: 'POST', body: pattern });
    await this.#request(204, '/api/v2/blocked-ids/blocked.example', { method: 'DELETE' });
    const settings = JSON.stringify({ undeclared_fields: 'keep' });
    await this.#request(200, '/api/v2/settings', { method: 'PATCH', body: settings });
    if (n % 20 !== 1) return;
    const scopes = JSON.stringify({ scopes: ['read'] });
    const { body } = await this.#request(201, '/api/v2/keys', { method: 'POST', body: scopes });
    const { id, key } = JSON.parse(body);
    await this.#request(200, '/api/v2/accounts?limit=1', {}, this.#bearer(key));
    await this.#request(204, `/api/v2/keys/${id}`, { method: 'DELETE' });
    await this.#request(401, '/api/v2/accounts?limit=1', {}, this.#bearer(key));
  }

  /** Aborts a request before its body is complete, or before the response. */
  async #abort(n: number): Promise<void> {
    this.requests += 1;
    const headers = { ...this.#bearer(), ...JSON_TYPE };
    const signal = AbortSignal.timeout(n % 2 === 0 ? 1 : 50);
    const body = n % 2 === 0 ? JSON.stringify([this.#record()]) : unfinishedBody();
    await sendRequest(`${this.url}/api/v1_1/accounts`, this.agent, { method: 'POST', headers, body, signal });
  }
}

async function* unfinishedBody(): AsyncGenerator<string> {
  yield '[{"account_id":"half';
  await new Promise(() => {});
}
