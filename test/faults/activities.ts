import type { Agent } from 'node:http';
import { type Answer, exchange, type Question } from './exchange.js';
import type { Tally } from './tally.js';

/** They are written again and again, so that data do not grow with time. */
const ACCOUNTS = 2_000;
const BATCH_SIZE = 20;
const IMPORT_SIZE = 200;
const SUCCESS = '{"success":true}';
const BAD_KEY = 'acs_AAAAAAAA_00000000000000000000000000000000AAAAAA';
const JSON_TYPE = { 'content-type': 'application/json' };

/** What callers do. Each rejects where it is not answered as it should be. */
export class Activities {
  requests = 0;

  constructor(
    readonly url: string,
    readonly key: string,
    readonly agent: Agent,
    readonly tally: Tally,
  ) {}

  /** Changes of single accounts are the most frequent. */
  get all(): readonly ((n: number) => Promise<void>)[] {
    const writing = [this.#single, this.#single, this.#single, this.#batch, this.#import];
    const reading = [this.#read, this.#pages, this.#stream];
    const others = [this.#session, this.#refused, this.#directory, this.#leave];
    return [...writing, ...reading, ...others].map((activity) => activity.bind(this));
  }

  #bearer(key = this.key): Record<string, string> {
    return { authorization: `Bearer ${key}` };
  }

  /** Whatever is not answered with this status is noted. */
  async #ask(status: number, path: string, question: Question = {}, by = this.#bearer()): Promise<Answer> {
    this.requests += 1;
    const headers = { ...by, ...JSON_TYPE, ...question.headers };
    const { answer, failure } = await exchange(this.url + path, this.agent, { ...question, headers });
    if (answer?.status !== status) {
      throw new Error(
        `${question.method ?? 'GET'} ${path}: ${failure ?? `${answer?.status} ${answer?.body}`}`,
      );
    }
    return answer;
  }

  #record() {
    const account_id = `account-${Math.floor(ACCOUNTS * Math.random())}`;
    const licenses = Math.floor(1_000_000 * Math.random());
    return { account_id, licenses, name: `Account ${licenses}` };
  }

  async #post(path: string, body: object): Promise<void> {
    const answer = await this.#ask(200, path, { method: 'POST', body: JSON.stringify(body) });
    if (answer.body !== SUCCESS) throw new Error(answer.body);
    this.tally.acknowledged += 1;
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
    const answer = await this.#ask(200, '/api/v2/accounts/import', { method: 'POST', headers, body });
    if (!answer.body.includes(`"records":${count},`) || !answer.body.includes('"is_complete":true')) {
      throw new Error(answer.body.slice(-300));
    }
  }

  async #read(): Promise<void> {
    const { account_id } = this.#record();
    await this.#post('/api/v1_1/account', { account_id, custom_Read: Math.random() });
    await this.#ask(200, `/api/v2/accounts/${account_id}`);
    await this.#ask(200, `/api/v2/accounts/${account_id}/history?limit=20`);
    await this.#ask(404, '/api/v2/accounts/nobody');
  }

  async #pages(n: number): Promise<void> {
    const sort = ['id', '-name', '-updated'][n % 3];
    let cursor = '';
    for (let page = 1; page <= 3; page += 1) {
      const { body } = await this.#ask(200, `/api/v2/accounts?limit=50&sort=${sort}${cursor}`);
      const { next } = JSON.parse(body);
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    await this.#ask(200, '/api/v2/stats?unit=minute');
    await this.#ask(200, '/api/v2/changes?last=50');
    await this.#ask(200, '/metrics');
  }

  /** Opened, listened to for a while, and left. */
  async #stream(): Promise<void> {
    this.requests += 1;
    const headers = { ...this.#bearer(), accept: 'text/event-stream' };
    const signal = AbortSignal.timeout(200 + Math.floor(800 * Math.random()));
    await exchange(`${this.url}/api/v2/changes?after=latest`, this.agent, { headers, signal });
  }

  async #session(): Promise<void> {
    const body = JSON.stringify({ key: this.key });
    const { headers } = await this.#ask(201, '/api/v2/session', { method: 'POST', body }, {});
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const bySession = { cookie, 'x-account-sync-console': '1' };
    await this.#ask(200, '/api/v2/session', {}, bySession);
    await this.#ask(204, '/api/v2/session', { method: 'DELETE' }, bySession);
    await this.#ask(401, '/api/v2/session', {}, bySession);
  }

  async #refused(): Promise<void> {
    const body = JSON.stringify({ ...this.#record(), licenses: 'ten' });
    await this.#ask(400, '/api/v1_1/account', { method: 'POST', body });
    await this.#ask(401, '/api/v1_1/account', { method: 'POST', body }, this.#bearer(BAD_KEY));
    await this.#ask(200, '/api/v2/rejections?limit=20');
  }

  /** Seldom a key, since keys are kept for ever. */
  async #directory(n: number): Promise<void> {
    const pattern = JSON.stringify({ pattern: 'blocked.example' });
    await this.#ask(201, '/api/v2/blocked-ids', { method: 'POST', body: pattern });
    await this.#ask(204, '/api/v2/blocked-ids/blocked.example', { method: 'DELETE' });
    const settings = JSON.stringify({ undeclared_fields: 'keep' });
    await this.#ask(200, '/api/v2/settings', { method: 'PATCH', body: settings });
    if (n % 20 !== 1) return;
    const scopes = JSON.stringify({ scopes: ['read'] });
    const { body } = await this.#ask(201, '/api/v2/keys', { method: 'POST', body: scopes });
    const { id, key } = JSON.parse(body);
    await this.#ask(200, '/api/v2/accounts?limit=1', {}, this.#bearer(key));
    await this.#ask(204, `/api/v2/keys/${id}`, { method: 'DELETE' });
    await this.#ask(401, '/api/v2/accounts?limit=1', {}, this.#bearer(key));
  }

  /** In the middle of a request, and before its answer. */
  async #leave(n: number): Promise<void> {
    this.requests += 1;
    const headers = { ...this.#bearer(), ...JSON_TYPE };
    const signal = AbortSignal.timeout(n % 2 === 0 ? 1 : 50);
    const body = n % 2 === 0 ? JSON.stringify([this.#record()]) : half();
    await exchange(`${this.url}/api/v1_1/accounts`, this.agent, { method: 'POST', headers, body, signal });
  }
}

async function* half(): AsyncGenerator<string> {
  yield '[{"account_id":"half';
  await new Promise(() => {});
}
