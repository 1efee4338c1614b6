import { defineConfig } from 'vitest/config';

/** Long enough for a busy machine: a test that hangs is told apart from one that waits for its turn. */
const LIMIT_MS = 60_000;
/** For the long version of a trial. */
const LONG_LIMIT_MS = 6 * 3_600_000;

/** Starts the PostgreSQL servers that tests share. */
const POSTGRES = 'test/support/postgres/shared-postgres.ts';

const project = (name: string, folder: string, ...globalSetup: string[]) => ({
  test: {
    name,
    include: [`${folder}/**/*.test.ts`],
    globalSetup,
    // Files of a worker share its process: loading the program takes longer than most files.
    isolate: false,
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    expect: { poll: { timeout: LIMIT_MS / 2 } },
  },
});

/** A trial starts servers again and again, which a busy machine does slowly. */
const faults = {
  ...project('faults', 'test/faults', POSTGRES).test,
  testTimeout: 3 * LIMIT_MS,
};
const isLong = process.env.FAULTS === 'long';

export default defineConfig({
  test: {
    // Much of the time is spent waiting for servers that start, so two at a time do not get in each other's way.
    maxWorkers: 2,
    // Once for all projects.
    globalSetup: 'test/support/no-leaks.ts',
    // What failed stands last.
    reporters: ['test/support/suite-times.ts', 'test/faults/summary.ts', 'default'],
    projects: [
      project('unit', '{src,console/src}'),
      project('store', 'test/store', POSTGRES),
      project('http', 'test/http', POSTGRES),
      ...['sqlite', 'postgres'].map((database) =>
        project(`acceptance-${database}`, 'test/acceptance', `test/acceptance/target-on-${database}.ts`),
      ),
      project('client', 'test/client'),
      project('cli', 'test/cli', POSTGRES),
      project('process', 'test/process', POSTGRES),
      project('system', 'test/system', POSTGRES),
      project('browser', 'test/browser', 'test/browser/console-target.ts'),
      { test: isLong ? { ...faults, testTimeout: LONG_LIMIT_MS, fileParallelism: false } : faults },
    ],
  },
});
