import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './caller.js';
import { PersistentLoad, type Sent } from './persistent-load.js';

const IMPORTED = 100;
/** Accounts that all loads write, again and again. */
const LASTING = 10;
const BACK_OFF_MS = 20;

/** A request that changes settings, attributes or keys. */
export interface Configured {
  readonly requestId: string;
  acknowledged: boolean;
}

/** All that callers do at once: accounts, batches, imports, deletions, requests that are refused, changes of the tenant. */
export class MixedLoad {
  readonly configured: Configured[] = [];
  readonly #sent: Sent[] = [];
  readonly #caller: Caller;
  readonly #prefix: string;
  readonly #plain: PersistentLoad;
  readonly #senders: Promise<void>[];
  #stopped = false;

  constructor(caller: Caller, prefix: string) {
    this.#caller = caller;
    this.#prefix = prefix;
    this.#plain = new PersistentLoad(caller, prefix);
    this.#senders = [
      this.#repeat((n) => this.#import(n)),
      this.#repeat((n) => this.#delete(n)),
      this.#repeat((n) => this.#refuse(n)),
      this.#repeat((n) => this.#updateLasting(n)),
      this.#configure().then(() => this.#repeat((n) => this.#reconfigure(n))),
    ];
  }

  get sent(): readonly Sent[] {
    return [...this.#plain.sent, ...this.#sent];
  }

  /** Resolves once every request is answered, or cannot be any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#plain.stop(), ...this.#senders]);
  }

  async #repeat(step: (n: number) => Promise<unknown>): Promise<void> {
    for (let n = 1; !this.#stopped; n += 1) {
      await step(n);
      await pause(BACK_OFF_MS);
    }
  }

  #note(requestId: string, accountIds: readonly string[], isRefused = false): Sent {
    const sent = { requestId, accountIds, acknowledged: false, isRefused };
    this.#sent.push(sent);
    return sent;
  }

  async #upsert(requestId: string, accountIds: readonly string[], licenses: number): Promise<void> {
    const sent = this.#note(requestId, accountIds);
    const records = accountIds.map((account_id) => ({ account_id, licenses }));
    const [first = {}] = records;
    const { success } = await this.#caller.post(records.length === 1 ? first : records, requestId);
    sent.acknowledged = success;
  }

  /** One record in ten is refused; each of the others is stored by itself. */
  async #import(n: number): Promise<void> {
    const requestId = `${this.#prefix}-import-${n}`;
    const records = Array.from({ length: IMPORTED }, (_, i) => ({
      account_id: `${requestId}-${i}`,
      licenses: i % 10 === 9 ? 'many' : i,
    }));
    const sent = records.map(({ account_id, licenses }) =>
      this.#note(requestId, [account_id], typeof licenses === 'string'),
    );
    await this.#caller.import(records, requestId, (index) => {
      (sent[index] as Sent).acknowledged = true;
    });
  }

  /** Every other account is created anew after that. */
  async #delete(n: number): Promise<void> {
    const id = `${this.#prefix}-deleted-${n}`;
    await this.#upsert(`${id}-create`, [id], 1);
    await this.#upsert(`${id}-update`, [id], 2);
    const [, updated] = this.#sent.filter(({ accountIds }) => accountIds[0] === id);
    if (!updated?.acknowledged) return;
    const sent = this.#note(`${id}-delete`, [id]);
    const answer = await this.#caller.send(['DELETE', `/api/v2/accounts/${id}`], sent.requestId, 'success');
    sent.acknowledged = answer !== undefined;
    if (sent.acknowledged && n % 2 === 0) await this.#upsert(`${id}-again`, [id], 3);
  }

  async #refuse(n: number): Promise<void> {
    const requestId = `${this.#prefix}-refused-${n}`;
    const records = [1, 'many', 3].map((licenses, i) => ({ account_id: `${requestId}-${i}`, licenses }));
    const ids = records.map(({ account_id }) => account_id);
    this.#note(requestId, ids, true);
    await this.#caller.send(['POST', '/api/v1_1/accounts', records], requestId, 'refusal');
  }

  async #updateLasting(n: number): Promise<void> {
    const ids = Array.from({ length: LASTING }, (_, i) => `lasting-${i}`);
    await this.#upsert(
      `${this.#prefix}-lasting-${n}`,
      n % 2 === 0 ? ids : [`lasting-${n % LASTING}`],
      Date.now(),
    );
  }

  /** From here on each of its changes is one. */
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
    const change: Configured = { requestId: `${this.#prefix}-${name}`, acknowledged: false };
    this.configured.push(change);
    const answer = await this.#caller.send(request, change.requestId, 'success');
    change.acknowledged = answer !== undefined;
    return answer;
  }
}
