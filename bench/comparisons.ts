import { type Contender, serverContender } from './contender.js';
import { inOrder } from './in-order.js';
import { interleave } from './interleave.js';
import type { LoadGenerator } from './load-generator.js';
import type { Row } from './measurement.js';
import { rawPostgres } from './raw-postgres.js';
import { rawSqlite } from './raw-sqlite.js';
import type { Options } from './read-options.js';
import { say } from './say.js';
import { FIRST_ACCOUNTS, storeAccounts } from './store-accounts.js';
import { ON_POSTGRES, ON_SQLITE, type Target, type Workbench } from './workbench.js';
import { BATCH, batches, singles, type Workload } from './workload.js';

export const CONNECTIONS = [1, 4, 16, 64, 256];
export const byConnections = (connections: number) => `connections ${connections}`;

const COMPARISONS = ['singles', 'batches', 'one', 'connections'] as const;

/** The scenarios in which every server takes part, each with a store of a few ten thousand accounts. */
export async function comparisons(
  workbench: Workbench,
  generator: LoadGenerator,
  { scenarios, pace }: Options,
): Promise<Row[]> {
  const asked = COMPARISONS.filter((name) => scenarios.includes(name));
  if (asked.length === 0) return [];
  const field = new Field(workbench, generator, await startTargets(workbench));
  const rows = await inOrder(asked, async (name) => {
    // Twenty take part by connections, so each gets fewer rounds.
    const rounds = name === 'connections' ? 3 : pace.rounds;
    return interleave(await field[name](), { ...pace, rounds });
  });
  await workbench.stopAll();
  return rows.flat();
}

async function startTargets(workbench: Workbench): Promise<Target[]> {
  const targets = [
    await workbench.startCeiling(),
    await workbench.startExpress(),
    await workbench.startService(ON_SQLITE, await workbench.emptyStore(ON_SQLITE)),
    await workbench.startService(ON_POSTGRES, await workbench.emptyStore(ON_POSTGRES)),
  ];
  for (const target of targets) {
    say(`${target.name}: storing the first accounts`);
    for (const source of [target.source, target.steady]) await storeAccounts(target, source, FIRST_ACCOUNTS);
  }
  return targets;
}

/** Who takes part in which scenario. */
class Field {
  constructor(
    readonly workbench: Workbench,
    readonly generator: LoadGenerator,
    readonly targets: readonly Target[],
  ) {}

  singles(): Promise<Contender[]> {
    return this.#under('singles', singles(64, 'mixed'));
  }

  /** With the re-sync, whose figure is a ratio to these. */
  async batches(): Promise<Contender[]> {
    const workload = batches('mixed');
    const services = this.targets.filter(({ name }) => [ON_SQLITE, ON_POSTGRES].includes(name));
    return [
      ...(await this.#under('batches', workload)),
      rawSqlite('batches', this.workbench.directory, BATCH),
      await rawPostgres('batches', this.workbench, BATCH, workload.connections),
      ...(await this.#under('re-sync', batches('same'), services)),
    ];
  }

  async one(): Promise<Contender[]> {
    return [
      ...(await this.#under('one', singles(1, 'mixed'))),
      rawSqlite('one', this.workbench.directory, 1),
      await rawPostgres('one', this.workbench, 1, 1),
    ];
  }

  async connections(): Promise<Contender[]> {
    const all = await inOrder(CONNECTIONS, (count) =>
      this.#under(byConnections(count), singles(count, 'mixed')),
    );
    return all.flat();
  }

  #under(scenario: string, workload: Workload, targets = this.targets): Promise<Contender[]> {
    return inOrder(targets, (target) => serverContender(scenario, target, workload, this.generator));
  }
}
