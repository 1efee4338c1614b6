import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { CommandFailed } from '../terminal/command-line.js';
import type { ImportOptions } from './import-options.js';
import type { Item } from './items.js';
import type { Source } from './open-import-file.js';
import type { RejectedRow, RejectionLines } from './rejected-rows.js';

/** Beyond this much, what has gathered is written. */
const ENOUGH_CHARACTERS = 65_536;

/** How much of the file is safely there, and what it was. */
export interface RejectsNote {
  readonly bytes: number;
  readonly hash: string;
}

/** The refused rows in the form in which they came, each with its line, its id and the reasons. */
export class RejectsFile {
  readonly path: string;
  readonly #lines: RejectionLines;
  #file: number | undefined;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');
  #waiting = '';
  #failure: unknown;

  /** With the note of an earlier run, it goes on behind what that wrote. */
  constructor(path: string, lines: RejectionLines, earlier?: RejectsNote) {
    this.path = path;
    this.#lines = lines;
    if (earlier !== undefined && earlier.bytes > 0) this.#goOn(earlier);
    else attempt(() => this.#makeRoom());
  }

  /** As of the last flush. */
  get note(): RejectsNote {
    return { bytes: this.#bytes, hash: this.#hash.copy().digest('hex') };
  }

  add(item: Item, refusal: RejectedRow): void {
    if (this.#bytes === 0 && this.#waiting === '') this.#waiting = this.#lines.head;
    this.#waiting += this.#lines.line(item, refusal);
    if (this.#waiting.length > ENOUGH_CHARACTERS) this.flush();
  }

  /** Having failed once it fails for ever: what was refused then is lost, so nothing later may count as done. */
  flush(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#waiting === '') return;
    try {
      attempt(() => this.#write(Buffer.from(this.#waiting)));
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    this.#waiting = '';
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #write(bytes: Buffer): void {
    this.#file ??= openSync(this.path, 'wx');
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#bytes + written);
    }
    fsyncSync(this.#file);
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
  }

  /**
   * What an earlier run refused is not what this one refuses. Whether it can be written is asked before anything is
   * sent: later, the refused rows would be lost.
   */
  #makeRoom(): void {
    const stats = lstatSync(this.path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw new Error(`${this.path} is no file`);
    rmSync(this.path, { force: true });
    closeSync(openSync(this.path, 'wx'));
    rmSync(this.path);
  }

  #goOn({ bytes, hash }: RejectsNote): void {
    const all = existsSync(this.path) ? attempt(() => readFileSync(this.path)) : Buffer.alloc(0);
    const written = all.subarray(0, bytes);
    this.#hash.update(written);
    this.#bytes = written.length;
    if (this.note.hash !== hash) {
      throw new CommandFailed(
        `${this.path} is not what it was when the import was broken off. Import from the beginning, without --resume; that writes it anew.`,
      );
    }
    attempt(() => {
      this.#file = openSync(this.path, 'r+');
      // Behind what was noted may be rows that will be refused again, or will not.
      ftruncateSync(this.#file, bytes);
    });
  }
}

function attempt<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    throw new CommandFailed(`The refused rows cannot be written: ${message}. Give --rejects <file>.`);
  }
}

/** Where refused rows go: beside the file, unless it is a pipe, or only a rehearsal. */
export function rejectsPath(
  file: string,
  { format, size }: Pick<Source, 'format' | 'size'>,
  { rejects, dryRun }: Pick<ImportOptions, 'rejects' | 'dryRun'>,
): string | undefined {
  if (rejects === undefined && (file === '-' || size === undefined || dryRun)) return undefined;
  const stem = file.replace(/\.gz$/i, '').replace(/\.[^./\\]+$/, '');
  const path = rejects ?? `${stem}.rejects.${format === 'csv' ? 'csv' : 'ndjson'}`;
  if (!isSameFile(path, file)) return path;
  throw new CommandFailed(
    `${path} is the file that is imported: give another for refused rows with --rejects.`,
  );
}

/** Also by another name, through a link. */
function isSameFile(path: string, other: string): boolean {
  const [a, b] = [path, other].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
