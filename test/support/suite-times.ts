import type { Reporter, TestModule } from 'vitest/node';
import { table } from '../../src/cli/terminal/command-line.js';

/** Prints the time of each suite: the sum over its files, of which several run concurrently. */
export default class SuiteTimes implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = new Set(modules.map(({ project }) => project.name));
    const rows = [...names].map((name) => {
      const files = modules.filter(({ project }) => project.name === name);
      const tests = files.reduce((sum, { children }) => sum + [...children.allTests()].length, 0);
      return [name, String(files.length), String(tests), secondsOf(files).toFixed(1)];
    });
    process.stdout.write(`\n${table(['SUITE', 'FILES', 'TESTS', 'SECONDS'], rows)}\n`);
  }
}

function secondsOf(files: readonly TestModule[]): number {
  const times = files.map((file) => {
    const { collectDuration, prepareDuration, setupDuration, environmentSetupDuration, duration } =
      file.diagnostic();
    return collectDuration + prepareDuration + setupDuration + environmentSetupDuration + duration;
  });
  return times.reduce((sum, ms) => sum + ms, 0) / 1_000;
}
