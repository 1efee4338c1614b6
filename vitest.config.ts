import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Much of the time is spent waiting for servers that start, so two at a time do not get in each other's way.
    maxWorkers: 2,
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts', 'console/src/**/*.test.ts'] } },
      { test: { name: 'store', include: ['test/store/**/*.test.ts'] } },
      { test: { name: 'http', include: ['test/http/**/*.test.ts'] } },
      ...['sqlite', 'postgres'].map((database) => ({
        test: {
          name: `acceptance-${database}`,
          include: ['test/acceptance/**/*.test.ts'],
          globalSetup: [`test/acceptance/target-on-${database}.ts`],
        },
      })),
      {
        test: {
          name: 'client',
          include: ['test/client/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/browser/console-target.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 60_000 * Number(process.env.FAULT_CYCLES ?? 1),
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
