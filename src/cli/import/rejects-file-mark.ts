import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/*
 * Beside each file of rejected rows is a hidden file with the hash of what was written, in the format of sha256sum. A
 * file with another hash was edited since, perhaps for hours, so it is never replaced.
 */

/** States that the file has this hash. */
export function markWritten(path: string, sha256: string): void {
  writeFileSync(markOf(path), `${sha256}  ${basename(path)}\n`);
}

/** Removes a file of rejected rows that was not edited. */
export function removeWritten(path: string): void {
  rmSync(path, { force: true });
  rmSync(markOf(path), { force: true });
}

/** The path itself, or if the file there was edited, the next free one: `accounts.rejects.2.csv`. */
export function unusedPath(path: string): string {
  const extension = extname(path);
  const stem = path.slice(0, path.length - extension.length);
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? path : `${stem}.${number}${extension}`;
    if (!wasEdited(candidate)) return candidate;
  }
}

function wasEdited(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile() || stats.size === 0) return false;
  const mark = existsSync(markOf(path)) ? readFileSync(markOf(path), 'utf8') : '';
  return mark.split(' ', 1)[0] !== createHash('sha256').update(readFileSync(path)).digest('hex');
}

function markOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.sha256`);
}
