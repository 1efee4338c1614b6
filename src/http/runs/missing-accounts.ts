import type { AccountPatch, EditRules } from '../../domain/account.js';
import type { PatchConflict } from '../../store/requests.js';
import type { PushedPage, SettledPage } from '../../store/runs/pushed-accounts.js';
import type { MissingCounts, Run } from '../../store/runs/run.js';
import type { Store } from '../../store/store.js';
import { whenQueueHasRoom } from '../../store/write/when-queue-has-room.js';
import { httpError } from '../errors.js';

export interface MissingParts {
  readonly store: Store;
  readonly clock: () => number;
}

/** The request that ends a run. */
export interface RunEnd {
  readonly tenantId: number;
  readonly senderId: string;
  readonly requestId: string;
  /** More missing accounts than this are not archived. */
  readonly maxMissingPercent: number;
}

/** Accounts that others change at the same time are tried again so often. */
const MAX_PASSES = 3;
/** The size of an archiving patch, roughly. */
const BYTES_PER_PATCH = 100;

/**
 * The accounts that are missing from runs: listed, and counted or archived when a run is finished. Requests for the same
 * work at the same time share it: a caller that got no response in time sends its request again.
 */
export class MissingAccounts {
  readonly #parts: MissingParts;
  readonly #settling = new Map<number, Promise<void>>();
  readonly #preparing = new Map<string, Promise<void>>();

  constructor(parts: MissingParts) {
    this.#parts = parts;
  }

  /**
   * Counts the accounts that are missing from an open run, and archives them if the run asks for it. It can be repeated
   * after an interruption: accounts that are archived already are not counted again.
   */
  settle(run: Run, end: RunEnd): Promise<void> {
    return shared(this.#settling, run.id, () => this.#settle(run, end));
  }

  /** In the order of ids. Throws unless the source has been tracked since the run was opened. */
  async *pages(run: Run, tenantId: number, from = ''): AsyncGenerator<PushedPage> {
    if (!(await this.#prepare(run, tenantId))) throw httpError('tracking_ended', run.id, run.source);
    const range = { tenantId, source: run.source, runId: run.id };
    for (let after: string | undefined = from; after !== undefined; ) {
      const page: PushedPage = await this.#parts.store.jobs.pushedPage({ ...range, after });
      yield page;
      after = page.last;
    }
  }

  async #settle(run: Run, end: RunEnd): Promise<void> {
    const { missing } = run;
    if (missing === null) return;
    if (missing.action === 'report' && !(await this.#prepare(run, end.tenantId))) return;
    if (missing.found === null) {
      const counts = await this.#count(run, end.tenantId);
      const isTooMany = 100 * counts.accounts > end.maxMissingPercent * counts.of;
      if (missing.action === 'archive' && isTooMany)
        throw httpError('too_many_missing', run.id, run.source, counts, end.maxMissingPercent);
      // From now on the archiving goes on, whatever share is left.
      await this.#parts.store.jobs.recordMissing(end.tenantId, run.id, counts, this.#parts.clock());
    }
    if (missing.action === 'report') return;
    for (let pass = 1; pass <= MAX_PASSES; pass += 1) if (await this.#archive(run, end)) break;
    await this.#restorePushed(run, end);
  }

  /**
   * False unless the source has been tracked since the run was opened. The first time, the accounts that it had created
   * before are looked up.
   */
  async #prepare({ id, source }: Run, tenantId: number): Promise<boolean> {
    const { pushed, jobs } = this.#parts.store;
    const tracking = await pushed.tracking(tenantId, source, id);
    if (tracking === undefined) return false;
    if (!tracking.isSeeded)
      await shared(this.#preparing, `${tenantId} ${source}`, async () => {
        for (let after: string | undefined = ''; after !== undefined; )
          after = await jobs.seedPushed(tenantId, source, after);
      });
    return true;
  }

  async #count(run: Run, tenantId: number): Promise<MissingCounts> {
    const counts = { accounts: 0, of: 0 };
    for await (const { live, missing } of this.pages(run, tenantId)) {
      counts.accounts += missing.length;
      counts.of += live;
    }
    return counts;
  }

  /** False if some were changed by others at the same time. */
  async #archive(run: Run, end: RunEnd): Promise<boolean> {
    let isComplete = true;
    for await (const { missing } of this.pages(run, end.tenantId)) {
      const patches = missing.map(({ accountId, revision }) =>
        archivingPatch(accountId, { archive: true, archiveAtRevision: revision }),
      );
      const conflicts = await this.#write(run, end, patches);
      // One that is deleted meanwhile is not missing any more.
      if (conflicts.some(({ reason }) => reason === 'changed')) isComplete = false;
    }
    return isComplete;
  }

  /** Restores what the source has pushed while it was being archived. */
  async #restorePushed(run: Run, end: RunEnd): Promise<void> {
    const range = { tenantId: end.tenantId, source: run.source, runId: run.id };
    for (let after: string | undefined = ''; after !== undefined; ) {
      const page: SettledPage = await this.#parts.store.jobs.settlePushed({ ...range, after });
      const patches = page.restore.map((accountId) => archivingPatch(accountId, { archive: false }));
      await this.#write(run, end, patches);
      after = page.last;
    }
  }

  /** Waits while the write queue is full. Throws if the run has ended. */
  async #write(
    run: Run,
    { tenantId, senderId, requestId }: RunEnd,
    patches: readonly AccountPatch[],
  ): Promise<readonly PatchConflict[]> {
    if (patches.length === 0) return [];
    const { store, clock } = this.#parts;
    const bytes = patches.length * BYTES_PER_PATCH;
    const { conflicts = [] } = await whenQueueHasRoom(async () => {
      if ((await store.runs.find(tenantId, run.id))?.state !== 'open') throw httpError('run_ended', run.id);
      return store.upsert({ tenantId, senderId, requestId, runId: run.id, at: clock(), patches, bytes });
    });
    return conflicts;
  }
}

function archivingPatch(accountId: string, edit: EditRules): AccountPatch {
  return { accountId, fields: {}, edit };
}

/** Does the work, or waits for the same work that is under way. */
function shared<Key>(running: Map<Key, Promise<void>>, key: Key, work: () => Promise<void>): Promise<void> {
  const known = running.get(key);
  if (known !== undefined) return known;
  const started = work().finally(() => running.delete(key));
  running.set(key, started);
  return started;
}
