import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_MESSAGE_LENGTH } from '../../domain/rejected-record.js';
import { firstCharacters } from '../../domain/text.js';
import type { Rejection, TenantRejections } from '../../store/changes/rejections.js';
import { DiskFailure } from '../../store/errors.js';
import type { Store } from '../../store/store.js';
import type { ImportRejection } from '../../store/write/import-run.js';
import { errorFor } from '../errors.js';
import type {} from '../request-context.js';
import { toHttpError } from './error-replies.js';

const FLUSH_INTERVAL_MS = 1_000;

/** Rejections of one tenant that are stored per flush; further ones are only counted, so that a flood stays cheap. */
export const MAX_STORED_PER_FLUSH = 50;

/** A request that is rejected as a whole, or one at the place of a record that cannot be read. */
export interface RejectedRequest {
  readonly status: number;
  readonly problem: string;
  readonly place?: number;
}

interface Pending extends TenantRejections {
  readonly rejections: Rejection[];
  readonly total: Map<number, number>;
}

export interface RejectionLogParts {
  readonly store: Store;
  readonly log: FastifyBaseLogger;
  readonly clock: () => number;
}

/**
 * Stores rejected records and requests for `GET /api/v2/rejections`. Rejecting must stay cheap under a flood of invalid
 * records, so rejections are collected in memory and flushed once a second (write-behind).
 *
 *   add ─▶ pending, per tenant: up to 50 rejections, and a count per minute ──every second──▶ store
 *
 * Invariants: memory is bounded per tenant, and every message and record is shortened; all rejections are counted, also
 * those that are not stored; one write at a time; rejections of the last second are lost if the process is killed.
 */
export class RejectionLog {
  readonly #parts: RejectionLogParts;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<number, Pending>();
  #writing: Promise<void> | undefined;

  constructor(parts: RejectionLogParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
  }

  add(request: FastifyRequest, { status, problem, place }: RejectedRequest): void {
    const rejected = { place: place ?? null, accountId: null, errors: null, record: null };
    this.#add(request, 1, [{ ...rejected, status, problem: firstCharacters(problem, MAX_MESSAGE_LENGTH) }]);
  }

  /** Adds rejected records; `count` may be higher than the number of those that are described. */
  addRecords(
    request: FastifyRequest,
    { rejected, count }: { readonly rejected: readonly ImportRejection[]; readonly count: number },
  ): void {
    if (count > 0) this.#add(request, count, rejected.map(describe));
  }

  #add(
    { id, principal, runId, routeOptions }: FastifyRequest,
    count: number,
    rejected: readonly Omit<Rejection, 'at' | 'requestId' | 'senderId' | 'runId' | 'operation'>[],
  ): void {
    if (principal === null) return;
    const at = this.#parts.clock();
    const tenantId = principal.tenant.id;
    const known = this.#pending.get(tenantId);
    const pending: Pending = known ?? { tenantId, rejections: [], total: new Map() };
    if (known === undefined) this.#pending.set(tenantId, pending);
    const minute = at - (at % 60_000);
    pending.total.set(minute, (pending.total.get(minute) ?? 0) + count);
    const head = {
      at,
      requestId: id,
      senderId: principal.senderId,
      runId,
      operation: routeOptions.config.operation ?? '',
    };
    const free = MAX_STORED_PER_FLUSH - pending.rejections.length;
    for (const one of rejected.slice(0, Math.max(free, 0))) pending.rejections.push({ ...head, ...one });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    this.#flush();
    await this.#writing;
  }

  #flush(): void {
    // One write at a time: while the database is slow, rejections stay pending, within the limit per tenant.
    if (this.#pending.size === 0 || this.#writing !== undefined) return;
    const { store, clock, log } = this.#parts;
    const all = [...this.#pending.values()];
    this.#pending = new Map();
    this.#writing = store.jobs
      .recordRejections(all, clock())
      // `DiskWatch` logs a full disk once; here it would be logged every second.
      .catch((error) => error instanceof DiskFailure || log.warn(error, 'rejections not recorded'))
      .then(() => {
        this.#writing = undefined;
      });
  }
}

function describe(
  rejected: ImportRejection,
): Omit<Rejection, 'at' | 'requestId' | 'senderId' | 'runId' | 'operation'> {
  if (!('problem' in rejected)) return { ...rejected, status: 400, problem: null };
  const { status, message } = errorFor(rejected.problem);
  const problem = firstCharacters(message, MAX_MESSAGE_LENGTH);
  return { place: rejected.place, status, problem, accountId: null, errors: null, record: null };
}

/** Records rejections of whole requests; operations record those of single records themselves. */
export function recordRejectedRequests(app: FastifyInstance, rejections: RejectionLog): void {
  app.decorateRequest('isDryRun', false);
  app.addHook('onError', async (request, _reply, error) => {
    if (!request.routeOptions.config.syncs || request.isDryRun) return;
    const rejection = toHttpError(error);
    if (rejection === undefined) return;
    rejections.add(request, { status: rejection.status, problem: rejection.message });
  });
}
