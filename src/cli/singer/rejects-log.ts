import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { ImportItem } from '../import/items.js';
import { type RejectedRow, RejectedRowFormatter } from '../import/rejected-row-formatter.js';
import { attemptToWriteRejects, RejectsBuffer } from '../import/rejects-buffer.js';

const FORMAT = { format: 'ndjson', delimiter: ',', lineEnd: '\n', hasMark: false } as const;

/**
 * The rejected records of all runs of a tap, as NDJSON that `account-sync import` reads. Lines are only appended: a tap
 * is started again from a state behind the rejected records, so they do not come again.
 */
export class RejectsLog {
  readonly path: string;
  readonly #lines = new RejectedRowFormatter(FORMAT, []);
  #file: number | undefined;
  readonly #buffer = new RejectsBuffer((bytes) => this.#write(bytes));

  /** Checks that the file can be written before any record is sent: later, rejected records would be lost. */
  constructor(path: string) {
    this.path = path;
    attemptToWriteRejects(() => this.#prepare());
  }

  add(item: ImportItem, rejection: RejectedRow): void {
    this.#buffer.add(this.#lines.line(item, rejection));
  }

  /** Fails if rejected records cannot be kept; then no later state may be written. */
  flush(): void {
    this.#buffer.flush();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(bytes: Buffer): void {
    this.#file ??= openSync(this.path, 'a');
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    fsyncSync(this.#file);
  }

  #prepare(): void {
    const stats = lstatSync(this.path, { throwIfNoEntry: false });
    if (stats === undefined) {
      accessSync(dirname(this.path), constants.W_OK);
      return;
    }
    if (!stats.isFile()) throw new Error(`${this.path} is not a regular file`);
    this.#file = openSync(this.path, 'a+');
    const last = Buffer.alloc(1);
    readSync(this.#file, last, 0, 1, Math.max(0, stats.size - 1));
    // A crash may have left half a line.
    if (stats.size > 0 && last.toString() !== '\n') writeSync(this.#file, '\n');
  }
}
