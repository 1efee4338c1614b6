import { type ChainBounds, ChangeChains } from '../changes/change-chains.js';
import type { Dialect } from '../dialect.js';
import { type ChangePointer, type StoredChange, setOf } from '../schema/change-set.js';
import type { Row } from '../schema/scan.js';
import { HistoryReplay } from './history-replay.js';
import type { TenantCounts } from './tenant-counts.js';
import type { AccountPage, ProblemReporter } from './verification-problems.js';
import { readChange } from './verify-change-sets.js';

/** Changes of all accounts of a page that are read at once, and of one account. */
const PAGE_BOUNDS = { links: 4_000, bytes: 8 * 1024 * 1024 };
const CHAIN_BOUNDS = { links: 250, bytes: 512 * 1024 };

interface Chain {
  readonly account: Row<'account'>;
  readonly replay: HistoryReplay;
  readonly next: ChangePointer;
}

/** Checks that the history of each account leads to the stored account. */
export async function verifyHistories(
  page: AccountPage,
  dialect: Dialect,
  reporter: ProblemReporter,
  counts: TenantCounts,
): Promise<void> {
  const { snapshot, tenantId, accounts, fieldsOf } = page;
  const chains = new ChangeChains(snapshot, dialect);
  const pending = await pendingErasures(page);
  const mayHaveGaps = await isPruned(page);
  const finish = (account: Row<'account'>, replay: HistoryReplay) => {
    for (const problem of replay.finish()) reporter.problem('history', account.account_id, problem);
  };
  const begun = accounts.flatMap((account): Chain[] => {
    const { account_id: id, last_change: seq, last_place: place } = account;
    const isErasurePending = pending.has(id);
    const replay = new HistoryReplay(account, fieldsOf.get(id) ?? {}, { mayHaveGaps, isErasurePending });
    if (seq !== null && place !== null) return [{ account, replay, next: { seq, place } }];
    finish(account, replay);
    return [];
  });
  const read = async (some: readonly Chain[]) => {
    const starts = some.map(({ next }) => next);
    const found = await chains.read(tenantId, starts, boundsOf(some.length));
    return some.flatMap((chain, i): Chain[] => {
      const next = replayLinks(chain, found[i] ?? [], reporter, counts);
      if (next !== null) return [{ ...chain, next }];
      finish(chain.account, chain.replay);
      return [];
    });
  };
  try {
    for (let rest = begun; rest.length > 0; ) rest = await read(rest);
  } catch (error) {
    // The databases fail on a damaged line, which `verifyChangeSets` has reported. The transaction has failed, too.
    if (reporter.found('history') === 0) throw error;
    reporter.problem('history', null, `the histories of ${accounts.length} accounts cannot be followed`);
  }
}

function boundsOf(chains: number): ChainBounds {
  const share = (what: keyof ChainBounds) =>
    Math.min(Math.ceil(PAGE_BOUNDS[what] / chains), CHAIN_BOUNDS[what]);
  return { links: share('links'), bytes: share('bytes') };
}

/** Returns where the chain continues; null at its end. */
function replayLinks(
  { replay }: Chain,
  links: Awaited<ReturnType<ChangeChains['read']>>[number],
  reporter: ProblemReporter,
  counts: TenantCounts,
): ChangePointer | null {
  let last: StoredChange | undefined;
  for (const link of links) {
    const change = readChange(link);
    if (change === undefined) replay.problems.push(`change ${link.seq} cannot be read`);
    if (change === undefined || !replay.accepts(change)) return null;
    reporter.checked('history');
    replay.add({ ...change, at: link.at });
    counts.addChange({ commitOrder: link.commitOrder, seq: setOf(link.seq) }, change);
    last = change;
  }
  return last?.previous ?? null;
}

/** Deleted accounts of the page with values that a job has yet to erase. */
async function pendingErasures({ snapshot, tenantId, accounts }: AccountPage): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await snapshot
    .selectFrom('erasure')
    .select('account_id')
    .where('tenant_id', '=', tenantId)
    .where('next_seq', 'is not', null)
    .where(
      'account_id',
      'in',
      accounts.map(({ account_id }) => account_id),
    )
    .execute();
  return new Set(rows.map(({ account_id }) => account_id));
}

/** Whether old changes of the tenant are or were removed. */
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
