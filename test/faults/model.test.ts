import fc from 'fast-check';
import { it, onTestFinished } from 'vitest';
import { type Database, freshSqlite } from '../support/databases.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ModelRun } from './model/model-run.js';
import { ModelledService } from './model/modelled-service.js';
import { steps } from './model/steps.js';
import { seedOf } from './seeded-random.js';
import { Trial } from './trial.js';

const ROUNDS_PER_DATABASE = 100;
/** The time limit for shrinking a counterexample, so that it is reported before the test times out. */
const SHRINK_MS = 30_000;

/** Far above the normal time: on an idle machine the short form takes some seconds. */
const TIMEOUT_MS = process.env.FAULTS === 'long' ? undefined : 300_000;

async function freshDatabases(name: string): Promise<() => Promise<Database>> {
  if (name === 'SQLite') return freshSqlite;
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  return async () => {
    const url = await server.createDatabase();
    const remove = async () => {
      await server.query(`drop database ${new URL(url).pathname.slice(1)}`);
    };
    return { url, settings: { DATABASE_URL: url }, remove };
  };
}

it.each(['SQLite', 'PostgreSQL'])(
  'responds and stores on %s what the model predicts, for random operations',
  async (name) => {
    const trial = new Trial(`model: ${name}`, { short: 60, long: 10_000 });
    const first = seedOf(trial);
    // The first round uses the given seed, so that a reported seed reproduces its failure immediately.
    const seeds = [first, ...fc.sample(fc.noBias(fc.integer()), { seed: first, numRuns: trial.rounds })];
    const freshDatabase = await freshDatabases(name);
    const counts = new Map<string, number>();
    let service: ModelledService | undefined;
    onTestFinished(() => service?.close());
    const startedAt = performance.now();
    await trial.run(async (round) => {
      if (round % ROUNDS_PER_DATABASE === 1) {
        await service?.close();
        service = await ModelledService.open(await freshDatabase());
      }
      const property = fc.asyncProperty(steps, (stepsOfRun) =>
        new ModelRun(service as ModelledService, counts).execute(stepsOfRun),
      );
      const seed = seeds[round - 1] as number;
      await fc.assert(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
    });
    trial.figures['ms a run'] = (performance.now() - startedAt) / trial.rounds;
    Object.assign(trial.figures, Object.fromEntries(counts));
  },
  TIMEOUT_MS,
);
