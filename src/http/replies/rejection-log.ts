import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { rejectedId } from '../../domain/identifier.js';
import { isJsonObject, type JsonValue } from '../../domain/json.js';
import { redact } from '../../domain/redact.js';
import { firstCharacters, storableText } from '../../domain/text.js';
import type { AttributeErrors } from '../../domain/validate-account.js';
import type { Rejection, TenantRejections } from '../../store/changes/rejections.js';
import { DiskFailure } from '../../store/errors.js';
import type { Store } from '../../store/store.js';
import type {} from '../request-context.js';
import { toHttpError } from './error-replies.js';

const FLUSH_INTERVAL_MS = 1_000;

/** Rejections of one tenant that are stored per flush; further ones are only counted, so that a flood stays cheap. */
export const MAX_STORED_PER_FLUSH = 50;
const MAX_RECORD_LENGTH = 4_096;
const MAX_MESSAGES = 20;
const MAX_MESSAGE_LENGTH = 500;

export interface RejectedRecord {
  readonly status: number;
  readonly place?: number;
  readonly errors?: AttributeErrors;
  readonly problem?: string;
  readonly record?: JsonValue;
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

  add({ id, principal, routeOptions }: FastifyRequest, rejected: RejectedRecord): void {
    if (principal === null) return;
    const at = this.#parts.clock();
    const tenantId = principal.tenant.id;
    const known = this.#pending.get(tenantId);
    const pending: Pending = known ?? { tenantId, rejections: [], total: new Map() };
    if (known === undefined) this.#pending.set(tenantId, pending);
    const minute = at - (at % 60_000);
    pending.total.set(minute, (pending.total.get(minute) ?? 0) + 1);
    if (pending.rejections.length >= MAX_STORED_PER_FLUSH) return;
    const { status, place = null, errors, problem = null, record = null } = rejected;
    pending.rejections.push({
      at,
      requestId: id,
      keyId: principal.keyId,
      operation: routeOptions.config.operation ?? '',
      status,
      place,
      accountId: accountIdOf(record),
      errors: errors === undefined ? null : clipErrors(errors),
      problem: problem === null ? null : firstCharacters(problem, MAX_MESSAGE_LENGTH),
      record: clipRecord(record),
    });
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

function accountIdOf(record: JsonValue): string | null {
  return isJsonObject(record) ? rejectedId(record.account_id ?? null) : null;
}

/** Removes characters that no database accepts: a record that was rejected for them must still be recorded. */
function clipErrors(errors: AttributeErrors): Record<string, readonly string[]> {
  const clipped = [...errors]
    .slice(0, MAX_MESSAGES)
    .map(([name, messages]): [string, string[]] => [
      storableText(firstCharacters(name, MAX_MESSAGE_LENGTH)),
      messages.map((message) => storableText(firstCharacters(message, MAX_MESSAGE_LENGTH))),
    ]);
  return Object.fromEntries(clipped);
}

function clipRecord(record: JsonValue): JsonValue {
  const redacted = redact(record);
  const text = JSON.stringify(redacted);
  if (text.length <= MAX_RECORD_LENGTH) return redacted;
  return { truncated: storableText(firstCharacters(text, MAX_RECORD_LENGTH)) };
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
