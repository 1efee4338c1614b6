import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEAKS_FILE } from './leaks.js';

/** Fails the run after all tests if any output or response contained a secret. */
export default function setup(): () => void {
  const file = join(tmpdir(), `account-sync-leaks-${process.pid}`);
  process.env[LEAKS_FILE] = file;
  return () => {
    if (!existsSync(file)) return;
    const findings = readFileSync(file, 'utf8');
    rmSync(file);
    process.exitCode = 1;
    throw new Error(`Secrets in the output:\n${findings}`);
  };
}
