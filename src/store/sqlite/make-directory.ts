import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './sync-path.js';

/** Made where it is missing. What is synced inside lasts only once the names on the way to it do, so these come first. */
export function makeDirectory(path: string): void {
  // Only its owner may look inside: the accounts are other people's.
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) syncDirectory(dirname(made));
}
