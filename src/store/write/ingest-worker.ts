import type { MessagePort } from 'node:worker_threads';
import type { Account } from '../../domain/account.js';
import { type TenantSettings, tenantRules } from '../../domain/tenant.js';
import {
  type KeyUse,
  noCounts,
  type UpsertCounts,
  type UpsertOutcome,
  type UpsertRequest,
} from '../requests.js';
import { DryRun } from './dry-run.js';
import { HeldRecords } from './held-records.js';
import { type ImportOptions, ImportRun } from './import-run.js';
import { failure } from './ingest-failure.js';
import {
  addBounded,
  type CommittedGroup,
  type IngestCall,
  type IngestOutcome,
  type IngestReply,
  type RequestHead,
} from './ingest-messages.js';
import { prepareRequest, type RequestLimits, rejectOwned } from './prepare-request.js';
import { pushedBy, type TenantInThread } from './tenant-in-thread.js';

/** A request to write. */
export interface IngestTask {
  readonly upsert: UpsertRequest;
  readonly settle: (outcome: UpsertOutcome) => void;
}

/** What an ingest thread does with its database. */
export interface IngestDatabase {
  /** Writes a request, with others if possible, and settles it. */
  submit(task: IngestTask): void;
  recordKeyUse(uses: readonly KeyUse[]): Promise<void>;
  /** The accounts with these ids, for a dry run. */
  read(tenantId: number, accountIds: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /** Finishes what was submitted, and closes the database. */
  close(): Promise<void>;
}

interface RunningImport {
  readonly run: Pick<ImportRun, 'push'>;
  close(): void;
}

/** Serves the calls of the event loop in an ingest thread. */
export class IngestWorker {
  readonly #port: MessagePort;
  readonly #limits: RequestLimits;
  readonly #database: IngestDatabase;
  readonly #tenants = new Map<number, TenantInThread>();
  readonly #imports = new Map<number, RunningImport>();
  readonly #heldRecords: HeldRecords;
  #replies: [number, IngestOutcome][] = [];

  constructor(port: MessagePort, limits: RequestLimits, database: IngestDatabase) {
    this.#port = port;
    this.#limits = limits;
    this.#database = database;
    this.#heldRecords = new HeldRecords(limits.maxBodyBytes);
  }

  handle(call: IngestCall): void {
    if ('requests' in call) this.#receive(call);
    else if ('settings' in call) this.#setTenant(call.tenantId, call.settings);
    else if ('upsert' in call) {
      const settle = (outcome: UpsertOutcome) =>
        this.reply(call.id, 'error' in outcome ? failure(outcome.error) : { upserted: outcome.counts });
      this.#submit({ upsert: call.upsert, settle });
    } else if ('importId' in call) this.#continueImport(call);
    else if ('keyUses' in call) {
      const done = this.#database.recordKeyUse(call.keyUses).then(() => ({ done: true }) as const);
      void this.#replyLater(call.id, done);
    } else if ('ping' in call) this.reply(call.id, { done: true });
    else if ('exit' in call) process.exit();
    else void this.#end();
  }

  reply(id: number, outcome: IngestOutcome): void {
    if (this.#replies.length === 0) setImmediate(() => this.flush());
    this.#replies.push([id, outcome]);
  }

  /** Sends the replies so far. `group` is what they were committed with. */
  flush(group?: CommittedGroup): void {
    if (this.#replies.length === 0 && group === undefined) return;
    const replies = this.#replies;
    this.#replies = [];
    // Result lines are moved, not copied.
    const moved = replies.flatMap(([, outcome]) =>
      'step' in outcome && outcome.step.lines.length > 0 ? outcome.step.lines.buffer : [],
    );
    this.#port.postMessage({ replies, group } satisfies IngestReply, moved);
  }

  #receive(call: { readonly requests: readonly RequestHead[]; readonly bodies: Uint8Array }): void {
    const { buffer, byteOffset } = call.bodies;
    let from = byteOffset;
    for (const head of call.requests) {
      const { id, kind, tenantId, senderId, source, runId, mode, requestId, at, bytes } = head;
      const body = Buffer.from(buffer, from, bytes);
      const prepared = this.#prepare(kind, tenantId, source, body);
      from += bytes;
      if ('problem' in prepared || 'failed' in prepared) {
        this.reply(id, prepared);
        continue;
      }
      const { patches, rejected, accountIds } = prepared;
      const pushed = pushedBy(this.#tenant(tenantId), head, accountIds);
      if (rejected !== undefined && pushed === undefined) {
        this.reply(id, rejected);
        continue;
      }
      const records = rejected?.records ?? patches.length;
      // Bodies are kept only if they may be needed again.
      const ownedBody = patches.some(({ owned }) => owned !== undefined) ? body : undefined;
      const settle = (outcome: UpsertOutcome) => {
        if ('error' in outcome) this.reply(id, { failed: failure(outcome.error), records });
        else if (ownedBody !== undefined && outcome.counts.refused !== undefined)
          this.reply(id, rejectOwned(kind, ownedBody, outcome.counts.refused));
        else this.reply(id, rejected ?? { counts: outcome.counts, records });
      };
      this.#submit({
        upsert: { tenantId, senderId, runId, requestId, at, patches, mode, pushed, bytes },
        settle,
      });
    }
  }

