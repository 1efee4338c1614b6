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

/** Of one tenant between two writes; the others are only counted, so a flood costs no more than this. */
export const KEPT_AT_ONCE = 50;
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

interface Gathered extends TenantRejections {
  readonly rejections: Rejection[];
  readonly total: Map<number, number>;
}

export interface RejectionLogParts {
  readonly store: Store;
  readonly log: FastifyBaseLogger;
  readonly clock: () => number;
}

/** What was refused, gathered and written beside the requests: refusing stays cheap, whoever provokes it. */
export class RejectionLog {
  readonly #parts: RejectionLogParts;
  readonly #timer: NodeJS.Timeout;
  #gathered = new Map<number, Gathered>();
  #writing: Promise<void> | undefined;

  constructor(parts: RejectionLogParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#flush(), FLUSH_INTERVAL_MS).unref();
  }

  note({ id, principal, routeOptions }: FastifyRequest, refused: RejectedRecord): void {
    if (principal === null) return;
    const at = this.#parts.clock();
    const tenantId = principal.tenant.id;
    const known = this.#gathered.get(tenantId);
    const gathered: Gathered = known ?? { tenantId, rejections: [], total: new Map() };
    if (known === undefined) this.#gathered.set(tenantId, gathered);
    const minute = at - (at % 60_000);
    gathered.total.set(minute, (gathered.total.get(minute) ?? 0) + 1);
    if (gathered.rejections.length >= KEPT_AT_ONCE) return;
    const { status, place = null, errors, problem = null, record = null } = refused;
    gathered.rejections.push({
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
    // One write at a time: where the database is slow, what comes meanwhile is gathered, and bounded.
    if (this.#gathered.size === 0 || this.#writing !== undefined) return;
    const { store, clock, log } = this.#parts;
    const all = [...this.#gathered.values()];
    this.#gathered = new Map();
    this.#writing = store.jobs
      .recordRejections(all, clock())
      // A full disk is told once, by `DiskWatch`, and not every second.
      .catch((error) => error instanceof DiskFailure || log.warn(error, 'refusals not recorded'))
      .then(() => {
        this.#writing = undefined;
      });
  }
}

function accountIdOf(record: JsonValue): string | null {
  return isJsonObject(record) ? rejectedId(record.account_id ?? null) : null;
}

/** What is refused for its text must not be what keeps the refusal from being stored. */
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

/** Refusals of whole requests; those of records are noted by the operations themselves. */
export function recordRejectedRequests(app: FastifyInstance, rejections: RejectionLog): void {
  app.decorateRequest('isDryRun', false);
  app.addHook('onError', async (request, _reply, error) => {
    if (!request.routeOptions.config.syncs || request.isDryRun) return;
    const refusal = toHttpError(error);
    if (refusal === undefined) return;
    rejections.note(request, { status: refusal.status, problem: refusal.message });
  });
}
