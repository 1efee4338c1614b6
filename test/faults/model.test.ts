import fc from 'fast-check';
import { it, onTestFinished } from 'vitest';
import { type Database, freshSqlite } from '../support/databases.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { seedOf } from './chance.js';
import { Run } from './model/run.js';
import { steps } from './model/steps.js';
import { World } from './model/world.js';
import { Trial } from './trial.js';

const ROUNDS_PER_DATABASE = 100;
/** A counterexample is made smaller for no longer, so that it is told before the test is over. */
const SHRINK_MS = 30_000;

/** On a quiet machine the short version takes some seconds. */
const LIMIT_MS = process.env.FAULTS === 'long' ? undefined : 300_000;

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
  'answers and stores on %s what the rules say, whatever is asked of it',
  async (name) => {
    const trial = new Trial(`model: ${name}`, { short: 60, long: 10_000 });
    const first = seedOf(trial);
    // It is the first round's own, so that a failure comes back at once with the seed that it tells.
    const seeds = [first, ...fc.sample(fc.noBias(fc.integer()), { seed: first, numRuns: trial.rounds })];
    const freshDatabase = await freshDatabases(name);
    const counts = new Map<string, number>();
    let world: World | undefined;
    onTestFinished(() => world?.close());
    const begin = performance.now();
    await trial.run(async (round) => {
      if (round % ROUNDS_PER_DATABASE === 1) {
        await world?.close();
        world = await World.open(await freshDatabase());
      }
      const property = fc.asyncProperty(steps, (taken) => new Run(world as World, counts).take(taken));
      const seed = seeds[round - 1] as number;
      await fc.assert(property, { seed, numRuns: 1, interruptAfterTimeLimit: SHRINK_MS });
    });
    trial.figures['ms a run'] = (performance.now() - begin) / trial.rounds;
    Object.assign(trial.figures, Object.fromEntries(counts));
  },
  LIMIT_MS,
);
