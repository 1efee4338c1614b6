import type { FastifyRequest } from 'fastify';
import type { Outcome } from '../../../domain/account.js';
import { noCounts, type UpsertCounts, type UpsertRequest } from '../../../store/requests.js';
import type { Run } from '../../../store/runs/run.js';
import { previewUpsert } from '../../../store/write/dry-run.js';
import type { UndoConflict, UndoOptions, UndoStep, WritePatches } from '../../../store/write/undo-changes.js';
import { whenQueueHasRoom } from '../../../store/write/when-queue-has-room.js';
import { principalOf } from '../../auth/authenticate.js';
import { type HttpError, httpError } from '../../errors.js';
import type { V2Parts } from '../operation.js';

/** After a crash, at most the work of this time is repeated. */
const SAVE_INTERVAL_MS = 1_000;

export interface UndoResponseParts {
  readonly request: FastifyRequest;
  readonly options: UndoOptions;
  /** How many changes there are. */
  readonly changes: number;
  /** The undo as it is stored; undefined in a dry run. */
  readonly undo: Run | undefined;
  readonly stopping: AbortSignal;
  readonly parts: V2Parts;
}

/** Takes back the changes of a run, and generates the response from what becomes of them. */
export class UndoResponse {
  readonly #parts: UndoResponseParts;
  readonly #counts = noCounts();
  /** As stored. */
  #examined: number;
  #conflicts: number;
  #unsaved: { position: UndoStep['position']; examined: number; conflicts: number } | undefined;
  #savedAt = performance.now();

  constructor(parts: UndoResponseParts) {
    this.#parts = parts;
    this.#examined = parts.undo?.undo?.examined ?? 0;
    this.#conflicts = parts.undo?.undo?.conflicts ?? 0;
  }

  /** A line at the start and after each step, one per conflict, then a summary. */
  async *lines(): AsyncGenerator<string, void> {
    const { request } = this.#parts;
    let problem: HttpError | null = null;
    try {
      yield this.#progress();
      for await (const step of this.#steps()) {
        const conflicts = step.conflicts.map((conflict) => line({ conflict: conflictBody(conflict) }));
        yield conflicts.join('') + this.#progress();
        problem = await this.#problem();
        if (problem !== null) break;
      }
      if (problem === null && !(await this.#save())) problem = httpError('undo_taken_over');
    } catch (error) {
      request.log.error({ err: error, id: request.id }, 'undo failed');
      problem = httpError('internal_error');
    } finally {
      await this.#save().catch(() => false);
    }
    yield await this.#summary(problem);
  }

  async *#steps(): AsyncGenerator<UndoStep> {
    const { options, parts } = this.#parts;
    for await (const step of parts.store.undo.steps(options, this.#write)) {
      const { position, examined, counts, conflicts } = step;
      for (const outcome of Object.keys(counts) as Outcome[]) this.#counts[outcome] += counts[outcome];
      const { examined: before = 0, conflicts: others = 0 } = this.#unsaved ?? {};
      this.#unsaved = { position, examined: before + examined, conflicts: others + conflicts.length };
      yield step;
    }
  }

  /** Waits while the write queue is full. */
  readonly #write: WritePatches = async (patches, bytes) => {
    const { request, options, undo, stopping, parts } = this.#parts;
    const { senderId } = principalOf(request);
    const by = { tenantId: options.tenantId, senderId, runId: undo?.id, requestId: request.id };
    const upsert = (): UpsertRequest => ({ ...by, at: parts.clock(), patches, bytes });
    if (undo === undefined)
      return previewUpsert((...args) => parts.store.accounts.findAll(...args), upsert());
    return whenQueueHasRoom(
      () => parts.store.upsert(upsert()),
      () => stopping.aborted || request.raw.destroyed,
    );
  };

  /** Why the undo has to end here; null if it goes on. */
  async #problem(): Promise<HttpError | null> {
    const { request, stopping, parts } = this.#parts;
    if (stopping.aborted) return httpError('undo_interrupted');
    if (performance.now() - this.#savedAt < SAVE_INTERVAL_MS) return null;
    if ((await parts.reauthorize(request, 'sync')) === undefined) return httpError('key_ended');
    return (await this.#save()) ? null : httpError('undo_taken_over');
  }

  /** Stores the progress; false if the undo was ended, or is continued by another request. */
  async #save(): Promise<boolean> {
    const { options, undo, parts } = this.#parts;
    const unsaved = this.#unsaved;
    this.#savedAt = performance.now();
    this.#unsaved = undefined;
    if (unsaved === undefined) return true;
    this.#examined += unsaved.examined;
    this.#conflicts += unsaved.conflicts;
    if (undo === undefined) return true;
    const { tenantId } = options;
    const at = parts.clock();
    const { id: undoId, requests: request } = undo;
    return parts.store.jobs.recordUndo({ tenantId, undoId, request, ...unsaved, at });
  }

  get #ids() {
    const { options, undo } = this.#parts;
    return { run_id: undo === undefined ? null : String(undo.id), undoes: String(options.runId) };
  }

  #progress(): string {
    const { changes } = this.#parts;
    const examined = this.#examined + (this.#unsaved?.examined ?? 0);
    const conflicts = this.#conflicts + (this.#unsaved?.conflicts ?? 0);
    return line({ progress: { ...this.#ids, changes, examined, conflicts } });
  }

  async #summary(problem: HttpError | null): Promise<string> {
    const { options, undo, changes, parts } = this.#parts;
    const { tenantId, runId } = options;
    const isShort = this.#examined < changes;
    const why = problem ?? (isShort ? httpError('history_removed', runId, this.#examined, changes) : null);
    const mustEnd = undo !== undefined && problem === null;
    const ended = mustEnd ? await parts.runs.end(tenantId, undo.id, 'finished') : undefined;
    const { updated, archived, restored }: Pick<UpsertCounts, Outcome> | Run = ended ?? this.#counts;
    return line({
      summary: {
        ...this.#ids,
        changes,
        updated,
        archived,
        restored,
        conflicts: this.#conflicts,
        dry_run: undo === undefined,
        is_complete: why === null,
        code: why?.code ?? null,
        problem: why?.message ?? null,
      },
    });
  }
}

function conflictBody({ accountId, field, reason, before, left, now }: UndoConflict) {
  return { account_id: accountId, field, reason, before, left, now };
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
