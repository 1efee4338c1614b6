import { expect, it, onTestFinished } from 'vitest';
import { type Described, OpenapiDocument } from '../http/openapi-document.js';
import { AttackedService } from './attacked-service.js';
import { RandomJson } from './random-json.js';
import { SeededRandom } from './seeded-random.js';
import { Trial } from './trial.js';

const ROUND_MS = 1_000;
const FIELDS = [
  'parent_account_id',
  'name',
  'licenses',
  'custom_Extra',
  'custom_Extra',
  'revision',
  '7',
  'x',
];
const LEAKS = /undefined|\[object |\n {4}at |node:internal/;

interface Reply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends random bodies to every operation with a body, and compares the responses with the OpenAPI document. */
class BodyFuzzer {
  requests = 0;
  stored = 0;
  readonly #json: RandomJson;
  readonly #operations: readonly Described[];

  constructor(
    readonly url: string,
    /** The key of a tenant that only the fuzzer uses. */
    readonly key: string,
    readonly document: OpenapiDocument,
    readonly random: SeededRandom,
  ) {
    this.#json = new RandomJson(random);
    this.#operations = document.operations.filter(({ operation }) => operation.requestBody !== undefined);
  }

  async round(): Promise<void> {
    const until = performance.now() + ROUND_MS;
    do await this.#one(this.random.pick(this.#operations));
    while (performance.now() < until);
  }

  async #one(described: Described): Promise<void> {
    const body = this.#json.corrupt(this.#bodyFor(described));
    const type = this.random.pick(Object.keys(described.operation.requestBody?.content ?? {}));
    const about = `seed ${this.random.seed}, ${described.name}, ${body.slice(0, 2_000)}`;
    const before = await this.#state();
    const reply = await this.#send(described.method, pathOf(described, this.random), body, type);
    this.requests += 1;
    expect(reply.statusCode, about).toBeLessThan(500);
    expect(reply.body.replaceAll(/\\u|"(?:[^"\\]|\\.)*"/g, ''), about).not.toMatch(LEAKS);
    this.document.expectDescribed(described, reply);
    const after = await this.#state();
    if (reply.statusCode >= 400) expect(after, about).toEqual(before);
    if (described.name === 'upsert-account') await this.#checkSingle(reply, body, about);
    if (described.name === 'upsert-batch') this.#checkBatch(reply, body, about);
    if (described.name === 'import-accounts') this.#checkImport(reply, about);
  }

  #bodyFor(described: Described): string {
    const { name } = described;
    if (this.random.isChance(0.1)) return this.#json.value();
    if (name === 'upsert-account') return this.#record();
    if (name === 'upsert-batch') return `[${this.random.times(5, () => this.#record()).join()}]`;
    if (name === 'import-accounts') {
      const records = this.random.times(5, () => this.#record());
      return this.random.isChance(0.5) ? records.join('\n') : `[${records.join()}]`;
    }
    const members = this.document
      .bodyFields(described)
      .filter(() => this.random.isChance(0.8))
      .map(
        ([key, values]) =>
          [key, this.random.isChance(0.5) ? this.random.pick(values) : this.#json.value()] as const,
      );
    return this.#json.object(this.random.isChance(0.1) ? [...members, ['other', '1']] : members);
  }

  #record(): string {
    const id = this.random.isChance(0.8) ? `"F${this.random.below(50)}"` : this.#json.value();
    const others = this.random.times(4, () => [this.random.pick(FIELDS), this.#json.value()] as const);
    return this.#json.object([['account_id', id], ...others]);
  }

  /** Checks that the values of the record are stored, except where a type converts them. */
  async #checkSingle({ statusCode }: Reply, body: string, about: string): Promise<void> {
    if (statusCode !== 200) return;
    this.stored += 1;
    const { account_id, parent_account_id, name, licenses, ...sent } = JSON.parse(
      body.replace(/^\uFEFF/, ''),
    );
    const found = await this.#send(
      'GET',
      `/api/v2/accounts/${encodeURIComponent(String(account_id).trim())}`,
    );
    expect(found.statusCode, about).toBe(200);
    const account = JSON.parse(found.body);
    if (name !== undefined) expect(account.name, about).toBe(name);
    if (typeof licenses === 'number') expect(account.fields.licenses, about).toBe(licenses + 0);
    if (licenses === null) expect(account.fields, about).not.toHaveProperty('licenses');
    if (parent_account_id === null) expect(account.parent_account_id, about).toBeNull();
    for (const [field, value] of Object.entries(sent)) {
      expect(JSON.stringify(account.fields[field]), about).toBe(
        value === null ? undefined : JSON.stringify(value),
      );
    }
  }

  /** Checks that the response has an entry for each record, or one message for all. */
  #checkBatch({ statusCode, body }: Reply, sent: string, about: string): void {
    if (statusCode !== 400) return;
    const { errors, errors_by_attributes: byAttributes } = JSON.parse(body);
    if (byAttributes.length === 0) {
      expect(errors, about).toEqual([expect.any(String)]);
      return;
    }
    const records = JSON.parse(sent.replace(/^\uFEFF/, ''));
    expect([errors.length, byAttributes.length], about).toEqual([records.length, records.length]);
    const flat = byAttributes.map((one: Record<string, string[]>) => Object.values(one).flat().sort());
    expect(
      errors.map((one: string[]) => [...one].sort()),
      about,
    ).toEqual(flat);
  }

  #checkImport({ statusCode, body }: Reply, about: string): void {
    if (statusCode !== 200) return;
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { summary } = lines.pop();
    expect(
      lines.map(({ index }) => index),
      about,
    ).toEqual([...lines.keys()]);
    expect(summary.records, about).toBe(lines.length);
    for (const status of ['created', 'updated', 'unchanged', 'failed']) {
      expect(lines.filter((line) => line.status === status).length, about).toBe(summary[status]);
    }
  }

  /** The last change and the last audit entry of the tenant. */
  async #state(): Promise<unknown[]> {
    const paths = ['/api/v2/changes?last=1', '/api/v2/audit?limit=1'];
    return Promise.all(paths.map(async (path) => JSON.parse((await this.#send('GET', path)).body).data));
  }

  async #send(method: string, path: string, body?: string, type = 'application/json'): Promise<Reply> {
    const headers = {
      authorization: `Bearer ${this.key}`,
      ...(body !== undefined && { 'content-type': type }),
    };
    // Bytes, because fetch would change a string that is not valid Unicode.
    const response = await fetch(this.url + path, {
      method,
      headers,
      body: body === undefined ? null : Buffer.from(body),
    });
    return {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
  }
}

/** The path with random parameters, few of which exist. */
function pathOf({ path }: Described, random: SeededRandom): string {
  return path.replaceAll(/{.*?}/g, () =>
    encodeURIComponent(random.pick(['custom_Fuzz', 'x', 'licenses', '\ud83d\ude00', ' '])),
  );
}

/** Some bodies create webhooks. The first one starts a thread, whose connections to the database stay open. */
async function startDeliveries(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const { id } = (await post('/api/v2/webhooks', { url: 'https://receiver.invalid/' })) as { id: string };
  await post('/api/v1_1/account', { account_id: 'first' });
  const failures = async () => {
    const response = await fetch(`${url}/api/v2/webhooks/${id}`, { headers });
    return ((await response.json()) as { failures: number }).failures;
  };
  await expect.poll(failures, { timeout: 60_000 }).toBeGreaterThan(0);
}

it('responds to every body as documented, and stores all of it or nothing', async () => {
  const trial = new Trial('Fuzzing: bodies', { short: 10, long: 600 });
  const random = new SeededRandom(trial);
  const service = await AttackedService.start();
  onTestFinished(() => service.end());
  const key = await service.createTenant('fuzz');
  await startDeliveries(service.url, key);
  const fuzzer = new BodyFuzzer(service.url, key, await OpenapiDocument.at(service.url), random);
  await trial.run(() => service.expectUnaffected(trial, () => fuzzer.round()));
  trial.figures.requests = fuzzer.requests;
  trial.figures['read back'] = fuzzer.stored;
}, 7_200_000);
