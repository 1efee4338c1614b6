import type { AccountPatch, WriteMode } from '../../domain/account.js';
import { identifierText } from '../../domain/identifier.js';
import { isJsonObject, type JsonValue } from '../../domain/json.js';
import { describeRejected, type RejectedRecord } from '../../domain/rejected-record.js';
import type { TenantSettings } from '../../domain/tenant.js';
import { firstCharacters } from '../../domain/text.js';
import { ownershipErrors, validateAccount } from '../../domain/validate-account.js';
import { ArraySplitter, MalformedArray } from '../../formats/array-splitter.js';
import {
  FAILED,
  failedLine,
  type ImportCounts,
  type ImportStatus,
  storedLine,
} from '../../formats/import-lines.js';
import { checkJsonLimits } from '../../formats/json-limits.js';
import { JsonProblem } from '../../formats/json-problem.js';
import { parseJson } from '../../formats/parse-json.js';
import { LineSplitter, type Piece, type RecordSplitter, TOO_LARGE } from '../../formats/record-splitter.js';
import type { PushedIds, RecordResult, UpsertCounts, UpsertRequest } from '../requests.js';
import type { HeldRecords } from './held-records.js';
import { failure, type IngestFailure } from './ingest-failure.js';
import { MAX_REJECTED, type RequestProblem } from './prepare-request.js';
import { pushedBy, type TenantInThread } from './tenant-in-thread.js';

export interface ImportOptions {
  readonly tenantId: number;
  readonly senderId: string;
  readonly source: string;
  /** None for a dry run. */
  readonly runId?: number | undefined;
  /** Default: `upsert`. */
  readonly mode?: WriteMode | undefined;
  /** Whether its run asks for missing accounts: then what it pushes is stored, even if the settings are not fresh. */
  readonly isMirrored: boolean;
  readonly requestId: string;
  /** Whether the body is one JSON array, not one record per line. */
  readonly isArray: boolean;
  /** Whether nothing is stored. */
  readonly isDryRun: boolean;
  /** The largest record. */
  readonly maxBytes: number;
}

/** What became of the records that end in some bytes of an import. */
export interface ImportStep {
  /** A result for each record, encoded: there may be megabytes. */
  readonly lines: Uint8Array<ArrayBuffer>;
  readonly counts: ImportCounts;
  /** The first records that are rejected, and how many there are. */
  readonly rejected: readonly ImportRejection[];
  readonly rejectedCount: number;
  /** Why the import ends here: the next record cannot be found, or the write failed. */
  readonly end?: RequestProblem | IngestFailure;
}

/** The next bytes of an import; none if only its end was missing. */
export interface ImportChunk {
  readonly bytes: Buffer;
  /** Whether the body ends with these bytes. */
  readonly isLast: boolean;
}

/** An import in an ingest thread, as the event loop sees it. */
export interface ImportSession {
  /**
   * Takes the next chunk. Resolves when its records are stored or rejected. Throws `QueueFull` at once if the chunk is
   * not taken.
   */
  push(chunk: ImportChunk, settings: TenantSettings, at: number): Promise<ImportStep>;
  close(): void;
}

/** A record that breaks the rules of its tenant, or one that cannot be read. */
export type ImportRejection = RejectedRecord | { readonly place: number; readonly problem: RequestProblem };

export interface ImportRunParts {
  readonly options: ImportOptions;
  /** The incomplete records of all imports in this thread. */
  readonly held: HeldRecords;
  /** The settings of the tenant, which may change while an import runs. */
  tenant(): TenantInThread;
  upsert(request: UpsertRequest): Promise<UpsertCounts>;
}

/** A record to store, or the result line of one that is rejected, and the account that it names. */
type Entry =
  | {
      readonly index: number;
      readonly patch: AccountPatch;
      /** Only if the patch may be refused. */
      readonly record?: JsonValue;
      readonly line?: never;
      readonly accountId?: never;
    }
  | { readonly line: string; readonly accountId: string | undefined; readonly patch?: never };

