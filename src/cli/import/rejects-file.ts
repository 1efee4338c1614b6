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
import type { ImportItem } from './items.js';
import type { ImportFile } from './open-import-file.js';
import type { RejectedRow, RejectedRowFormatter } from './rejected-row-formatter.js';
import { attemptToWriteRejects, RejectsBuffer } from './rejects-buffer.js';
import { markWritten, removeWritten, unusedPath } from './rejects-file-mark.js';

/** Rows are written to disk once this much text is waiting. */
const BUFFER_CHARACTERS = 65_536;

/** The synced part of the file: its length and its hash. */
export interface RejectsCheckpoint {
  /** Not in the progress file of an older version. */
  readonly path?: string;
  readonly bytes: number;
  readonly hash: string;
}

/** A file of rejected rows in the format of the imported file, each with its line, account id and reasons. */
export class RejectsFile {
  readonly path: string;
  readonly #lines: RejectedRowFormatter;
  #file: number | undefined;
  #bytes = 0;
  readonly #hash: Hash = createHash('sha256');
  readonly #buffer = new RejectsBuffer((bytes) => this.#write(bytes));

  /**
   * With the checkpoint of an earlier run, it appends to what that run wrote. Otherwise it replaces the file of an
   * earlier import, unless that was edited: then it takes another name.
   */
  constructor(path: string, lines: RejectedRowFormatter, earlier?: RejectsCheckpoint) {
    this.#lines = lines;
    const isResumed = earlier !== undefined && earlier.bytes > 0;
    this.path = isResumed ? (earlier.path ?? path) : attemptToWriteRejects(() => unusedPath(path));
    if (isResumed) this.#resume(earlier);
    else attemptToWriteRejects(() => this.#prepare());
  }

  /** As of the last flush. */
  get checkpoint(): RejectsCheckpoint {
    return { path: this.path, bytes: this.#bytes, hash: this.#hash.copy().digest('hex') };
  }

  add(item: ImportItem, rejection: RejectedRow): void {
    if (this.#bytes === 0 && this.#buffer.length === 0) this.#buffer.add(this.#lines.head);
    this.#buffer.add(this.#lines.line(item, rejection));
    if (this.#buffer.length > BUFFER_CHARACTERS) this.#buffer.flush();
  }

  flush(): void {
    this.#buffer.flush();
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
    markWritten(this.path, this.checkpoint.hash);
  }

  /**
   * Removes the file of an earlier run, and checks that the file can be written before any record is sent: later,
   * rejected rows would be lost.
   */
  #prepare(): void {
    const stats = lstatSync(this.path, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isFile()) throw new Error(`${this.path} is not a regular file`);
    removeWritten(this.path);
    closeSync(openSync(this.path, 'wx'));
    rmSync(this.path);
  }

  #resume({ bytes, hash }: RejectsCheckpoint): void {
    const all = existsSync(this.path)
      ? attemptToWriteRejects(() => readFileSync(this.path))
      : Buffer.alloc(0);
    const written = all.subarray(0, bytes);
    this.#hash.update(written);
    this.#bytes = written.length;
    if (this.checkpoint.hash !== hash) {
      throw new CommandFailed(
        `${this.path} has changed since the import was interrupted. Import from the beginning, without --resume, to write it again.`,
      );
    }
    attemptToWriteRejects(() => {
      this.#file = openSync(this.path, 'r+');
      // Removes rows after the checkpoint: their records are sent again.
      ftruncateSync(this.#file, bytes);
      // Otherwise the next import would take the shorter file for an edited one.
      markWritten(this.path, hash);
    });
  }
}

/** The path for rejected rows: next to the file; without `--rejects`, none for a pipe or a dry run. */
export function rejectsPath(
  file: string,
  { format, isPipe }: Pick<ImportFile, 'format' | 'isPipe'>,
  { rejects, dryRun }: Pick<ImportOptions, 'rejects' | 'dryRun'>,
): string | undefined {
  if (rejects === undefined && (isPipe || dryRun)) return undefined;
  const stem = file.replace(/\.gz$/i, '').replace(/\.[^./\\]+$/, '');
  const path = rejects ?? `${stem}.rejects.${format === 'csv' ? 'csv' : 'ndjson'}`;
  if (!isSameFile(path, file)) return path;
  throw new CommandFailed(
    `${path} is the imported file. Choose another file for rejected rows with --rejects.`,
  );
}

/** Also detects the same file under another name, through a link. */
function isSameFile(path: string, other: string): boolean {
  const [a, b] = [path, other].map((name) => statSync(name, { bigint: true, throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
