import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnusable } from '../errors.js';

/** Creates a directory if needed, and syncs its parents: a synced file survives only if its path is on disk too. */
export function makeDirectory(path: string): void {
  // Only the owner may read it: accounts are customer data.
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made));
}

/** Syncs the names in a directory. Ignores a directory without read permission, which cannot be synced. */
function syncDirectory(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EISDIR'].includes(code)) throw error;
  }
}

/** Syncs the content of a file, or the names in a directory. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A file that gets its name only once it is complete and on disk. Until then its name ends in `.unfinished`. */
export class UnfinishedFile {
  readonly path: string;
  readonly #file: string;
  readonly #descriptor: number;

  /** Replaces an unfinished file of an earlier attempt. Only the owner may read it: accounts are customer data. */
  constructor(file: string) {
    this.#file = file;
    this.path = `${file}.unfinished`;
    rmSync(this.path, { force: true });
    this.#descriptor = openSync(this.path, 'wx', 0o600);
  }

  finish(): void {
    if (!this.#isOurs()) throw new StoreUnusable(`Another process has started to write ${this.#file}.`);
    fsyncSync(this.#descriptor);
    renameSync(this.path, this.#file);
    syncDirectory(dirname(this.#file));
    closeSync(this.#descriptor);
  }

  discard(): void {
    if (this.#isOurs()) rmSync(this.path);
    closeSync(this.#descriptor);
  }

  #isOurs(): boolean {
    const current: Stats | undefined = statSync(this.path, { throwIfNoEntry: false });
    return current?.ino === fstatSync(this.#descriptor).ino;
  }
}
