import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { table } from '../../dist/cli/command-line.js';
import { freshDirectory } from '../service.js';
import type { TrialRow } from './trial.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file to which each trial adds its row. */
    trialRows: string;
  }
}

/** Prints what was tried, survived and lost once all trials are over. */
export default async function summary({ provide }: TestProject): Promise<() => Promise<void>> {
  const directory = await freshDirectory();
  const file = join(directory, 'rows');
  provide('trialRows', file);
  return async () => {
    const lines = await readFile(file, 'utf8').catch(() => '');
    await rm(directory, { recursive: true, force: true });
    const rows = lines
      .split('\n')
      .filter(Boolean)
      .map((line) => cellsOf(JSON.parse(line)));
    if (rows.length === 0) return;
    rows.sort(([a = ''], [b = '']) => a.localeCompare(b));
    process.stdout.write(`\n${table(['TRIAL', 'TRIED', 'SURVIVED', 'LOST', 'FIGURES'], rows)}\n`);
  };
}

function cellsOf({ name, tried, survived, lost, figures }: TrialRow): string[] {
  const known = Object.entries(figures).filter(([, figure]) => figure !== 0);
  const texts = known.map(([of, figure]) => `${of} ${inGroups(Math.round(figure))}`);
  return [name, ...[tried, survived, lost].map(inGroups), texts.join('; ')];
}

function inGroups(number: number): string {
  return number.toLocaleString('en');
}
