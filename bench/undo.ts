import { parseArgs } from 'node:util';
import { AccountSync } from '@account-sync/client';
import { logProgress } from './log-progress.js';
import { mapSequentially } from './map-sequentially.js';
import { memoryOfTree } from './process-usage.js';
import { inRun, median, pushBatches } from './push-batches.js';
import { figure, textTable } from './text-table.js';
import { ON_POSTGRES, ON_SQLITE, type Target, Workbench } from './workbench.js';

const { values } = parseArgs({
  options: { changes: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '3' } },
});
const CHANGES = Number(values.changes);

interface Measured {
  readonly written: number;
  readonly undone: number;
  /** Memory of the server in MiB, before the undo and the highest during it. */
  readonly before: number;
  readonly highest: number;
}

/** What a run has done that is then undone, in passes over its accounts. */
const RUNS = {
  'updates only': { accounts: CHANGES, isNew: false, passes: 1 },
  'creations only': { accounts: CHANGES, isNew: true, passes: 1 },
  'creations, then updates of the same': { accounts: CHANGES / 2, isNew: true, passes: 2 },
} as const;
type RunName = keyof typeof RUNS;

/** Compares the rate at which the changes of a run are taken back to the rate at which they were written. */
await Workbench.use(async (workbench) => {
  for (const name of [ON_SQLITE, ON_POSTGRES] as const) {
    const target = await workbench.startService(name, await workbench.emptyStore(name));
    const client = new AccountSync({ url: target.url, key: target.key, timeoutMs: 300_000 });
    let first = 0;
    const rows = await mapSequentially(Object.keys(RUNS) as RunName[], async (kind) => {
      const rounds = await mapSequentially(Array.from({ length: Number(values.rounds) }), async () => {
        first += CHANGES;
        return measure(target, client, kind, first);
      });
      const of = (part: keyof Measured) => median(rounds.map((round) => round[part]));
      const ratio = median(rounds.map(({ written, undone }) => undone / written));
      const figures = [of('written'), of('undone')].map((value) => figure(value));
      return [kind, ...figures, figure(ratio, 2), figure(of('before')), figure(of('highest'))];
    });
    await workbench.stop(target);
    const head = ['', 'written/s', 'undone/s', 'ratio', 'MiB before', 'MiB highest'];
    process.stdout.write(`\n${textTable(`${CHANGES} changes, ${name}`, [head, ...rows])}`);
  }
});

async function measure(target: Target, client: AccountSync, name: RunName, first: number): Promise<Measured> {
  const { accounts, isNew, passes } = RUNS[name];
  if (!isNew) await inRun(client, (run) => pushBatches(target, { run, first, accounts, version: 0 }));
  let seconds = 0;
  const run = await inRun(client, async (id) => {
    for (let pass = 1; pass <= passes; pass += 1) {
      seconds += await pushBatches(target, { run: id, first, accounts, version: pass });
    }
  });
  const before = memoryOfTree(target.pid).memory;
  let highest = 0;
  const startedAt = performance.now();
  const { conflicts } = await client.undoRun(run, {
    onProgress: () => {
      highest = Math.max(highest, memoryOfTree(target.pid).memory);
    },
  });
  const undone = CHANGES / ((performance.now() - startedAt) / 1000);
  if (conflicts > 0) throw new Error(`${conflicts} conflicts`);
  const written = CHANGES / seconds;
  logProgress(`${name}: ${figure(written)} written, ${figure(undone)} undone a second`);
  return { written, undone, before, highest };
}
