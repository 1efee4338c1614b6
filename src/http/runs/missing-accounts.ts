import { setTimeout } from 'node:timers/promises';
import type { AccountPatch, UndoRules } from '../../domain/account.js';
import { QueueFull } from '../../store/errors.js';
import type { PatchConflict } from '../../store/requests.js';
import type { PushedPage, SettledPage } from '../../store/runs/pushed-accounts.js';
import type { MissingCounts, Run } from '../../store/runs/runs.js';
import type { Store } from '../../store/store.js';
import { httpError } from '../errors.js';

export interface MissingParts {
  readonly store: Store;
  readonly clock: () => number;
}

/** The request that ends a run. */
export interface RunEnd {
  readonly tenantId: number;
  readonly keyId: string;
  readonly requestId: string;
  /** More missing accounts than this are not archived. */
  readonly maxMissingPercent: number;
}

const QUEUE_FULL_PAUSE_MS = 50;
/** Accounts that others change at the same time are tried again so often. */
const MAX_PASSES = 3;
/** The size of an archiving patch, roughly. */
const BYTES_PER_PATCH = 100;

/**
 * Counts the accounts that are missing from a run, and archives them if the run asks for it. It can be repeated after an
 * interruption: accounts that are archived already are not counted again.
 */
export async function settleMissing(parts: MissingParts, run: Run, end: RunEnd): Promise<void> {
  if (run.missing === null) return;
  const { action, found } = run.missing;
  const { jobs } = parts.store;
  if (!(await isTracked(parts, run, end.tenantId))) {
    if (action === 'report') return;
    throw httpError('tracking_ended', run.id, run.source);
  }
  if (found === null) {
    const counts = await countMissing(parts, run, end.tenantId);
    const isTooMany = 100 * counts.accounts > end.maxMissingPercent * counts.of;
    if (action === 'archive' && isTooMany)
      throw httpError('too_many_missing', run.id, run.source, counts, end.maxMissingPercent);
    // From now on the archiving goes on, whatever share is left.
    await jobs.recordMissing(end.tenantId, run.id, counts);
  }
  if (action === 'report') return;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) if (await archiveMissing(parts, run, end)) break;
  await restorePushed(parts, run, end);
}

async function countMissing(parts: MissingParts, run: Run, tenantId: number): Promise<MissingCounts> {
  const counts = { accounts: 0, of: 0 };
  for await (const { live, missing } of missingPages(parts, run, tenantId)) {
    counts.accounts += missing.length;
    counts.of += live;
  }
  return counts;
}

/**
 * Whether the source has been tracked since the run was opened. The first time, the accounts that it had created before
 * are looked up.
 */
export async function isTracked({ store }: MissingParts, run: Run, tenantId: number): Promise<boolean> {
  const tracking = await store.pushed.tracking(tenantId, run);
  if (tracking === undefined) return false;
  for (let after = tracking.isSeeded ? undefined : ''; after !== undefined; )
    after = await store.jobs.seedPushed(tenantId, run.source, after);
  return true;
}

/** In the order of ids. */
export async function* missingPages(
  { store }: MissingParts,
  { id: runId, source }: Run,
  tenantId: number,
  from = '',
): AsyncGenerator<PushedPage> {
  for (let after: string | undefined = from; after !== undefined; ) {
    const page: PushedPage = await store.jobs.pushedPage({ tenantId, source, runId, after });
    yield page;
    after = page.last;
  }
}

/** False if some were changed by others at the same time. */
async function archiveMissing(parts: MissingParts, run: Run, end: RunEnd): Promise<boolean> {
  let isComplete = true;
  for await (const { missing } of missingPages(parts, run, end.tenantId)) {
    const patches = missing.map(({ accountId, revision }) =>
      archivingPatch(accountId, { archive: true, revision }),
    );
    const conflicts = await write(parts, run, end, patches);
    // One that is deleted meanwhile is not missing any more.
    if (conflicts.some(({ reason }) => reason === 'changed')) isComplete = false;
  }
  return isComplete;
}

/** Restores what the source has pushed while it was being archived. */
async function restorePushed(parts: MissingParts, run: Run, end: RunEnd): Promise<void> {
  const range = { tenantId: end.tenantId, source: run.source, runId: run.id };
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page: SettledPage = await parts.store.jobs.settlePushed({ ...range, after });
    const patches = page.restore.map((accountId) => archivingPatch(accountId, { archive: false }));
    await write(parts, run, end, patches);
    after = page.last;
  }
}

function archivingPatch(accountId: string, undo: UndoRules): AccountPatch {
  return { accountId, fields: {}, undo };
}

/** Waits while the write queue is full, where other operations respond with 503. */
async function write(
  { store, clock }: MissingParts,
  run: Run,
  { tenantId, keyId, requestId }: RunEnd,
  patches: readonly AccountPatch[],
): Promise<readonly PatchConflict[]> {
  if (patches.length === 0) return [];
  const bytes = patches.length * BYTES_PER_PATCH;
  for (;;) {
    try {
      const by = { tenantId, keyId, requestId, runId: run.id, at: clock() };
      return (await store.upsert({ ...by, patches, bytes })).conflicts ?? [];
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      await setTimeout(QUEUE_FULL_PAUSE_MS);
    }
  }
}
