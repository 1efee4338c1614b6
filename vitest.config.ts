import { defineConfig } from 'vitest/config';

/** Long enough for a busy machine, so that only a test that hangs exceeds it. */
const TIMEOUT_MS = 60_000;
/** For the long form of the fault trials. */
const LONG_TIMEOUT_MS = 6 * 3_600_000;

/** Starts the PostgreSQL servers that tests share. */
const POSTGRES = 'test/support/postgres/shared-postgres.ts';

/** True for `npm test`; `npm run test:all` runs everything. */
const isQuick = process.env.TEST_RING === 'quick';
/** The browser tests of `npm test`. `npm run test:all` runs those of the other pages too. */
const QUICK_PAGES = 'test/browser/first-load.test.ts';

/** Not in `npm test`, because they take long, and shorter tests cover most of what they do. */
const LONG_TESTS = [
  'test/acceptance/{costly-bodies,ownership}.test.ts',
  'test/cli/import-{conversions,declare,dry-run,exports,guards,json,pipe,refusals,save-mapping}.test.ts',
  'test/cli/singer.test.ts',
  'test/client/{missing,retries,webhooks}.test.ts',
  'test/deploy/kubernetes.test.ts',
  'test/http/{failures,keys-and-hosts,oidc-outages,oidc-refusals,oidc-security,rate-limit}.test.ts',
  'test/http/security-{access,failures,passwords,takeover}.test.ts',
  'test/http/v2-{archive,checks,links,missing,ownership,rejections,runs,streams,tenants,undo-options}.test.ts',
  'test/store/{change-feed,listings,postgres,postgres-writes,runs,statistics-update}.test.ts',
];

const project = (name: string, folder: string, ...globalSetup: string[]) => ({
  test: {
    name,
    include: [`${folder}/**/*.test.ts`],
    exclude: isQuick ? LONG_TESTS : [],
    globalSetup,
    // The files of a worker share its process, because loading the program takes longer than most test files.
    isolate: false,
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: TIMEOUT_MS / 2 } },
    env: {},
  },
});

/** In `npm test`, only SQLite for these suites: the store and acceptance suites already cover both databases. */
const quickOnSqlite = (suite: ReturnType<typeof project>) => ({
  test: { ...suite.test, ...(isQuick && { env: { TEST_DATABASES: 'SQLite' } }) },
});

/** Long on PostgreSQL, so `npm test` runs these on SQLite only. `npm run test:all` runs them on both. */
const QUICK_ON_SQLITE = 'test/acceptance/{attribute-types-*,missing-accounts,write-modes}.test.ts';
const onPostgres = project(
  'acceptance-postgres',
  'test/acceptance',
  'test/acceptance/target-on-postgres.ts',
).test;

const browser = project('browser', 'test/browser', 'test/browser/console-target.ts').test;
const browserFiles = process.env.SCREENSHOTS
  ? ['test/browser/screenshots.ts']
  : isQuick
    ? [QUICK_PAGES]
    : browser.include;

const deploy = {
  // Vite warns that packages lack their sources.
  logLevel: 'error' as const,
  test: {
    ...project('deploy', 'test/deploy').test,
    // These packages import JSON in a way that Node.js does not accept.
    server: { deps: { inline: [/@actions\//] } },
  },
};

/** Fault trials start many servers, which is slow on a busy machine. */
const faults = {
  ...project('faults', 'test/faults', POSTGRES).test,
  testTimeout: 3 * TIMEOUT_MS,
};
const isLong = process.env.FAULTS === 'long';

export default defineConfig({
  test: {
    // Tests wait for a third of their time, so three workers keep two cores busy.
    maxWorkers: 3,
    // Runs once for all projects.
    globalSetup: 'test/support/no-leaks.ts',
    // The default reporter comes last, so that failures are at the end of the output.
    reporters: ['test/support/suite-times.ts', 'test/faults/trial-summary.ts', 'default'],
    projects: [
      project('unit', '{src,console/src}'),
      project('store', 'test/store', POSTGRES),
      project('delivery', 'test/delivery', POSTGRES),
      project('limits', 'test/limits', POSTGRES),
      project('maintenance', 'test/maintenance', POSTGRES),
      project('cost', 'test/cost', POSTGRES),
      quickOnSqlite(project('http', 'test/http', POSTGRES)),
      project('acceptance-sqlite', 'test/acceptance', 'test/acceptance/target-on-sqlite.ts'),
      { test: { ...onPostgres, exclude: isQuick ? [...LONG_TESTS, QUICK_ON_SQLITE] : [] } },
      project('client', 'test/client'),
      quickOnSqlite(project('cli', 'test/cli', POSTGRES)),
      project('process', 'test/process', POSTGRES),
      deploy,
      project('system', 'test/system', POSTGRES),
      { test: { ...browser, include: browserFiles } },
      { test: isLong ? { ...faults, testTimeout: LONG_TIMEOUT_MS, fileParallelism: false } : faults },
    ],
  },
});
