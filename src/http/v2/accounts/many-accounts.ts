import type { FastifyRequest } from 'fastify';
import { type Account, type AccountPatch, applyPatch } from '../../../domain/account.js';
import { type AttributeErrors, ownershipErrors } from '../../../domain/validate-account.js';
import { PAGE_BYTES } from '../../../store/bounded-read.js';
import { QueueFull } from '../../../store/errors.js';
import {
  noCounts,
  type RecordResult,
  type UpsertCounts,
  type UpsertRequest,
} from '../../../store/requests.js';
import { previewUpsert } from '../../../store/write/dry-run.js';
import { whenQueueHasRoom } from '../../../store/write/when-queue-has-room.js';
import { changedFields } from '../../../wire/change-body.js';
import type { Access } from '../../auth/access.js';
import { principalOf } from '../../auth/authenticate.js';
import { type HttpError, httpError } from '../../errors.js';
import type { V2Parts } from '../operation.js';
import { pagesOf, type SelectedPage, type Selection } from './account-selection.js';

const REAUTHORIZE_INTERVAL_MS = 1_000;
/** The accounts that a dry run shows. After `PAGE_BYTES` of them, it shows no more. */
export const SHOWN = 20;

/** What is done with each of the accounts. */
export interface ManyAccountsWork {
  /** Names it in the log. */
  readonly what: string;
  /** What the sender needs as long as it lasts. */
  readonly access: Access;
  /** Whether it belongs to a run of its own, so that it can be undone. */
  readonly hasRun: boolean;
  /** The patch of one account, or why it cannot be changed. */
  readonly plan: (
    account: Account,
  ) => { readonly patch: AccountPatch } | { readonly errors: AttributeErrors };
  /** What each patch counts towards the write queue. */
  readonly bytesPerPatch: number;
  /** Not called in a dry run. */
  readonly write: (request: UpsertRequest) => Promise<UpsertCounts>;
}

export interface ManyAccountsParts {
  readonly request: FastifyRequest;
  readonly selection: Selection;
  readonly maxAccounts: number | undefined;
  readonly work: ManyAccountsWork;
  readonly stopping: AbortSignal;
  readonly parts: V2Parts;
}

type Reason = 'invalid' | 'changed' | 'not_found';

/** Edits or deletes the selected accounts page by page, and generates the response from what becomes of them. */
export class ManyAccounts {
  readonly #parts: ManyAccountsParts;
  readonly #counts = noCounts();
  #matched = 0;
  #rejected = 0;
  #kept = 0;
  #shown = 0;
  #shownBytes = 0;
  #authorizedAt = performance.now();

  constructor(parts: ManyAccountsParts) {
    this.#parts = parts;
  }

  /** A line with the progress at the start and after each page, one per account that is rejected, then a summary. */
  async *lines(): AsyncGenerator<string, void> {
    const { request } = this.#parts;
    let problem: HttpError | null = httpError('request_aborted');
    try {
      yield this.#progress();
      problem = yield* this.#pages();
    } catch (error) {
      // It waited for the queue until the service stopped.
      if (error instanceof QueueFull) problem = httpError('edit_interrupted');
      else {
        request.log.error({ err: error, id: request.id }, `${this.#parts.work.what} failed`);
        problem = httpError('internal_error');
      }
    } finally {
      request.records = this.#matched;
      request.rejectedRecords = this.#rejected;
      await this.#endRun(problem === null);
    }
    yield this.#summary(problem);
  }

  /** Returns why it ended before the last page; null if it did not. */
  async *#pages(): AsyncGenerator<string, HttpError | null> {
    const { request, selection, maxAccounts = Number.POSITIVE_INFINITY, work, parts } = this.#parts;
    let left = maxAccounts;
    const { id } = principalOf(request).tenant;
    for await (const page of pagesOf(parts.store, id, selection, work.bytesPerPatch)) {
      yield (await this.#change({ ...page, accounts: page.accounts.slice(0, left) })) + this.#progress();
      if (page.accounts.length > left) return httpError('too_many_matching', maxAccounts);
      left -= page.accounts.length;
      const problem = await this.#problem();
      if (problem !== null) return problem;
    }
    return null;
  }

