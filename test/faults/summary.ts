import type { Reporter, TestModule } from 'vitest/node';
import { table } from '../../src/cli/terminal/command-line.js';
import type { TrialRow } from './trial.js';

/** Prints what was tried, survived and lost once all tests are over, before what failed. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap(({ children }) =>
      [...children.allTests()].flatMap((test) => test.meta().trial ?? []),
    );
    if (rows.length === 0) return;
    const cells = rows.map(cellsOf).sort(([a = ''], [b = '']) => a.localeCompare(b));
    process.stdout.write(`\n${table(['TRIAL', 'TRIED', 'SURVIVED', 'LOST', 'FIGURES'], cells)}\n`);
  }
}

function cellsOf({ name, tried, survived, lost, figures }: TrialRow): string[] {
  const known = Object.entries(figures).filter(([, figure]) => figure !== 0);
  const texts = known.map(([of, figure]) => `${of} ${inGroups(Math.round(figure))}`);
  return [name, ...[tried, survived, lost].map(inGroups), texts.join('; ')];
}

function inGroups(number: number): string {
  return number.toLocaleString('en');
}
