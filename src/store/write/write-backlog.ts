import { QueueFull } from '../errors.js';

export interface QueueLimits {
  readonly records: number;
  readonly bytes: number;
}

/** About a second of work, and as much memory as a small machine can spare. */
export const DEFAULT_QUEUE_LIMITS: QueueLimits = { records: 50_000, bytes: 64 * 1024 * 1024 };

/**
 * A larger group saves little, and its first request would wait for its last. On PostgreSQL groups of 2,000 made batches
 * slower by a tenth: while one is written, the next should be prepared.
 */
export const MAX_GROUP_RECORDS = 800;

/** A low guess: the records of a body are counted only in the thread that parses it. */
const BYTES_PER_RECORD = 100;

/** How many records a body may have, for the backlog. */
export function estimateRecords(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_RECORD);
}

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
   * forever. `share` is the part of the backlog that requests of its kind may fill.
   */
  add({ records, bytes }: QueueLimits, share = 1): void {
    const isOver =
      this.#records + records > share * this.#limits.records ||
      this.#bytes + bytes > share * this.#limits.bytes;
    if (this.#requests > 0 && isOver) throw new QueueFull();
    this.#requests += 1;
    this.#records += records;
    this.#bytes += bytes;
  }

  remove({ records, bytes }: QueueLimits): void {
    this.#requests -= 1;
    this.#records -= records;
    this.#bytes -= bytes;
  }
}