interface ValidatedBytes {
  readonly entries: Entry[];
  readonly rejected: ImportRejection[];
  rejectedCount: number;
  end?: RequestProblem | IngestFailure;
}

const MAX_ID_LENGTH = 191;
const NO_RESULTS: Readonly<ImportCounts> = {
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  failed: 0,
  kept: 0,
};
/** No record ends in the bytes. */
export const EMPTY_STEP: ImportStep = {
  lines: new Uint8Array(),
  counts: NO_RESULTS,
  rejected: [],
  rejectedCount: 0,
};

/**
 * One import, in an ingest thread. Each record is stored or rejected independently of the others; those that end in the
 * same bytes are stored together.
 *
 *   bytes ─▶ splitter (lines or elements of an array) ─▶ validate ─▶ write, after those before ─▶ result lines
 */
export class ImportRun {
  readonly #parts: ImportRunParts;
  readonly #splitter: RecordSplitter;
  /** Of the next record. */
  #index = 0;
  #hasEnded = false;
  /** Whether its incomplete record was dropped, because those of all imports took too much memory. */
  #isDropped = false;
  #last: Promise<ImportStep> = Promise.resolve(EMPTY_STEP);

  constructor(parts: ImportRunParts) {
    this.#parts = parts;
    const { isArray, maxBytes } = parts.options;
    this.#splitter = isArray ? new ArraySplitter(maxBytes) : new LineSplitter(maxBytes);
    parts.held.add(this);
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes;
  }

  drop(): void {
    this.#splitter.drop();
    this.#isDropped = true;
  }