  /** The lines about the accounts of a page. */
  async #change({ accounts, missing }: SelectedPage): Promise<string> {
    const { request, work, parts } = this.#parts;
    this.#matched += accounts.length + missing.length;
    let lines = missing.map((accountId) => this.#reject(accountId, 'not_found')).join('');
    const planned: { readonly account: Account; readonly patch: AccountPatch }[] = [];
    for (const account of accounts) {
      const plan = work.plan(account);
      if ('errors' in plan) lines += this.#reject(account.accountId, 'invalid', plan.errors);
      else planned.push({ account, patch: plan.patch });
    }
    if (planned.length === 0) return lines;
    const { senderId, tenant } = principalOf(request);
    const patches = planned.map(({ patch }) => patch);
    const at = parts.clock();
    const { records = [], conflicts = [] } = await this.#write(accounts, {
      tenantId: tenant.id,
      senderId,
      requestId: request.id,
      runId: request.runId ?? undefined,
      at,
      patches,
      bytes: patches.length * work.bytesPerPatch,
      isIndependent: true,
      wantsRecords: true,
    });
    const conflictOf = new Map(conflicts.map(({ index, reason }) => [index, reason]));
    for (const [i, { account, patch }] of planned.entries()) {
      const { accountId } = account;
      const { outcome, kept = [], refused = [] } = records[i] as RecordResult;
      const conflict = conflictOf.get(i);
      if (outcome === 'refused')
        lines += this.#reject(accountId, 'invalid', ownershipErrors({ account_id: accountId }, refused));
      else if (conflict !== undefined)
        lines += this.#reject(accountId, conflict === 'deleted' ? 'not_found' : 'changed');
      else {
        this.#counts[outcome] += 1;
        this.#kept += kept.length;
        if (request.isDryRun && outcome !== 'unchanged') lines += this.#show(account, patch, at);
      }
    }
    return lines;
  }

  /** Waits while the write queue is full. */
  #write(accounts: readonly Account[], upsert: UpsertRequest): Promise<UpsertCounts> {
    const { request, work, stopping } = this.#parts;
    if (request.isDryRun) {
      const known = new Map(accounts.map((account) => [account.accountId, account]));
      return previewUpsert(async () => known, upsert);
    }
    const hasEnded = () => stopping.aborted || request.raw.destroyed;
    return whenQueueHasRoom(() => work.write(upsert), hasEnded);
  }

  #show(account: Account, patch: AccountPatch, at: number): string {
    if (this.#shown === SHOWN || this.#shownBytes >= PAGE_BYTES) return '';
    const { accountId, fields } = account;
    const { outcome, changes } = applyPatch(account, patch, at);
    const shown = line({
      account: {
        account_id: accountId,
        name: fields.name ?? null,
        outcome,
        changes: patch.erase ? [] : changedFields(changes),
      },
    });
    this.#shown += 1;
    this.#shownBytes += shown.length;
    return shown;
  }

  #reject(accountId: string, reason: Reason, errors: AttributeErrors = new Map()): string {
    this.#rejected += 1;
    return line({ rejected: { account_id: accountId, reason, errors: Object.fromEntries(errors) } });
  }

  /** Why it has to end here; null if it goes on. */
  async #problem(): Promise<HttpError | null> {
    const { request, work, stopping, parts } = this.#parts;
    if (stopping.aborted) return httpError('edit_interrupted');
    if (performance.now() - this.#authorizedAt < REAUTHORIZE_INTERVAL_MS) return null;
    this.#authorizedAt = performance.now();
    const principal = await parts.reauthorize(request, work.access);
    if (principal === undefined) return httpError('key_ended');
    // With the rules of now.
    request.principal = principal;
    return null;
  }

  async #endRun(isComplete: boolean): Promise<void> {
    const { request, parts } = this.#parts;
    if (request.runId === null) return;
    const { unchanged } = this.#counts;
    const counts = { unchanged, kept: this.#kept, rejected: this.#rejected };
    parts.runs.record(request, { ...counts, failedRequests: isComplete ? 0 : 1 });
    try {
      const state = isComplete ? 'finished' : 'abandoned';
      await parts.runs.finish(principalOf(request), String(request.runId), state);
    } catch (error) {
      request.log.warn({ err: error, id: request.id }, 'run of an edit not ended');
    }
  }

  get #totals() {
    const { updated, archived, restored, deleted, unchanged } = this.#counts;
    const { runId } = this.#parts.request;
    return {
      run_id: runId === null ? null : String(runId),
      matched: this.#matched,
      updated,
      archived,
      restored,
      deleted,
      unchanged,
      rejected: this.#rejected,
    };
  }

  #progress(): string {
    return line({ progress: this.#totals });
  }

  #summary(problem: HttpError | null): string {
    return line({
      summary: {
        ...this.#totals,
        kept: this.#kept,
        dry_run: this.#parts.request.isDryRun,
        is_complete: problem === null,
        code: problem?.code ?? null,
        problem: problem?.message ?? null,
      },
    });
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
