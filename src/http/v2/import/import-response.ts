import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { FAILED, type ImportCounts, summaryLine } from '../../../formats/import-lines.js';
import {
  EMPTY_STEP,
  type ImportChunk,
  type ImportSession,
  type ImportStep,
} from '../../../store/write/import-run.js';
import { errorOf, failure } from '../../../store/write/ingest-failure.js';
import { whenQueueHasRoom } from '../../../store/write/when-queue-has-room.js';
import { principalOf } from '../../auth/authenticate.js';
import { drainToEnd, LINGER_MS } from '../../body/drain-body.js';
import { errorFor, type HttpError } from '../../errors.js';
import type { RejectionLog } from '../../replies/rejection-log.js';
import type { RunTracker } from '../../runs/run-tracker.js';
import type { ImportReader } from './import-reader.js';

const STOPPING_LINGER_MS = 500;
/** While the records of one chunk are written, those of the next are validated. */
const CHUNKS_AHEAD = 2;

export interface ImportResponseParts {
  readonly request: FastifyRequest;
  readonly reader: ImportReader;
  readonly session: ImportSession;
  readonly rejections: RejectionLog;
  readonly runs: RunTracker;
  readonly clock: () => number;
}

/** Sends the chunks of an import to its session in order, and generates the response from what becomes of them. */
export class ImportResponse {
  readonly #parts: ImportResponseParts;
  readonly #counts: ImportCounts = { ...EMPTY_STEP.counts };
  /** Why the import ended before its body did; null if it has not. */
  #problem: string | null = null;
  /** Resolves when the session has taken all chunks so far. */
  #taken: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  constructor(parts: ImportResponseParts) {
    this.#parts = parts;
  }

  /** One result line per record, then a summary. If the client does not read them, no more is read from it. */
  async *lines(): AsyncGenerator<string | Uint8Array, void> {
    const { request, reader } = this.#parts;
    const chunks = reader.chunks();
    try {
      yield* this.#results(chunks);
      const isComplete = this.#problem === null;
      yield summaryLine(this.#counts, { dryRun: request.isDryRun, isComplete, problem: this.#problem });
      if (isComplete) return;
      reader.stop();
      // Shorter when the service stops: a client that sends nothing would delay the stop.
      const linger = reader.isStopping ? STOPPING_LINGER_MS : LINGER_MS;
      await Promise.race([chunks.return(), setTimeout(linger, undefined, { ref: false })]);
      await drainToEnd(request.raw, linger);
    } finally {
      this.#hasEnded = true;
      reader.stop();
    }
  }

  /** The result lines. Counts the request in its run; if the client disconnects before the last line, as failed. */
  async *#results(chunks: AsyncGenerator<ImportChunk, void>): AsyncGenerator<Uint8Array, void> {
    const { request, reader, runs } = this.#parts;
    let isComplete = false;
    try {
      for await (const step of this.#steps(chunks)) {
        yield this.#record(step);
        if (this.#problem !== null) return;
      }
      if (reader.problem !== undefined) this.#end(reader.problem);
      isComplete = this.#problem === null;
    } finally {
      runs.record(request, { failedRequests: isComplete ? 0 : 1 });
    }
  }

  /** What becomes of the chunks, in order, each as soon as it is known. */
  async *#steps(chunks: AsyncGenerator<ImportChunk, void>): AsyncGenerator<ImportStep, void> {
    const steps: Promise<ImportStep>[] = [];
    let next: Promise<IteratorResult<ImportChunk, void>> | undefined = chunks.next();
    while (next !== undefined || steps.length > 0) {
      const [first] = steps;
      const arrived = steps.length < CHUNKS_AHEAD ? next : undefined;
      const event = await Promise.race([
        ...(arrived === undefined ? [] : [arrived.then((chunk) => ({ chunk }))]),
        ...(first === undefined ? [] : [first.then((step) => ({ step }))]),
      ]);
      if ('step' in event) {
        steps.shift();
        yield event.step;
      } else if (event.chunk.done) next = undefined;
      else {
        steps.push(this.#push(event.chunk.value));
        next = chunks.next();
      }
    }
  }

  /** Sends a chunk after those before it, and resolves with what becomes of its records. */
  async #push(chunk: ImportChunk): Promise<ImportStep> {
    const taken = this.#taken.then(() => this.#take(chunk));
    this.#taken = taken;
    try {
      return await (await taken).step;
    } catch (error) {
      // Without result lines: it is unknown what the thread did before it ended.
      return { ...EMPTY_STEP, end: failure(error as Error) };
    }
  }

  /** Waits while the write queue is full. */
  async #take(chunk: ImportChunk): Promise<{ readonly step: Promise<ImportStep> }> {
    const { request, session, clock } = this.#parts;
    if (this.#hasEnded) return { step: Promise.resolve(EMPTY_STEP) };
    return whenQueueHasRoom(
      () => ({ step: session.push(chunk, principalOf(request).tenant.settings, clock()) }),
      () => this.#hasEnded,
    );
  }

  #record({ lines, counts, rejected, rejectedCount, end }: ImportStep): Uint8Array {
    const { request, rejections, runs } = this.#parts;
    for (const name of ['created', 'updated', 'unchanged', 'skipped', 'failed'] as const) {
      this.#counts[name] += counts[name];
      request.records += counts[name];
    }
    this.#counts.kept += counts.kept;
    request.rejectedRecords += counts.failed;
    if (!request.isDryRun) rejections.addRecords(request, { rejected, count: rejectedCount });
    const { unchanged, skipped, kept } = counts;
    runs.record(request, { unchanged, skipped, kept, rejected: rejectedCount }, 0);
    if (end === undefined) return lines;
    if ('error' in end) {
      request.log.error({ err: errorOf(end), id: request.id }, 'import failed');
      this.#problem = FAILED;
    } else this.#end(errorFor(end));
    return lines;
  }

  #end({ status, message, code }: HttpError): void {
    const { request, rejections } = this.#parts;
    if (status < 500 && !request.isDryRun) {
      rejections.add(request, { status, place: request.records, problem: message });
    }
    this.#problem = code === 'internal_error' ? message : `Record ${request.records}: ${message}`;
  }
}
