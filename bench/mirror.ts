import { parseArgs } from 'node:util';
import { AccountSync } from '@account-sync/client';
import { logProgress } from './log-progress.js';
import { median, pushBatches } from './push-batches.js';
import { figure, textTable } from './text-table.js';
import { ON_POSTGRES, ON_SQLITE, type Target, Workbench } from './workbench.js';

const { values } = parseArgs({
  options: { accounts: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '3' } },
});
const ACCOUNTS = Number(values.accounts);
const ROUNDS = Number(values.rounds);
/** The share of accounts that are missing at the end, in percent. */
const MISSING = 10;

/** The kinds of pushes, by the version of the accounts that they send. */
const KINDS = { created: 0, unchanged: 0, updated: 1 } as const;
type Kind = keyof typeof KINDS;

/**
 * Compares the rates of a source that is tracked with one that is not, in turn, and measures how long the end of a run
 * takes that archives a tenth of the accounts.
 */
await Workbench.use(async (workbench) => {
  for (const name of [ON_SQLITE, ON_POSTGRES] as const) {
    const target = await workbench.startService(name, await workbench.emptyStore(name));
    const plain = { ...target, key: await keyOf(target, 'plain') };
    const tracked = { ...target, key: await keyOf(target, 'tracked') };
    const client = new AccountSync({ url: target.url, key: tracked.key, timeoutMs: 300_000 });
    await client.openRun({ missing: 'report' });
    const rates: Record<Kind, { plain: number[]; tracked: number[] }> = {
      created: { plain: [], tracked: [] },
      unchanged: { plain: [], tracked: [] },
      updated: { plain: [], tracked: [] },
    };
    const firsts: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const sources = round % 2 === 0 ? [plain, tracked] : [tracked, plain];
      for (const kind of Object.keys(KINDS) as Kind[]) {
        for (const source of sources) {
          const first = (2 * round + sources.indexOf(source)) * ACCOUNTS;
          if (source === tracked && kind === 'created') firsts.push(first);
          const push = { first, accounts: ACCOUNTS, version: KINDS[kind] };
          const rate = ACCOUNTS / (await pushBatches(source, push));
          rates[kind][source === tracked ? 'tracked' : 'plain'].push(rate);
          logProgress(`${kind}: ${figure(rate)} a second, ${source === tracked ? 'tracked' : 'not tracked'}`);
        }
      }
    }
    const rows = (Object.keys(KINDS) as Kind[]).map((kind) => {
      const { plain: without, tracked: with_ } = rates[kind];
      const ratio = median(with_.map((rate, i) => rate / (without[i] as number)));
      return [kind, figure(median(without)), figure(median(with_)), figure(ratio, 2)];
    });
    const head = ['records/s', 'not tracked', 'tracked', 'ratio'];
    process.stdout.write(`\n${textTable(`${ACCOUNTS} accounts, ${name}`, [head, ...rows])}`);
    const { seconds, archived, of } = await measureEnd(tracked, client, firsts);
    process.stdout.write(
      `The end of a run with ${figure(of)} accounts, ${figure(archived)} of them missing: ${figure(seconds, 1)} s\n`,
    );
    await workbench.stop(target);
  }
});

/** A key of a source of its own. */
async function keyOf({ url, key }: Target, source: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ label: source, scopes: ['sync', 'read'] });
  const response = await fetch(`${url}/api/v2/keys`, { method: 'POST', headers, body });
  const created = (await response.json()) as { readonly key: string };
  if (!response.ok) throw new Error(JSON.stringify(created));
  return created.key;
}

/** Sends all accounts of the source but a tenth, and archives these. */
async function measureEnd(target: Target, client: AccountSync, firsts: readonly number[]) {
  const { id } = await client.openRun({ missing: 'archive' });
  const accounts = (ACCOUNTS * (100 - MISSING)) / 100;
  for (const first of firsts) await pushBatches(target, { run: id, first, accounts, version: 1 });
  const startedAt = performance.now();
  const { archived, missing } = await client.finishRun(id, { maxMissingPercent: MISSING });
  return { seconds: (performance.now() - startedAt) / 1000, archived, of: missing?.of ?? 0 };
}
