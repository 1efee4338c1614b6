import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './caller.js';
import { ContinuousLoad, type SentRequest } from './continuous-load.js';

const IMPORTED = 100;
/** Number of accounts that all loads write repeatedly. */
const SHARED_ACCOUNTS = 10;
const PAUSE_MS = 20;

/** A request that changes settings, attributes or keys. */
export interface ConfigurationRequest {
  readonly requestId: string;
  acknowledged: boolean;
}

/** All kinds of writes in parallel: accounts, batches, imports, deletions, rejected requests, configuration changes. */
export class MixedLoad {
  readonly configured: ConfigurationRequest[] = [];
  readonly #sent: SentRequest[] = [];
  readonly #caller: Caller;
  readonly #prefix: string;
  readonly #plain: ContinuousLoad;
  readonly #senders: Promise<void>[];
  #stopped = false;

  constructor(caller: Caller, prefix: string) {
    this.#caller = caller;
    this.#prefix = prefix;
    this.#plain = new ContinuousLoad(caller, prefix);
    this.#senders = [
      this.#repeat((n) => this.#import(n)),
      this.#repeat((n) => this.#delete(n)),
      this.#repeat((n) => this.#sendRejected(n)),
      this.#repeat((n) => this.#updateShared(n)),
      this.#configure().then(() => this.#repeat((n) => this.#reconfigure(n))),
    ];
  }

  get sent(): readonly SentRequest[] {
    return [...this.#plain.sent, ...this.#sent];
  }

  /** Resolves when every request has its response, or has failed. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#plain.stop(), ...this.#senders]);
  }

  async #repeat(step: (n: number) => Promise<unknown>): Promise<void> {
    for (let n = 1; !this.#stopped; n += 1) {
      await step(n);
      await pause(PAUSE_MS);
    }
  }

  #record(requestId: string, accountIds: readonly string[], isRejected = false): SentRequest {
    const sent = { requestId, accountIds, acknowledged: false, isRejected };
    this.#sent.push(sent);
    return sent;
  }

  async #upsert(requestId: string, accountIds: readonly string[], licenses: number): Promise<void> {
    const sent = this.#record(requestId, accountIds);
    const records = accountIds.map((account_id) => ({ account_id, licenses }));
    const [first = {}] = records;
    const { success } = await this.#caller.post(records.length === 1 ? first : records, requestId);
    sent.acknowledged = success;
  }

  /** One record in ten is rejected; the others are stored independently. */
  async #import(n: number): Promise<void> {
    const requestId = `${this.#prefix}-import-${n}`;
    const records = Array.from({ length: IMPORTED }, (_, i) => ({
      account_id: `${requestId}-${i}`,
      licenses: i % 10 === 9 ? 'many' : i,
    }));
    const sent = records.map(({ account_id, licenses }) =>
      this.#record(requestId, [account_id], typeof licenses === 'string'),
    );
    await this.#caller.import(records, requestId, (index) => {
      (sent[index] as SentRequest).acknowledged = true;
    });
  }

  /** Deletes an account; every second one is created again. */
  async #delete(n: number): Promise<void> {
    const id = `${this.#prefix}-deleted-${n}`;
    await this.#upsert(`${id}-create`, [id], 1);
    await this.#upsert(`${id}-update`, [id], 2);
    const [, updated] = this.#sent.filter(({ accountIds }) => accountIds[0] === id);
    if (!updated?.acknowledged) return;
    const sent = this.#record(`${id}-delete`, [id]);
    const response = await this.#caller.send(['DELETE', `/api/v2/accounts/${id}`], sent.requestId, 'success');
    sent.acknowledged = response !== undefined;
    if (sent.acknowledged && n % 2 === 0) await this.#upsert(`${id}-again`, [id], 3);
  }

  async #sendRejected(n: number): Promise<void> {
    const requestId = `${this.#prefix}-rejected-${n}`;
    const records = [1, 'many', 3].map((licenses, i) => ({ account_id: `${requestId}-${i}`, licenses }));
    const ids = records.map(({ account_id }) => account_id);
    this.#record(requestId, ids, true);
    await this.#caller.send(['POST', '/api/v1_1/accounts', records], requestId, 'rejection');
  }

  async #updateShared(n: number): Promise<void> {
    const ids = Array.from({ length: SHARED_ACCOUNTS }, (_, i) => `shared-${i}`);
    await this.#upsert(
      `${this.#prefix}-shared-${n}`,
      n % 2 === 0 ? ids : [`shared-${n % SHARED_ACCOUNTS}`],
      Date.now(),
    );
  }

  /** Sets a known state, so that every later request really changes something. */
  #configure(): Promise<unknown> {
    return this.#caller.send(
      ['PATCH', '/api/v2/settings', { undeclared_fields: 'keep' }],
      this.#prefix,
      'success',
    );
  }

  async #reconfigure(n: number): Promise<void> {
    const undeclared_fields = n % 2 === 1 ? 'reject' : 'keep';
    await this.#change(`settings-${n}`, ['PATCH', '/api/v2/settings', { undeclared_fields }]);
    const attribute = { type: 'choice', choices: [`${this.#prefix}-${n}`] };
    await this.#change(`attribute-${n}`, ['PUT', '/api/v2/attributes/custom_Changing', attribute]);
    const key = { scopes: ['read'], label: this.#prefix };
    const made = await this.#change(`key-${n}`, ['POST', '/api/v2/keys', key]);
    if (made !== undefined) await this.#change(`revoke-${n}`, ['DELETE', `/api/v2/keys/${made.id}`]);
  }

  async #change(
    name: string,
    request: readonly [string, string, object?],
  ): Promise<Record<string, unknown> | undefined> {
    const change: ConfigurationRequest = { requestId: `${this.#prefix}-${name}`, acknowledged: false };
    this.configured.push(change);
    const response = await this.#caller.send(request, change.requestId, 'success');
    change.acknowledged = response !== undefined;
    return response;
  }
}
