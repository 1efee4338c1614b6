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

/** Made where it is missing. What is synced inside lasts only once the names on the way to it do, so these come first. */
export function makeDirectory(path: string): void {
  // Only its owner may look inside: the accounts are other people's.
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made));
}

/** The names in a directory, as far as it may be read: what may only be written cannot be synced. */
export function syncDirectory(path: string): void {
  try {
    syncPath(path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EISDIR'].includes(code)) throw error;
  }
}

/** A file's content, or the names in a directory. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A file that gets its name only once it is complete and on disk; until then it is called `.unfinished`. */
export class UnfinishedFile {
  readonly path: string;
  readonly #file: string;
  readonly #descriptor: number;

  /** Takes the place of one that was broken off. Only its owner may look inside: the accounts are other people's. */
  constructor(file: string) {
    this.#file = file;
    this.path = `${file}.unfinished`;
    rmSync(this.path, { force: true });
    this.#descriptor = openSync(this.path, 'wx', 0o600);
  }

  finish(): void {
    if (!this.#isOurs()) throw new StoreUnusable(`Somebody else has begun to write ${this.#file}.`);
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
    const there: Stats | undefined = statSync(this.path, { throwIfNoEntry: false });
    return there?.ino === fstatSync(this.#descriptor).ino;
  }
}
