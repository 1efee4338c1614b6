import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'] } },
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
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 60_000 * Number(process.env.FAULT_CYCLES ?? 1),
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
