import type { FastifyBaseLogger } from 'fastify';
import { LITTLE_SPACE, MIB, NO_SPACE } from '../../store/disk-space.js';
import type { Store } from '../../store/store.js';

const LOOK_MS = 10_000;
/** On a disk that is nearly full small writes succeed between large ones that fail; only such a while without is the end. */
const QUIET_MS = 5_000;

const FULL =
  'Nothing can be stored: the disk of the database is full, or fails. Free some space; the service goes on by itself.';

interface Failure {
  /** When a write failed last. */
  readonly at: number;
  /** Whether one has succeeded since. */
  isMended: boolean;
  /** Whether space was what was missing, so that nothing more has to be waited for once it is there. */
  wasShort: boolean;
}

/** Knows whether the database has room to write, and tells the log when that begins to fail and when it is over. */
export class DiskWatch {
  readonly #store: Store;
  readonly #log: FastifyBaseLogger;
  readonly #timer: NodeJS.Timeout;
  #free: number | undefined;
  #isLittle = false;
  #failure: Failure | undefined;

  constructor(store: Store, log: FastifyBaseLogger) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    store.observe({
      groupCommitted: ({ created, updated, deleted }) => {
        if (this.#failure !== undefined) this.#failure.isMended ||= created + updated + deleted > 0;
      },
      diskFailed: () => this.#fail(),
    });
    this.#look();
  }

  /** What an operator should know, a sentence each. */
  async warnings(): Promise<string[]> {
    await this.#look();
    const free = Math.floor((this.#free ?? 0) / MIB);
    const little = `Only ${free} MiB are free on the disk of the data directory. Free some space: with none left, writes are answered with 500.`;
    return [...(this.#failure === undefined ? [] : [FULL]), ...(this.#isLittle ? [little] : [])];
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #fail(): void {
    const before = this.#failure;
    this.#failure = { at: performance.now(), isMended: false, wasShort: before?.wasShort ?? false };
    if (before !== undefined) return;
    this.#log.error('writes fail: the disk of the database is full, or fails');
    this.#look();
  }

  async #look(): Promise<void> {
    // A directory that cannot be asked is told of by what cannot be read in it.
    this.#free = await this.#store.freeSpace().catch(() => undefined);
    this.#lookAtSpace();
    const failure = this.#failure;
    if (failure === undefined) return;
    const isShort = (this.#free ?? 0) < NO_SPACE;
    failure.wasShort ||= isShort;
    const isOver = failure.isMended || (failure.wasShort && !isShort);
    if (!isOver || performance.now() - failure.at < QUIET_MS) return;
    this.#failure = undefined;
    this.#log.info('writes succeed again');
  }

  #lookAtSpace(): void {
    const free = this.#free ?? Number.POSITIVE_INFINITY;
    // A tenth more than where it begins, or a file that comes and goes would be told of each time.
    const isLittle = free < (this.#isLittle ? 1.1 : 1) * LITTLE_SPACE;
    if (isLittle === this.#isLittle) return;
    this.#isLittle = isLittle;
    const fields = { freeMiB: Math.floor(free / MIB) };
    if (isLittle) this.#log.warn(fields, 'little space is left on the disk of the data directory');
    else this.#log.info(fields, 'there is space again on the disk of the data directory');
  }
}