  /** An unexpected error fails the request, not the thread. */
  #prepare(kind: RequestHead['kind'], tenantId: number, source: string, body: Buffer) {
    try {
      const { rules } = this.#tenant(tenantId);
      return prepareRequest(kind, body, { rules, source, limits: this.#limits });
    } catch (error) {
      return { failed: failure(error as Error), records: 0 };
    }
  }

  #submit(task: IngestTask): void {
    try {
      this.#database.submit(task);
    } catch (error) {
      task.settle({ error: error as Error });
    }
  }

  #continueImport(call: Extract<IngestCall, { readonly importId: number }>): void {
    const { importId } = call;
    if ('begin' in call) this.#begin(importId, call.begin);
    else if ('close' in call) {
      this.#imports.get(importId)?.close();
      this.#imports.delete(importId);
    } else {
      const { bytes, isLast, at } = call;
      const chunk = { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isLast };
      // If there is none, it began in a thread that has ended.
      const running = this.#imports.get(importId);
      const push = async () => {
        if (running === undefined) throw new Error('The thread that ran the import has ended.');
        return { step: await running.run.push(chunk, at) };
      };
      void this.#replyLater(call.id, push());
    }
  }

  /** An import that cannot begin fails with its first bytes. */
  #begin(importId: number, options: ImportOptions): void {
    try {
      this.#imports.set(importId, this.#beginImport(options));
    } catch (error) {
      const run = { push: () => Promise.reject(error) };
      this.#imports.set(importId, { run, close: () => {} });
    }
  }

  #beginImport(options: ImportOptions): RunningImport {
    const dryRun = options.isDryRun
      ? new DryRun((tenantId, ids) => this.#database.read(tenantId, ids))
      : undefined;
    const run = new ImportRun({
      options,
      held: this.#heldRecords,
      tenant: () => this.#tenant(options.tenantId),
      upsert: (request) => dryRun?.upsert(request) ?? this.#upsert(request),
    });
    // A temporary file that cannot be closed is removed with the process.
    const close = () => run.close().then(() => dryRun?.close());
    return { run, close: () => void close().catch(() => {}) };
  }

  #upsert(upsert: UpsertRequest): Promise<UpsertCounts> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: UpsertOutcome) => {
        if ('error' in outcome) reject(outcome.error);
        else resolve(outcome.counts);
      };
      this.#submit({ upsert, settle });
    });
  }

  async #replyLater(id: number, outcome: Promise<IngestOutcome>): Promise<void> {
    this.reply(id, await outcome.catch((error) => failure(error)));
  }

  #setTenant(tenantId: number, settings: TenantSettings): void {
    const { trackedSources } = settings;
    addBounded(this.#tenants, tenantId, { rules: tenantRules(settings), trackedSources });
  }

  #tenant(tenantId: number): TenantInThread {
    const tenant = this.#tenants.get(tenantId);
    if (tenant === undefined) throw new Error(`The settings of tenant ${tenantId} are missing.`);
    return tenant;
  }

  /** Without a listener on its port the thread ends. */
  async #end(): Promise<void> {
    await this.#database.close();
    this.flush();
    this.#port.close();
  }
}

/** The sum of the outcomes of a group. */
export function sumCounts(outcomes: readonly UpsertOutcome[]): UpsertCounts {
  const sum = noCounts();
  for (const outcome of outcomes) {
    if ('error' in outcome) continue;
    sum.created += outcome.counts.created;
    sum.updated += outcome.counts.updated;
    sum.unchanged += outcome.counts.unchanged;
    sum.skipped += outcome.counts.skipped;
    sum.archived += outcome.counts.archived;
    sum.restored += outcome.counts.restored;
    sum.deleted += outcome.counts.deleted;
  }
  return sum;
}
