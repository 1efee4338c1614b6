import { QueueFull } from '../errors.js';
import type { UpsertRequest } from '../requests.js';

export interface QueueLimits {
  readonly records: number;
  readonly bytes: number;
}

/** About a second of work, and as much memory as a small machine can spare. */
export const DEFAULT_QUEUE_LIMITS: QueueLimits = { records: 50_000, bytes: 64 * 1024 * 1024 };

/** A larger group saves little, and its first request would wait for its last. */
export const MAX_GROUP_RECORDS = 2_000;

/** Limits the requests that wait to be written, in records and bytes. Further requests fail with `QueueFull`. */
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

  /**
   * Throws `QueueFull` if the request does not fit. An empty backlog accepts any request, so none is too large
   * forever.
   */
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
