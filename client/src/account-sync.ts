import { accountPath } from './account-path.js';
import { chunkedImport, sendChunks, sendInChunks } from './chunked-import.js';
import { chunksOfPieces } from './chunks.js';
import { Connection, type ConnectionOptions, parseJson } from './connection.js';
import { UnexpectedAnswerError } from './errors.js';
import { followChanges } from './follow-changes.js';
import { ImportRun } from './import-run.js';
import { itemsOf } from './pages.js';
import { readChanges } from './read-changes.js';
import { type ImportInput, linesOfRecords, linesOfText, textOf } from './record-lines.js';
import type { Sequence } from './sequence.js';
import { canStreamRequests, streamImport } from './stream-import.js';
import { Subtree } from './subtree.js';
import type {
  Account,
  AccountRecord,
  Ancestors,
  Attributes,
  Change,
  Child,
  HistoryEntry,
  ImportResult,
  ListFilter,
  UpsertStatus,
} from './wire.js';

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface UpsertResult {
  /** That of the last attempt: `unchanged` where an earlier one had stored the record before its answer was lost. */
  readonly result: UpsertStatus;
  readonly requestId: string;
}

export interface UpsertChunksOptions extends CallOptions {
  /** Requests at a time; 4 by default. */
  readonly concurrency?: number;
}

export interface UpsertManyOptions extends UpsertChunksOptions {
  /** Records a request; 200 by default. */
  readonly chunkSize?: number;
}

export interface ImportOptions extends CallOptions {
  /** Says what would happen, and stores nothing. */
  readonly dryRun?: boolean;
  /** Whether to send one request that streams, or many small ones; by default, what the platform can do. */
  readonly streaming?: boolean;
}

export interface ChangesOptions extends CallOptions {
  /** The cursor of the last change that was seen, or `latest`; from the first change where it is left out. */
  readonly after?: string;
  /** Begins with so many of the latest, 1 to 1000, in place of `after`. */
  readonly last?: number;
  /** Stays open for what is yet to come. */
  readonly follow?: boolean;
  /** With `follow`: how long not even a heartbeat may come before a new connection is made; 60,000 by default. */
  readonly silenceMs?: number;
}

/** Accounts a page, unless the filter says otherwise. */
const PAGE = 200;

/** One server, by one key or session. */
export class AccountSync {
  readonly #connection: Connection;

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
  }

  /** Creates or updates one account. */
  upsert(record: AccountRecord, { signal }: CallOptions = {}): Promise<UpsertResult> {
    const body = JSON.stringify(record);
    const path = 'api/v1_1/account';
    const call = { method: 'POST', path, contentType: 'application/json', body, signal, record } as const;
    return this.#connection.send(call, async (response) => {
      await response.text();
      const result = response.headers.get('account-sync-result') as UpsertStatus | null;
      if (result !== null) return { result, requestId: response.headers.get('x-request-id') ?? '' };
      const problem =
        'The answer does not say what became of the record. Is url the address of account-sync?';
      throw new UnexpectedAnswerError(problem);
    });
  }

  /** Any number of records, or of their JSON, in chunks that are repeated as needed; a result for each, in order. */
  upsertMany(
    records: Sequence<AccountRecord | string>,
    options: UpsertManyOptions = {},
  ): AsyncGenerator<ImportResult> {
    return sendInChunks(this.#connection, linesOfRecords(records), options);
  }

  /** The same for records that come in pieces: each piece is a request, and its results come together. */
  upsertChunks(
    chunks: Sequence<readonly (AccountRecord | string)[]>,
    options: UpsertChunksOptions = {},
  ): AsyncGenerator<ImportResult[]> {
    return sendChunks(this.#connection, chunksOfPieces(chunks), options);
  }

  /** Records or NDJSON text, in one request that is not repeated once its records have begun to go out. */
  import(input: ImportInput, options: ImportOptions = {}): ImportRun {
    const { dryRun = false, streaming = canStreamRequests(), signal } = options;
    if (streaming) return new ImportRun(streamImport(this.#connection, input, { dryRun, signal }));
    return new ImportRun(chunkedImport(this.#connection, linesOfText(textOf(input)), { dryRun, signal }));
  }

  /** `undefined` where there is none. */
  get(id: string, { signal }: CallOptions = {}): Promise<Account | undefined> {
    const call = { path: accountPath(id), mayBeMissing: true, signal };
    return this.#connection.send(call, async (response) => {
      const text = await response.text();
      return response.ok ? parseJson(text, 'GET /api/v2/accounts') : undefined;
    });
  }

  /** The fields that the tenant knows. */
  async attributes({ signal }: CallOptions = {}): Promise<Attributes> {
    const schema = await this.#connection.json<Partial<Attributes>>({ path: 'api/v2/attributes', signal });
    if (Array.isArray(schema?.data) && Array.isArray(schema.undeclared)) return schema as Attributes;
    throw new UnexpectedAnswerError('The answer is no schema. Is url the address of account-sync?');
  }

  list(filter: ListFilter = {}, { signal }: CallOptions = {}): AsyncGenerator<Account> {
    return itemsOf(this.#connection, { path: 'api/v2/accounts', query: { limit: PAGE, ...filter }, signal });
  }

  /** Also of an account that is not stored, but named as parent. */
  children(id: string, { signal }: CallOptions = {}): AsyncGenerator<Child> {
    return itemsOf(this.#connection, { path: accountPath(id, '/children'), query: { limit: PAGE }, signal });
  }

  ancestors(id: string, { signal }: CallOptions = {}): Promise<Ancestors> {
    return this.#connection.json({ path: accountPath(id, '/ancestors'), signal });
  }

  subtree(id: string, { signal }: CallOptions = {}): Subtree {
    return new Subtree(this.#connection, {
      path: accountPath(id, '/subtree'),
      query: { limit: PAGE },
      signal,
    });
  }

  /** The newest entry first. */
  history(id: string, { signal }: CallOptions = {}): AsyncGenerator<HistoryEntry> {
    return itemsOf(this.#connection, { path: accountPath(id, '/history'), query: { limit: PAGE }, signal });
  }

  /** `false` where there was none. */
  delete(id: string, { signal }: CallOptions = {}): Promise<boolean> {
    const call = { method: 'DELETE', path: accountPath(id), mayBeMissing: true, signal } as const;
    return this.#connection.send(call, async (response, attempt) => {
      await response.text();
      // What is missing at a repetition may have been deleted by the attempt whose answer was lost.
      return response.ok || attempt > 0;
    });
  }

  changes(options: ChangesOptions = {}): AsyncGenerator<Change> {
    return options.follow ? followChanges(this.#connection, options) : readChanges(this.#connection, options);
  }
}
