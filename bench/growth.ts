import { serverContender } from './contender.js';
import { inOrder } from './in-order.js';
import { interleave } from './interleave.js';
import { interruption } from './interruption.js';
import type { LoadGenerator } from './load-generator.js';
import { median, type Row } from './measurement.js';
import type { Options } from './read-options.js';
import { say } from './say.js';
import { storeAccounts } from './store-accounts.js';
import { ON_POSTGRES, ON_SQLITE, type Target, type Workbench } from './workbench.js';
import { batches, singles } from './workload.js';

export const SIZES = [10_000, 100_000, 1_000_000];
export const MOST = 1_000_000;
export const byStored = (kind: 'singles' | 'batches', stored: number) => `${kind}, ${stored} stored`;

export interface StartResult {
  readonly target: string;
  readonly stored: number;
  readonly medianMs: number;
  readonly starts: readonly { readonly ms: number }[];
}

interface Store {
  readonly stored: number;
  readonly target: Target;
  readonly settings: Record<string, string>;
}

const DATABASES = [ON_SQLITE, ON_POSTGRES] as const;

/** Throughput by stored accounts, and the time to start; stores of every size stand side by side, to take turns. */
export async function growth(
  workbench: Workbench,
  generator: LoadGenerator,
  { scenarios, pace, starts }: Options,
): Promise<{ rows: Row[]; starts: StartResult[] }> {
  const rows: Row[] = [];
  const started: StartResult[] = [];
  const sizes = scenarios.includes('stored') ? SIZES : scenarios.includes('start') ? [MOST] : [];
  const stores = await inOrder(sizes, (stored) =>
    inOrder(DATABASES, (name) => fill(workbench, name, stored)),
  );
  if (scenarios.includes('stored')) {
    for (const kind of ['singles', 'batches'] as const) {
      const workload = kind === 'singles' ? singles(64, 'changed') : batches('changed');
      const contenders = await inOrder(stores.flat(), ({ stored, target }) =>
        serverContender(byStored(kind, stored), target, workload, generator),
      );
      rows.push(...(await interleave(contenders, pace)));
    }
  }
  if (scenarios.includes('start')) {
    await workbench.stopAll();
    for (const name of DATABASES) {
      const full = stores.flat().find(({ stored, target }) => stored === MOST && target.name === name);
      started.push(await timeStarts(workbench, name, 0, starts, () => workbench.emptyStore(name)));
      started.push(await timeStarts(workbench, name, MOST, starts, async () => full?.settings ?? {}));
    }
  }
  return { rows, starts: started };
}

async function fill(workbench: Workbench, name: (typeof DATABASES)[number], stored: number): Promise<Store> {
  say(`${name}: storing ${stored} accounts`);
  const settings = await workbench.emptyStore(name);
  const target = await workbench.startService(name, settings);
  await storeAccounts(target, target.source, stored);
  // What PostgreSQL would do by itself within a minute, in the middle of a round.
  if (name === ON_POSTGRES) await workbench.settlePostgres(settings.DATABASE_URL ?? '');
  return { stored, target, settings };
}

/** From the start of the process to its first answer that it is ready. */
async function timeStarts(
  workbench: Workbench,
  name: (typeof DATABASES)[number],
  stored: number,
  times: number,
  settingsOf: () => Promise<Record<string, string>>,
): Promise<StartResult> {
  const starts: { ms: number }[] = [];
  for (let i = 0; i < times; i += 1) {
    const settings = await settingsOf();
    interruption.throwIfAborted();
    const startedAt = performance.now();
    const target = await workbench.startService(name, settings);
    const { ok } = await fetch(`${target.url}/readyz`);
    if (!ok) throw new Error(`${name} is not ready.`);
    starts.push({ ms: performance.now() - startedAt });
    await workbench.stop(target);
  }
  const medianMs = median(starts.map(({ ms }) => ms));
  say(`start, ${name}, ${stored} stored: ${Math.round(medianMs)} ms, the median of ${times}`);
  return { target: name, stored, medianMs, starts };
}
