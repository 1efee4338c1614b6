import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './caller.js';

export const SENDERS = 16;
const BATCH_SIZE = 20;
/** So many requests go to the same accounts before others are created. */
const REVISIONS = 10;
const BACK_OFF_MS = 20;

export interface Sent {
  readonly requestId: string;
  readonly accountIds: readonly string[];
  acknowledged: boolean;
  /** Nothing of it may be stored. */
  readonly isRefused?: boolean;
}

/** Single accounts and batches sent without pause; goes on after failures, as a caller does that repeats. */
export class PersistentLoad {
  readonly sent: Sent[] = [];
  readonly caller: Caller;
  readonly #prefix: string;
  readonly #senders: Promise<void>[];
  #stopped = false;

  /** The prefix keeps the accounts of one load apart from those of another. */
  constructor(caller: Caller, prefix: string) {
    this.caller = caller;
    this.#prefix = prefix;
    this.#senders = Array.from({ length: SENDERS }, (_, i) => this.#send(i));
  }

  /** Resolves once every request is answered. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#senders);
  }

  async #send(sender: number): Promise<void> {
    const size = sender % 4 === 0 ? BATCH_SIZE : 1;
    for (let n = 1; !this.#stopped; n += 1) {
      const generation = Math.ceil(n / REVISIONS);
      const accountIds = Array.from(
        { length: size },
        (_, i) => `${this.#prefix}-${sender}-${generation}-${i}`,
      );
      const records = accountIds.map((account_id) => ({ account_id, licenses: n }));
      const sent = { requestId: `${this.#prefix}-${sender}-${n}`, accountIds, acknowledged: false };
      this.sent.push(sent);
      const { success } = await this.caller.post(size === 1 ? (records[0] ?? {}) : records, sent.requestId);
      sent.acknowledged = success;
      if (!success) await pause(BACK_OFF_MS);
    }
  }
}
