import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './caller.js';

export const SENDERS = 16;
const BATCH_SIZE = 20;
/** Number of requests to the same accounts before new accounts are created. */
const REVISIONS = 10;
const PAUSE_AFTER_FAILURE_MS = 20;

export interface SentRequest {
  readonly requestId: string;
  readonly accountIds: readonly string[];
  acknowledged: boolean;
  /** If true, no part of the request may be stored. */
  readonly isRejected?: boolean;
}

/** Sends single accounts and batches without pause, and continues after failures. */
export class ContinuousLoad {
  readonly sent: SentRequest[] = [];
  readonly caller: Caller;
  readonly #prefix: string;
  readonly #senders: Promise<void>[];
  #stopped = false;

  /** `prefix` distinguishes the accounts of different loads. */
  constructor(caller: Caller, prefix: string, senders = SENDERS) {
    this.caller = caller;
    this.#prefix = prefix;
    this.#senders = Array.from({ length: senders }, (_, i) => this.#send(i));
  }

  /** Resolves when every request has its response. */
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
      if (!success) await pause(PAUSE_AFTER_FAILURE_MS);
    }
  }
}
