import { resolve } from 'node:path';
import { CommandFailed } from '../command-line.js';
import type { ImportOptions } from '../import.js';
import type { Format } from './open-source.js';

/** Where refused rows go: beside the file, unless it is a pipe, or only a rehearsal. */
export function rejectsPath(
  file: string,
  format: Format,
  { rejects, dryRun }: Pick<ImportOptions, 'rejects' | 'dryRun'>,
): string | undefined {
  if (rejects !== undefined) {
    if (resolve(rejects) !== resolve(file)) return rejects;
    throw new CommandFailed('--rejects names the file that is imported: give another.');
  }
  if (file === '-' || dryRun) return undefined;
  const stem = file.replace(/\.gz$/i, '').replace(/\.[^./\\]+$/, '');
  return `${stem}.rejects.${format === 'csv' ? 'csv' : 'ndjson'}`;
}
