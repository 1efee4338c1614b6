import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { OPEN_BRACKET } from '../../../formats/json-bytes.js';
import type { ImportChunk } from '../../../store/write/import-run.js';
import { ERRORS, HttpError, httpError } from '../../errors.js';
import type { V2Parts } from '../operation.js';
import { bodyBytes } from './body-bytes.js';

export interface ImportReaderParts {
  readonly request: FastifyRequest;
  readonly body: Readable;
  readonly reauthorize: V2Parts['reauthorize'];
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal;
}

/**
 * Reads the body of an import. No more is read than `ImportResponse` requests, so a slow database or client slows down
 * the sender. The credentials are checked again with every chunk. Reading ends with a `problem`, never with an
 * exception, when the key ends or the service stops.
 */
export class ImportReader {
  readonly #parts: ImportReaderParts;
  readonly isArray: boolean;
  readonly #bytes: AsyncGenerator<Buffer, undefined>;
  #first: Buffer | undefined;
  #isStopped = false;
  #isWaiting = false;
  #onStop = (): void => {};
  readonly #stopReading = () => this.#onStop();
  /** Why reading ended before the end of the body; undefined if it did not. */
  problem: HttpError | undefined;

  constructor(parts: ImportReaderParts) {
    this.#parts = parts;
    this.isArray = !/x-ndjson/i.test(parts.request.headers['content-type'] ?? '');
    this.#bytes = bodyBytes(parts.body);
    parts.stopping.addEventListener('abort', this.#stopReading);
  }

  /** Reads the first bytes. Throws if the body cannot be imported, before the response starts. */
  async begin(): Promise<void> {
    try {
      this.#first = await this.#next();
      if (this.#first === undefined) throw httpError('no_data');
      if (this.isArray && this.#first[0] !== OPEN_BRACKET) throw httpError('not_an_array');
    } catch (error) {
      await this.#release();
      throw error;
    }
  }

  /** The chunks of the body. Never throws: an early end sets `problem`. */
  async *chunks(): AsyncGenerator<ImportChunk, void> {
    const { request, body } = this.#parts;
    try {
      let bytes = this.#first;
      while (bytes !== undefined && !this.#isStopped) {
        await this.#reauthorize();
        const isLast = request.raw.complete && body.readableLength === 0;
        yield { bytes, isLast };
        if (isLast) return;
        bytes = await this.#next();
      }
      if (!this.#isStopped) yield { bytes: Buffer.alloc(0), isLast: true };
    } catch (error) {
      this.problem = this.#asHttpError(error);
    } finally {
      await this.#release();
    }
  }

  get isStopping(): boolean {
    return this.#parts.stopping.aborted;
  }

  /** Ends reading after the current chunk. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Ends the generator of bytes. If a read is pending, that ends only with the body, so it is not awaited. */
  async #release(): Promise<void> {
    this.#parts.stopping.removeEventListener('abort', this.#stopReading);
    const end = this.#bytes.return(undefined).catch(() => {});
    if (!this.#isWaiting) await end;
  }

  /** The next bytes; rejects as soon as the service stops, even if the client sends nothing. */
  #next(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      this.#onStop = () => reject(httpError('stopping'));
      if (this.isStopping) return this.#onStop();
      this.#isWaiting = true;
      const next = this.#bytes.next().finally(() => {
        this.#isWaiting = false;
      });
      next.then(({ value }) => resolve(value), reject);
    });
  }

  /** An import may run for hours, so changes of keys and settings must apply to it, too. */
  async #reauthorize(): Promise<void> {
    const { request, reauthorize } = this.#parts;
    const principal = await reauthorize(request, 'sync');
    if (principal === undefined) throw httpError('key_ended');
    request.principal = principal;
  }

  #asHttpError(error: unknown): HttpError {
    if (error instanceof HttpError) return error;
    const { log, id } = this.#parts.request;
    log.error({ err: error, id }, 'import failed');
    return new HttpError('internal_error', ERRORS.internal_error.message());
  }
}
