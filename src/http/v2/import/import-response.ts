import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { AccountPatch } from '../../../domain/account.js';
import { QueueFull } from '../../../store/errors.js';
import type { RecordResult, UpsertRequest } from '../../../store/requests.js';
import type { Store } from '../../../store/store.js';
import { principalOf } from '../../auth/authenticate.js';
import { type BodyThrottle, LINGER_MS } from '../../body/throttle-body.js';
import { ERRORS } from '../../errors.js';
import type { Group, ImportReader } from './import-reader.js';
import { failedLine, type ImportCounts, storedLine, summaryLine } from './record-validator.js';

const QUEUE_FULL_PAUSE_MS = 50;
const STOPPING_LINGER_MS = 500;

const FAILED = ERRORS.internal_error.message();

export interface ImportResponseParts {
  readonly request: FastifyRequest;
  readonly reader: ImportReader;
  readonly store: Pick<Store, 'upsert'>;
  readonly throttle: BodyThrottle;
  readonly clock: () => number;
}

/** Stores the groups of an import in order, and generates the response: one result line per record, then a summary. */
export class ImportResponse {
  readonly #parts: ImportResponseParts;
  readonly #counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  #hasFailed = false;

  constructor(parts: ImportResponseParts) {
    this.#parts = parts;
  }

  /** The lines of the response. If the client does not read them, at most one group is read ahead. */
  async *lines(): AsyncGenerator<string, void> {
    const { request, reader, throttle } = this.#parts;
    const groups = reader.groups();
    let next = groups.next();
    try {
      for (let step = await next; !step.done; step = await next) {
        // The next group is read while this one is stored, but stored after it, so the order of records is kept.
        next = groups.next();
        yield await this.#store(step.value);
        if (this.#hasFailed) break;
      }
      const problem = this.#hasFailed ? FAILED : reader.problem;
      const isComplete = problem === null;
      yield summaryLine(this.#counts, { dryRun: request.isDryRun, isComplete, problem });
      if (isComplete) return;
      reader.stop();
      // Shorter when the service stops: a client that sends nothing would delay the stop.
      const linger = reader.isStopping ? STOPPING_LINGER_MS : LINGER_MS;
      await Promise.race([groups.return(), setTimeout(linger, undefined, { ref: false })]);
      await throttle.drainToEnd(request.raw, linger);
    } finally {
      reader.stop();
    }
  }

  async #store({ entries, bytes }: Group): Promise<string> {
    const patches = entries.flatMap(({ patch }) => patch ?? []);
    const results = patches.length === 0 ? [] : await this.#upsert(patches, bytes);
    const next = results?.values();
    return entries
      .map((entry) => {
        const result = entry.patch && next?.next().value;
        this.#counts[(result?.outcome ?? 'failed') as keyof ImportCounts] += 1;
        if (result === undefined) this.#parts.request.rejectedRecords += 1;
        if (entry.patch === undefined) return entry.line;
        const { index, patch } = entry;
        if (result === undefined) return failedLine(index, patch.accountId, FAILED);
        return storedLine(index, patch.accountId, result);
      })
      .join('');
  }

  /** Results in the order of the patches; `undefined` if the write failed or its outcome is unknown. */
  async #upsert(
    patches: readonly AccountPatch[],
    bytes: number,
  ): Promise<readonly RecordResult[] | undefined> {
    const { request, clock } = this.#parts;
    const { keyId, tenant } = principalOf(request);
    const upsert = { tenantId: tenant.id, keyId, requestId: request.id, at: clock(), patches, bytes };
    try {
      return (await this.#upsertWhenFree({ ...upsert, wantsRecords: true })).records;
    } catch (error) {
      request.log.error({ err: error, id: request.id }, 'import failed');
      this.#hasFailed = true;
      return undefined;
    }
  }

  /** Waits while the write queue is full, where other operations respond with 503. */
  async #upsertWhenFree(upsert: UpsertRequest): ReturnType<Store['upsert']> {
    for (;;) {
      try {
        return await this.#parts.store.upsert(upsert);
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error;
        await setTimeout(QUEUE_FULL_PAUSE_MS);
      }
    }
  }
}
