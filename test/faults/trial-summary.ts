import type { Reporter, TestModule } from 'vitest/node';
import { table } from '../../src/cli/terminal/command-line.js';
import type { TrialRow } from './trial.js';

/** Prints a table of all trials after the tests, before the failures: attempts, survivals and losses. */
export default class TrialSummary implements Reporter {
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
  const texts = known.map(([label, figure]) => `${label} ${inGroups(Math.round(figure))}`);
  return [name, ...[tried, survived, lost].map(inGroups), texts.join('; ')];
}

function inGroups(number: number): string {
  return number.toLocaleString('en');
}
