import { statSync } from 'node:fs';
import { CommandFailed } from '../command-line.js';
import type { ImportOptions } from '../import.js';
import type { Source } from './open-source.js';

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
