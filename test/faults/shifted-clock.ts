import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../support/service.js';

/** A module that the program, its threads and workers load first. It reads the offset from the file every 5 ms. */
const preload = (file: string) => `
  import { readFileSync } from 'node:fs';
  const RealDate = Date;
  let offset = 0;
  let readAt = -Infinity;
  const now = () => {
    if (performance.now() - readAt > 5) {
      offset = Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
      readAt = performance.now();
    }
    return RealDate.now() + offset;
  };
  globalThis.Date = class Date extends RealDate {
    constructor(...args) {
      if (args.length === 0) super(now());
      else super(...args);
    }
    static now = now;
  };`;

/** Sets the wall clock of a running server. Its monotonic clock is not affected. */
export class ShiftedClock {
  readonly #directory: string;
  readonly #file: string;
  #offset = 0;

  private constructor(directory: string) {
    this.#directory = directory;
    this.#file = join(directory, 'offset');
    this.shift(0);
  }

  static async create(): Promise<ShiftedClock> {
    return new ShiftedClock(await mkdtemp(join(tmpdir(), 'account-sync-clock-')));
  }

  /** The settings of a server that uses this clock. */
  get settings(): Settings {
    const module = `data:text/javascript,${encodeURIComponent(preload(this.#file))}`;
    return { NODE_OPTIONS: `--import ${module}` };
  }

  now(): number {
    return Date.now() + this.#offset;
  }

  shift(ms: number): void {
    this.#offset += ms;
    writeFileSync(this.#file, String(this.#offset));
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true });
  }
}
