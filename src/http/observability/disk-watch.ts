import type { FastifyBaseLogger } from 'fastify';
import { LITTLE_SPACE, MIB, NO_SPACE } from '../../store/disk-space.js';
import { hasChanges } from '../../store/requests.js';
import type { Store } from '../../store/store.js';

const CHECK_MS = 10_000;
/** On a nearly full disk, small writes succeed between large ones that fail, so recovery needs this quiet time. */
const QUIET_MS = 5_000;

const FULL =
  'Writes fail: the disk of the database is full, or fails. Free some space; the service recovers without a restart.';

interface Failure {
  /** When the last write failed. */
  readonly at: number;
  /** Whether a write has succeeded since. */
  hasRecovered: boolean;
  /** Whether the disk was out of space; then free space alone ends the failure, without waiting for a write. */
  wasOutOfSpace: boolean;
}

/**
 * Watches whether the database can write. A full disk fails every request, so the requests do not log it; this class
 * reports the beginning and the end of a failure once each, and warns while space is low.
 *
 *   ok ──a write fails──▶ failing ──a write succeeds, or space is free again; and no failure for 5 s──▶ ok
 *        (log: error)                                                                          (log: info)
 *
 * Low space has hysteresis: the warning starts below `LITTLE_SPACE` and ends 10 % above it.
 */
export class DiskWatch {
  readonly #store: Store;
  readonly #log: FastifyBaseLogger;
  readonly #timer: NodeJS.Timeout;
  #free: number | undefined;
  #isLow = false;
  #failure: Failure | undefined;

  constructor(store: Store, log: FastifyBaseLogger) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => this.#check(), CHECK_MS).unref();
    store.observe({
      groupCommitted: (counts) => {
        if (this.#failure !== undefined) this.#failure.hasRecovered ||= hasChanges(counts);
      },
      diskFailed: () => this.#fail(),
    });
    this.#check();
  }

  /** Warnings for the operator, one sentence each. */
  async warnings(): Promise<string[]> {
    await this.#check();
    const free = Math.floor((this.#free ?? 0) / MIB);
    const low = `Only ${free} MiB are free on the disk of the data directory. Free some space: when none is left, writes fail with 500.`;
    return [...(this.#failure === undefined ? [] : [FULL]), ...(this.#isLow ? [low] : [])];
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #fail(): void {
    const before = this.#failure;
    this.#failure = {
      at: performance.now(),
      hasRecovered: false,
      wasOutOfSpace: before?.wasOutOfSpace ?? false,
    };
    if (before !== undefined) return;
    this.#log.error('writes fail: the disk of the database is full, or fails');
    this.#check();
  }

  async #check(): Promise<void> {
    // A directory that cannot be read is reported by the operations that need it.
    this.#free = await this.#store.freeSpace().catch(() => undefined);
    this.#checkSpace();
    const failure = this.#failure;
    if (failure === undefined) return;
    const isOutOfSpace = (this.#free ?? 0) < NO_SPACE;
    failure.wasOutOfSpace ||= isOutOfSpace;
    const isOver = failure.hasRecovered || (failure.wasOutOfSpace && !isOutOfSpace);
    if (!isOver || performance.now() - failure.at < QUIET_MS) return;
    this.#failure = undefined;
    this.#log.info('writes succeed again');
  }

  #checkSpace(): void {
    const free = this.#free ?? Number.POSITIVE_INFINITY;
    // Without the extra tenth, temporary files would make the warning start and end repeatedly.
    const isLow = free < (this.#isLow ? 1.1 : 1) * LITTLE_SPACE;
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    const fields = { freeMiB: Math.floor(free / MIB) };
    if (isLow) this.#log.warn(fields, 'little space is left on the disk of the data directory');
    else this.#log.info(fields, 'there is space again on the disk of the data directory');
  }
}
