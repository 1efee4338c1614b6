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
import { type Entry, RecordExaminer } from './record-examiner.js';

const GROUP_RECORDS = 200;
const GROUP_BYTES = 1024 * 1024;
/** What others wait for, of an import that has all its records here. */
const RECORDS_A_TURN = 50;

/** Records that are stored together. */
export interface Group {
  readonly entries: Entry[];
  /** Of the records and of the lines about them. */
  bytes: number;
}

export interface ImportReaderParts {
  readonly request: FastifyRequest;
  readonly body: Readable;
  readonly maxBytes: number;
  readonly rejections: RejectionLog;
  readonly throttle: BodyThrottle;
  /** Turns of tenants whose records are examined. */
  readonly scheduler: FairScheduler;
  readonly reauthorize: V2Parts['reauthorize'];
  /** The service is about to end. */
  readonly stopping: AbortSignal;
}

/** Reads the body of an import, no faster than groups are asked for. */
export class ImportReader {
  readonly #parts: ImportReaderParts;
  readonly #isArray: boolean;
  readonly #splitter: RecordSplitter;
  readonly #examiner: RecordExaminer;
  readonly #bytes: AsyncGenerator<Buffer, undefined>;
  #first: Buffer | undefined;
  #isOver = false;
  #isWaiting = false;
  /** Why not the whole body was read. */
  problem: string | null = null;

  constructor(parts: ImportReaderParts) {
    this.#parts = parts;
    this.#isArray = !/x-ndjson/i.test(parts.request.headers['content-type'] ?? '');
    this.#splitter = this.#isArray ? new ArraySplitter(parts.maxBytes) : new LineSplitter(parts.maxBytes);
    this.#examiner = new RecordExaminer({ ...parts, isArray: this.#isArray });
    this.#bytes = bodyBytes(parts.body);
  }

  /** Throws where this is no body to import: before anything is answered. */
  async begin(): Promise<void> {
    try {
      this.#first = await this.#next();
      if (this.#first === undefined) throw httpError('no_data');
      if (this.#isArray && this.#first[0] !== OPEN_BRACKET) throw httpError('not_an_array');
    } catch (error) {
      await this.#letGo();
      throw error;
    }
  }

  /** Never throws: what ends it early is its `problem`. */
  async *groups(): AsyncGenerator<Group, void> {
    let group: Group = { entries: [], bytes: 0 };
    try {
      for await (const pieces of this.#pieces()) {
        for (const piece of pieces) {
          if (group.entries.length % RECORDS_A_TURN === 0) await this.#parts.scheduler.turn(this.#tenantId);
          const entry = this.#examiner.examine(piece);
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

  /** Nothing more is of interest. */
  stop(): void {
    this.#isOver = true;
  }

  get #tenantId(): number {
    return principalOf(this.#parts.request).tenant.id;
  }

  async *#pieces(): AsyncGenerator<Iterable<Piece>, void> {
    try {
      let bytes = this.#first;
      while (bytes !== undefined && !this.#isOver) {
        await this.#parts.throttle.reads.turn(this.#tenantId);
        await this.#reauthorize();
        yield this.#splitter.push(bytes);
        bytes = await this.#next();
      }
      if (!this.#isOver) yield this.#splitter.end();
    } finally {
      await this.#letGo();
    }
  }

  /** Where bytes are still waited for, it comes to an end with the body, and nobody waits for that. */
  async #letGo(): Promise<void> {
    const end = this.#bytes.return(undefined).catch(() => {});
    if (!this.#isWaiting) await end;
  }

  /** The next bytes, which may be long in coming; the end of the service is not waited for. */
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

  /** An import may take hours: keys and settings that change meanwhile apply to it, too. */
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
    if (error.status < 500) this.#examiner.note(error);
    return `Record ${request.records}: ${error.message}`;
  }
}