  /** Takes the next chunk. It is validated now, and written after those before. */
  push(chunk: ImportChunk, at: number): Promise<ImportStep> {
    const validated = this.#validateAll(chunk);
    const before = this.#last;
    this.#last = before.then(({ end }) => {
      if (end !== undefined) this.#hasEnded = true;
      return this.#hasEnded ? EMPTY_STEP : this.#write(validated, chunk.bytes.length, at);
    });
    return this.#last;
  }

  /** Resolves when all chunks so far are written. There are no more. */
  async close(): Promise<void> {
    this.#parts.held.delete(this);
    await this.#last;
  }

  #validateAll({ bytes, isLast }: ImportChunk): ValidatedBytes {
    const validated: ValidatedBytes = { entries: [], rejected: [], rejectedCount: 0 };
    const validate = (piece: Piece) => {
      validated.entries.push(this.#validate(piece, validated));
      this.#index += 1;
    };
    try {
      if (!this.#isDropped) for (const piece of this.#splitter.push(bytes)) validate(piece);
      this.#parts.held.enforce();
      if (this.#isDropped) validated.end = { code: 'too_many_bodies', args: [] };
      else if (isLast) for (const piece of this.#splitter.end()) validate(piece);
    } catch (cause) {
      const error =
        cause instanceof MalformedArray ? new JsonProblem('malformed_array', cause.message) : cause;
      validated.end = error instanceof JsonProblem ? problemOf(error) : failure(error as Error);
    }
    return validated;
  }

  /** Throws a `JsonProblem` if the input is so broken that the start of the next record is unknown. */
  #validate(piece: Piece, validated: ValidatedBytes): Entry {
    const { isArray, maxBytes } = this.#parts.options;
    const index = this.#index;
    let record: JsonValue;
    try {
      if (piece === TOO_LARGE) throw new JsonProblem('record_too_large', maxBytes);
      checkJsonLimits(piece, maxBytes, 'record');
      record = parseJson(piece, 'record') ?? null;
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error;
      if (isArray && (piece === TOO_LARGE || error.code === 'invalid_json')) throw error;
      this.#reject(validated, () => ({ place: index, problem: problemOf(error) }));
      return { line: failedLine(index, null, error.message), accountId: undefined };
    }
    const { patch, errors, accountId } = validateAccount(
      record,
      this.#parts.tenant().rules,
      this.#parts.options.source,
    );
    if (patch !== undefined) return patch.owned === undefined ? { index, patch } : { index, patch, record };
    this.#reject(validated, () => describeRejected(index, errors, record));
    return { line: failedLine(index, sentId(record), errors), accountId };
  }

  #reject(validated: ValidatedBytes, describe: () => ImportRejection): void {
    validated.rejectedCount += 1;
    const isKept = validated.rejected.length < MAX_REJECTED && !this.#parts.options.isDryRun;
    if (isKept) validated.rejected.push(describe());
  }

  async #write(validated: ValidatedBytes, bytes: number, at: number): Promise<ImportStep> {
    const { entries, end } = validated;
    const patches = entries.flatMap(({ patch }) => patch ?? []);
    const { tenantId, senderId, runId, mode, requestId } = this.#parts.options;
    const pushed = this.#pushed(entries);
    const by = { tenantId, senderId, runId, requestId, at };
    const request = { ...by, patches, mode, pushed, bytes, isIndependent: true, wantsRecords: true } as const;
    let results: readonly RecordResult[] = [];
    let ending: ImportStep['end'] = end;
    try {
      if (patches.length > 0 || pushed !== undefined)
        results = (await this.#parts.upsert(request)).records ?? [];
    } catch (error) {
      ending = failure(error as Error);
    }
    const counts = { ...NO_RESULTS };
    const lines = new TextEncoder().encode(this.#resultLines(validated, results, counts));
    const { rejected, rejectedCount } = validated;
    return { lines, counts, rejected, rejectedCount, ...(ending && { end: ending }) };
  }

  /** `results` are those of the entries with a patch, in order; there are none if the write failed. */
  #resultLines(validated: ValidatedBytes, results: readonly RecordResult[], counts: ImportCounts): string {
    const next = results.values();
    let lines = '';
    for (const entry of validated.entries) {
      const result = entry.patch && next.next().value;
      counts[statusOf(result)] += 1;
      if (entry.patch === undefined) lines += entry.line;
      else if (result === undefined) lines += failedLine(entry.index, entry.patch.accountId, FAILED);
      else if (result.outcome === 'refused') lines += this.#refuse(validated, entry, result.refused ?? []);
      else {
        counts.kept += result.kept?.length ?? 0;
        lines += storedLine(entry.index, entry.patch.accountId, statusOf(result), result);
      }
    }
    return lines;
  }

  /** Rejects a valid record that would change fields of other sources. */
  #refuse(
    validated: ValidatedBytes,
    { index, record = null }: { readonly index: number; readonly record?: JsonValue },
    fields: readonly string[],
  ): string {
    const errors = ownershipErrors(record, fields);
    this.#reject(validated, () => describeRejected(index, errors, record));
    return failedLine(index, sentId(record), errors);
  }

  #pushed(entries: readonly Entry[]): PushedIds | undefined {
    const { options, tenant } = this.#parts;
    if (options.isDryRun) return undefined;
    return pushedBy(tenant(), options, () =>
      entries.flatMap((entry) => entry.patch?.accountId ?? entry.accountId ?? []),
    );
  }
}

/** An archived account that is sent again counts as updated, even if it changes no field. */
function statusOf(result: RecordResult | undefined): ImportStatus {
  if (result === undefined || result.outcome === 'refused') return 'failed';
  return result.outcome === 'restored' ? 'updated' : (result.outcome as ImportStatus);
}

function problemOf({ code, args }: JsonProblem): RequestProblem {
  return { code, args } as RequestProblem;
}

function sentId(record: JsonValue): string | null {
  const id = isJsonObject(record) ? identifierText(record.account_id) : undefined;
  return id === undefined || id === '' ? null : firstCharacters(id, MAX_ID_LENGTH);
}
