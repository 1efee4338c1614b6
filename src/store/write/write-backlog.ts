import { QueueFull } from '../errors.js';
import type { UpsertRequest } from '../requests.js';

export interface QueueLimits {
  readonly records: number;
  readonly bytes: number;
}

/** About a second of work, and as much memory as a small machine can spare. */
export const DEFAULT_QUEUE_LIMITS: QueueLimits = { records: 50_000, bytes: 64 * 1024 * 1024 };

/** A larger group would save little and make the first of it wait for the last. */
export const MAX_GROUP_RECORDS = 2_000;

/** What has been taken on, and no more than may be. */
export class WriteBacklog {
  readonly #limits: QueueLimits;
  #requests = 0;
  #records = 0;
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get records(): number {
    return this.#records;
  }

  /** Throws where it does not fit. An empty backlog takes any request, so that none is too large for ever. */
  add({ patches, bytes }: UpsertRequest): void {
    const isOver =
      this.#records + patches.length > this.#limits.records || this.#bytes + bytes > this.#limits.bytes;
    if (this.#requests > 0 && isOver) throw new QueueFull();
    this.#requests += 1;
    this.#records += patches.length;
    this.#bytes += bytes;
  }

  remove({ patches, bytes }: UpsertRequest): void {
    this.#requests -= 1;
    this.#records -= patches.length;
    this.#bytes -= bytes;
  }
}
