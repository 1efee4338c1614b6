import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { ArraySplitter, MalformedArray } from '../../../formats/array-splitter.js';
import { OPEN_BRACKET } from '../../../formats/json-bytes.js';
import {
  LineSplitter,
  type Piece,
  type RecordSplitter,
  TOO_LARGE,
} from '../../../formats/record-splitter.js';
import { principalOf } from '../../auth/authenticate.js';
import type { FairScheduler } from '../../body/fair-scheduler.js';
import type { BodyThrottle } from '../../body/throttle-body.js';
import { ERRORS, HttpError, httpError } from '../../errors.js';
import type { RejectionLog } from '../../replies/rejection-log.js';
import type { V2Parts } from '../operation.js';
import { bodyBytes } from './body-bytes.js';
import { type Entry, RecordValidator } from './record-validator.js';

const GROUP_RECORDS = 200;
const GROUP_BYTES = 1024 * 1024;
/** Records validated per turn, so that an import whose body has arrived does not delay other tenants. */
const RECORDS_PER_TURN = 50;

/** Records that are stored in one write. */
export interface Group {
  readonly entries: Entry[];
  /** Size of the records and of their result lines. */
  bytes: number;
}

export interface ImportReaderParts {
  readonly request: FastifyRequest;
  readonly body: Readable;
  readonly maxBytes: number;
  readonly rejections: RejectionLog;
  readonly throttle: BodyThrottle;
  /** Turns of tenants for validating records. */
  readonly scheduler: FairScheduler;
  readonly reauthorize: V2Parts['reauthorize'];
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
}

/**
 * Reads the body of an import as a pull-based pipeline, so that a body of any length needs bounded memory:
 *
 *   body ─▶ bodyBytes ─▶ splitter (lines or array elements) ─▶ RecordValidator ─▶ groups of ≤ 200 records or 1 MiB
 *
 * Invariants: no more is read than `ImportResponse` requests, so a slow database or client slows down the sender; the
 * credentials are checked again with every chunk; the import ends with a `problem`, never with an exception, at invalid
 * input, when its key ends, or when the service stops.
 */
export class ImportReader {
  readonly #parts: ImportReaderParts;
  readonly #isArray: boolean;
  readonly #splitter: RecordSplitter;
  readonly #validator: RecordValidator;
  readonly #bytes: AsyncGenerator<Buffer, undefined>;
  #first: Buffer | undefined;
  #isStopped = false;
  #isWaiting = false;
  /** Why reading ended before the end of the body; null if it did not. */
  problem: string | null = null;

  constructor(parts: ImportReaderParts) {
    this.#parts = parts;
    this.#isArray = !/x-ndjson/i.test(parts.request.headers['content-type'] ?? '');
    this.#splitter = this.#isArray ? new ArraySplitter(parts.maxBytes) : new LineSplitter(parts.maxBytes);
    this.#validator = new RecordValidator({ ...parts, isArray: this.#isArray });
    this.#bytes = bodyBytes(parts.body);
  }

  /** Reads the first bytes. Throws if the body cannot be imported, before the response starts. */
  async begin(): Promise<void> {
    try {
      this.#first = await this.#next();
      if (this.#first === undefined) throw httpError('no_data');
      if (this.#isArray && this.#first[0] !== OPEN_BRACKET) throw httpError('not_an_array');
    } catch (error) {
      await this.#release();
      throw error;
    }
  }

  /** Never throws: an early end sets `problem`. */
  async *groups(): AsyncGenerator<Group, void> {
    let group: Group = { entries: [], bytes: 0 };
    try {
      for await (const pieces of this.#pieces()) {
        for (const piece of pieces) {
          if (group.entries.length % RECORDS_PER_TURN === 0)
            await this.#parts.scheduler.waitForTurn(this.#tenantId);
          const entry = this.#validator.validate(piece);
          group.entries.push(entry);
          group.bytes += (piece === TOO_LARGE ? 0 : piece.length) + (entry.line?.length ?? 0);
          if (group.entries.length < GROUP_RECORDS && group.bytes < GROUP_BYTES) continue;
          yield group;
          group = { entries: [], bytes: 0 };
        }
      }
    } catch (error) {
      this.problem = this.#describe(error);
    }
    if (group.entries.length > 0) yield group;
  }

  get isStopping(): boolean {
    return this.#parts.stopping.aborted;
  }

  /** Ends reading after the current chunk. */
  stop(): void {
    this.#isStopped = true;
  }

  get #tenantId(): number {
    return principalOf(this.#parts.request).tenant.id;
  }

  async *#pieces(): AsyncGenerator<Iterable<Piece>, void> {
    try {
      let bytes = this.#first;
      while (bytes !== undefined && !this.#isStopped) {
        await this.#parts.throttle.reads.waitForTurn(this.#tenantId);
        await this.#reauthorize();
        yield this.#splitter.push(bytes);
        bytes = await this.#next();
      }
      if (!this.#isStopped) yield this.#splitter.end();
    } finally {
      await this.#release();
    }
  }

  /** Ends the generator of bytes. If a read is pending, that ends only with the body, so it is not awaited. */
  async #release(): Promise<void> {
    const end = this.#bytes.return(undefined).catch(() => {});
    if (!this.#isWaiting) await end;
  }

  /** The next bytes; throws as soon as the service stops, even if the client sends nothing. */
  async #next(): Promise<Buffer | undefined> {
    const { stopping } = this.#parts;
    if (stopping.aborted) throw httpError('stopping');
    const stopped = new AbortController();
    const stop = once(stopping, 'abort', { signal: stopped.signal }).then(
      () => Promise.reject(httpError('stopping')),
      () => new Promise<never>(() => {}),
    );
    this.#isWaiting = true;
    const next = this.#bytes.next().finally(() => {
      this.#isWaiting = false;
    });
    try {
      return (await Promise.race([next, stop])).value;
    } finally {
      stopped.abort();
    }
  }

  /** An import may run for hours, so changes of keys and settings must apply to it, too. */
  async #reauthorize(): Promise<void> {
    const { request, reauthorize } = this.#parts;
    const principal = await reauthorize(request);
    if (principal === undefined) throw httpError('key_ended');
    request.principal = principal;
  }

  #describe(cause: unknown): string {
    const { request } = this.#parts;
    const error = cause instanceof MalformedArray ? httpError('malformed_array', cause.message) : cause;
    if (!(error instanceof HttpError)) {
      request.log.error({ err: error, id: request.id }, 'import failed');
      return ERRORS.internal_error.message();
    }
    if (error.status < 500) this.#validator.recordRejection(error);
    return `Record ${request.records}: ${error.message}`;
  }
}
