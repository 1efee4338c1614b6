import { serverCase } from './benchmark-case.js';
import { interleave } from './interleave.js';
import { interruption } from './interruption.js';
import type { LoadGenerator } from './load-generator.js';
import { logProgress } from './log-progress.js';
import { mapSequentially } from './map-sequentially.js';
import { median, type Row } from './measurement.js';
import type { Options } from './read-options.js';
import { storeAccounts } from './store-accounts.js';
import { ON_POSTGRES, ON_SQLITE, type Target, type Workbench } from './workbench.js';
import { batches, singles } from './workload.js';

export const SIZES = [10_000, 100_000, 1_000_000];
export const LARGEST_SIZE = 1_000_000;
export const storedScenario = (kind: 'singles' | 'batches', stored: number) => `${kind}, ${stored} stored`;

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

/** Measures throughput by number of stored accounts, and start times. Stores of all sizes are measured in turn. */
export async function growth(
  workbench: Workbench,
  generator: LoadGenerator,
  { scenarios, roundSettings, starts }: Options,
): Promise<{ rows: Row[]; starts: StartResult[] }> {
  const rows: Row[] = [];
  const started: StartResult[] = [];
  const sizes = scenarios.includes('stored') ? SIZES : scenarios.includes('start') ? [LARGEST_SIZE] : [];
  const stores = await mapSequentially(sizes, (stored) =>
    mapSequentially(DATABASES, (name) => fill(workbench, name, stored)),
  );
  if (scenarios.includes('stored')) {
    for (const kind of ['singles', 'batches'] as const) {
      const workload = kind === 'singles' ? singles(64, 'changed') : batches('changed');
      const cases = await mapSequentially(stores.flat(), ({ stored, target }) =>
        serverCase(storedScenario(kind, stored), target, workload, generator),
      );
      rows.push(...(await interleave(cases, roundSettings)));
    }
  }
  if (scenarios.includes('start')) {
    await workbench.stopAll();
    for (const name of DATABASES) {
      const full = stores
        .flat()
        .find(({ stored, target }) => stored === LARGEST_SIZE && target.name === name);
      started.push(await timeStarts(workbench, name, 0, starts, () => workbench.emptyStore(name)));
      started.push(await timeStarts(workbench, name, LARGEST_SIZE, starts, async () => full?.settings ?? {}));
    }
  }
  return { rows, starts: started };
}

async function fill(workbench: Workbench, name: (typeof DATABASES)[number], stored: number): Promise<Store> {
  logProgress(`${name}: storing ${stored} accounts`);
  const settings = await workbench.emptyStore(name);
  const target = await workbench.startService(name, settings);
  await storeAccounts(target, target.source, stored);
  // Otherwise PostgreSQL would do this itself within a minute, in the middle of a round.
  if (name === ON_POSTGRES) await workbench.settlePostgres(settings.DATABASE_URL ?? '');
  return { stored, target, settings };
}

/** Measures the time from the start of the process to its first success response of `/readyz`. */
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
  logProgress(`start, ${name}, ${stored} stored: ${Math.round(medianMs)} ms, the median of ${times}`);
  return { target: name, stored, medianMs, starts };
}
