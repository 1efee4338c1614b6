import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnusable } from '../store.js';
import { syncDirectory } from './sync-path.js';

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
