import type { TableSum } from '../copy/table-sum.js';
import { scan } from '../scan.js';
import type { AccountPage, Finder } from './account-page.js';
import { HistoryReplay } from './history-replay.js';
import type { TenantCounts } from './tenant-counts.js';

export interface HistoryReaders {
  readonly counts: TenantCounts;
  readonly sum: TableSum;
  readonly report: () => void;
}

/** Every history leads to the account as it is stored, and none is without one. */
export async function verifyHistories(
  page: AccountPage,
  finder: Finder,
  { counts, sum, report }: HistoryReaders,
): Promise<void> {
  const { snapshot, accounts, fieldsOf, range } = page;
  const mayHaveHoles = await isPruned(page);
  const left = new Map(accounts.map((row) => [row.account_id, row]));
  const finish = (id: string, replay: HistoryReplay) => {
    const row = left.get(id);
    left.delete(id);
    const problems =
      row === undefined ? ['its history is there without it'] : replay.finish(row, fieldsOf.get(id) ?? {});
    for (const problem of problems) finder.found('history', id, problem);
  };
  let current: { readonly id: string; readonly replay: HistoryReplay } | undefined;
  for await (const rows of scan(snapshot, 'account_history', range)) {
    for (const row of rows) {
      finder.looked('history');
      sum.add(row);
      if (current?.id !== row.account_id) {
        if (current !== undefined) finish(current.id, current.replay);
        current = { id: row.account_id, replay: new HistoryReplay(mayHaveHoles) };
      }
      const change = current.replay.add(row);
      if (change !== undefined) counts.addChange(row, change);
    }
    report();
  }
  if (current !== undefined) finish(current.id, current.replay);
  for (const id of left.keys()) finish(id, new HistoryReplay(mayHaveHoles));
}

/** Whether old changes of the tenant are removed, or were at some time: not always the oldest of an account go first. */
async function isPruned({ snapshot, tenantId }: AccountPage): Promise<boolean> {
  const found = await snapshot
    .selectFrom('tenant')
    .leftJoin('pruning', 'pruning.tenant_id', 'tenant.id')
    .select('tenant.id')
    .where('tenant.id', '=', tenantId)
    .where(({ or, eb }) => or([eb('history_days', 'is not', null), eb('days', 'is not', null)]))
    .executeTakeFirst();
  return found !== undefined;
}
