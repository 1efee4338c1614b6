import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { type Account, type AccountPatch, applyPatch } from '../../../domain/account.js';
import { type AttributeErrors, ownershipErrors } from '../../../domain/validate-account.js';
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
import { RUN } from '../../../wire/run-body.js';
import type { Access } from '../../auth/access.js';
import { principalOf } from '../../auth/authenticate.js';
import { type HttpError, httpError } from '../../errors.js';
import type { ResponseDescription } from '../../openapi/description.js';
import type { V2Parts } from '../operation.js';
import { type RunningStreams, streamLines } from '../stream-lines.js';
import {
  pagesOf,
  readSelection,
  type SelectedPage,
  type Selection,
  type SelectionBody,
} from './account-selection.js';

const REAUTHORIZE_INTERVAL_MS = 1_000;
/** Limits memory and work. */
const MAX_PER_TENANT = 5;
/** Accounts that a dry run shows. */
const SHOWN = 20;

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

interface ManyAccountsRequest extends FastifyRequest {
  body: SelectionBody;
}

/** Responds with the lines of what becomes of the accounts that the body selects. */
export async function streamManyAccounts(
  streams: RunningStreams,
  request: ManyAccountsRequest,
  reply: FastifyReply,
  work: ManyAccountsWork,
  parts: V2Parts,
): Promise<FastifyReply> {
  const { senderId, source, tenant } = principalOf(request);
  if (streams.countOf(tenant.id) >= MAX_PER_TENANT) throw httpError('too_many_edits', MAX_PER_TENANT);
  const { max_accounts: maxAccounts, dry_run: isDryRun = false } = request.body;
  const selection = readSelection(request.body, tenant.rules);
  request.isDryRun = isDryRun;
  await streams.run(tenant.id, async () => {
    if (work.hasRun && !isDryRun) {
      const start = { tenantId: tenant.id, source, senderId, at: parts.clock() };
      request.runId = (await parts.store.runs.open(start, { mode: 'update-only' })).id;
    }
    const { stopping } = streams;
    const response = new ManyAccounts({ request, selection, maxAccounts, work, stopping, parts });
    await streamLines(request, reply, work.what, response.lines());
  });
  return reply;
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
    const { request, selection, maxAccounts = Number.POSITIVE_INFINITY, parts } = this.#parts;
    const { id } = principalOf(request).tenant;
    for await (const page of pagesOf(parts.store, id, selection)) {
      const left = Math.max(0, maxAccounts - this.#matched);
      yield (await this.#change({ ...page, accounts: page.accounts.slice(0, left) })) + this.#progress();
      if (page.accounts.length > left) return httpError('too_many_matching', maxAccounts);
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
      bytes: JSON.stringify(patches).length,
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
        if (request.isDryRun && outcome !== 'unchanged' && this.#shown < SHOWN)
          lines += this.#show(account, patch, at);
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
    this.#shown += 1;
    const { accountId, fields } = account;
    const { outcome, changes } = applyPatch(account, patch, at);
    return line({
      account: {
        account_id: accountId,
        name: fields.name ?? null,
        outcome,
        changes: patch.erase ? [] : changedFields(changes),
      },
    });
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

const COUNTS = {
  run_id: RUN.id,
  matched: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  deleted: 0,
  unchanged: 0,
  rejected: 0,
};

/** Describes the response, with an example in which the accounts have one outcome. */
export function linesResponse(outcome: 'updated' | 'deleted'): ResponseDescription {
  const counts = { ...COUNTS, run_id: outcome === 'deleted' ? null : RUN.id };
  const done = { ...counts, matched: 200, [outcome]: 199, rejected: 1 };
  const example = [
    { progress: counts },
    { rejected: { account_id: 'acme', reason: 'changed', errors: {} } },
    { progress: done },
    { summary: { ...done, kept: 0, dry_run: false, is_complete: true, code: null, problem: null } },
  ];
  return {
    description:
      'A line with the progress at the start and after each step, one per account that is rejected, in a dry run one ' +
      `for each of the first ${SHOWN} accounts that would change, and a summary as the last line.`,
    content: {
      'application/x-ndjson': {
        schema: Type.String({ description: 'One JSON object per line.' }),
        examples: { ok: { value: example.map(line).join('') } },
      },
    },
  };
}
