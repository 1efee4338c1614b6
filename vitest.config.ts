import { defineConfig } from 'vitest/config';

/** Long enough for a busy machine: a test that hangs is told apart from one that waits for its turn. */
const LIMIT_MS = 60_000;
/** For the long version of a trial. */
const LONG_LIMIT_MS = 6 * 3_600_000;

/** Starts the PostgreSQL servers that tests share. */
const POSTGRES = 'test/support/postgres/shared-postgres.ts';

/** `npm test`, which leaves the long way to `npm run test:all`. */
const isQuick = process.env.TEST_RING === 'quick';
/** In `npm test` the console is searched and tried; its other pages are left to `npm run test:all`. */
const QUICK_PAGES = 'test/browser/{first-load,accounts,try-it}.test.ts';

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
    env: {},
  },
});

/** In `npm test` on SQLite alone: the store and the contract are tried on both databases there. */
const onSqliteFirst = (suite: ReturnType<typeof project>) => ({
  test: { ...suite.test, ...(isQuick && { env: { TEST_DATABASES: 'SQLite' } }) },
});

const browser = project('browser', 'test/browser', 'test/browser/console-target.ts').test;

/** A trial starts servers again and again, which a busy machine does slowly. */
const faults = {
  ...project('faults', 'test/faults', POSTGRES).test,
  testTimeout: 3 * LIMIT_MS,
};
const isLong = process.env.FAULTS === 'long';

export default defineConfig({
  test: {
    // Tests wait a third of their time, so three at a time keep two cores busy.
    maxWorkers: 3,
    // Once for all projects.
    globalSetup: 'test/support/no-leaks.ts',
    // What failed stands last.
    reporters: ['test/support/suite-times.ts', 'test/faults/summary.ts', 'default'],
    projects: [
      project('unit', '{src,console/src}'),
      project('store', 'test/store', POSTGRES),
      onSqliteFirst(project('http', 'test/http', POSTGRES)),
      ...['sqlite', 'postgres'].map((database) =>
        project(`acceptance-${database}`, 'test/acceptance', `test/acceptance/target-on-${database}.ts`),
      ),
      project('client', 'test/client'),
      onSqliteFirst(project('cli', 'test/cli', POSTGRES)),
      project('process', 'test/process', POSTGRES),
      project('system', 'test/system', POSTGRES),
      { test: isQuick ? { ...browser, include: [QUICK_PAGES] } : browser },
      { test: isLong ? { ...faults, testTimeout: LONG_LIMIT_MS, fileParallelism: false } : faults },
    ],
  },
});
