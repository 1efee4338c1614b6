import { type BenchmarkCase, serverCase } from './benchmark-case.js';
import { interleave } from './interleave.js';
import type { LoadGenerator } from './load-generator.js';
import { logProgress } from './log-progress.js';
import { mapSequentially } from './map-sequentially.js';
import type { Row } from './measurement.js';
import { rawPostgres } from './raw-postgres.js';
import { rawSqlite } from './raw-sqlite.js';
import type { Options } from './read-options.js';
import { FIRST_ACCOUNTS, storeAccounts } from './store-accounts.js';
import {
  EXPRESS,
  EXPRESS_HISTORY,
  ON_POSTGRES,
  ON_SQLITE,
  type Target,
  type Workbench,
} from './workbench.js';
import { BATCH, batches, singles, type Workload } from './workload.js';

export const CONNECTIONS = [1, 4, 16, 64, 256];
export const connectionsScenario = (connections: number) => `connections ${connections}`;

const COMPARISONS = ['singles', 'batches', 'one', 'connections'] as const;

/** Accounts of which each record of the scenario `changes` changes one at random. */
const CHANGED_ACCOUNTS = 200_000;

/** Runs the scenarios that include every server. Each store holds a few tens of thousands of accounts. */
export async function comparisons(
  workbench: Workbench,
  generator: LoadGenerator,
  { scenarios, roundSettings }: Options,
): Promise<Row[]> {
  const selected = COMPARISONS.filter((name) => scenarios.includes(name));
  if (selected.length === 0) return [];
  const cases = new ComparisonCases(workbench, generator, await startTargets(workbench));
  const rows = await mapSequentially(selected, async (name) => {
    // `connections` has twenty cases, so each gets fewer rounds.
    const rounds = name === 'connections' ? 3 : roundSettings.rounds;
    return interleave(await cases[name](), { ...roundSettings, rounds });
  });
  await workbench.stopAll();
  return rows.flat();
}

/** Batches in which every record changes one of many accounts at random. */
export async function randomChanges(
  workbench: Workbench,
  generator: LoadGenerator,
  { scenarios, roundSettings }: Options,
): Promise<Row[]> {
  if (!scenarios.includes('changes')) return [];
  const targets = await startStores(workbench);
  for (const target of targets) {
    logProgress(`${target.name}: storing ${CHANGED_ACCOUNTS} accounts`);
    await storeAccounts(target, target.source, CHANGED_ACCOUNTS);
  }
  const cases = await mapSequentially(targets, (target) =>
    serverCase('changes', target, batches('changed'), generator),
  );
  const rows = await interleave(cases, roundSettings);
  await workbench.stopAll();
  return rows;
}

/** All servers that store something. */
async function startStores(workbench: Workbench): Promise<Target[]> {
  return [
    await workbench.startExpress(EXPRESS),
    await workbench.startExpress(EXPRESS_HISTORY),
    await workbench.startService(ON_SQLITE, await workbench.emptyStore(ON_SQLITE)),
    await workbench.startService(ON_POSTGRES, await workbench.emptyStore(ON_POSTGRES)),
  ];
}

async function startTargets(workbench: Workbench): Promise<Target[]> {
  const targets = [await workbench.startCeiling(), ...(await startStores(workbench))];
  for (const target of targets) {
    logProgress(`${target.name}: storing the first accounts`);
    for (const source of [target.source, target.unchanged])
      await storeAccounts(target, source, FIRST_ACCOUNTS);
  }
  return targets;
}

/** The cases of each scenario. */
class ComparisonCases {
  constructor(
    readonly workbench: Workbench,
    readonly generator: LoadGenerator,
    readonly targets: readonly Target[],
  ) {}

  singles(): Promise<BenchmarkCase[]> {
    return this.#casesOf('singles', singles(64, 'mixed'));
  }

  /** Includes the re-sync, whose figure is a ratio to the batches. */
  async batches(): Promise<BenchmarkCase[]> {
    const workload = batches('mixed');
    const services = this.targets.filter(({ name }) => [ON_SQLITE, ON_POSTGRES].includes(name));
    return [
      ...(await this.#casesOf('batches', workload)),
      rawSqlite('batches', this.workbench.directory, BATCH),
      await rawPostgres('batches', this.workbench, BATCH, workload.connections),
      ...(await this.#casesOf('re-sync', batches('same'), services)),
    ];
  }

  async one(): Promise<BenchmarkCase[]> {
    return [
      ...(await this.#casesOf('one', singles(1, 'mixed'))),
      rawSqlite('one', this.workbench.directory, 1),
      await rawPostgres('one', this.workbench, 1, 1),
    ];
  }

  async connections(): Promise<BenchmarkCase[]> {
    const all = await mapSequentially(CONNECTIONS, (count) =>
      this.#casesOf(connectionsScenario(count), singles(count, 'mixed')),
    );
    return all.flat();
  }

  #casesOf(scenario: string, workload: Workload, targets = this.targets): Promise<BenchmarkCase[]> {
    return mapSequentially(targets, (target) => serverCase(scenario, target, workload, this.generator));
  }
}
