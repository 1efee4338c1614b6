import { accountPath } from './account-path.js';
import { chunkedImport, sendChunks, sendInChunks } from './chunked-import.js';
import { chunksOfArrays } from './chunks.js';
import { type CallOptions, Connection, type ConnectionOptions, parseJson } from './connection.js';
import { type EditOptions, editAccount } from './edit-account.js';
import { UnexpectedAnswerError } from './errors.js';
import { followChanges } from './follow-changes.js';
import { ImportRun } from './import-run.js';
import { changeMany, type ManyOptions } from './many-accounts.js';
import { itemsOf } from './pages.js';
import { readChanges } from './read-changes.js';
import { type ImportInput, linesOfRecords, linesOfText, textOf } from './record-lines.js';
import type { Sequence } from './sequence.js';
import { canStreamRequests, streamImport } from './stream-import.js';
import { Subtree } from './subtree.js';
import { type UndoOptions, undoRun } from './undo-run.js';
import { Webhooks } from './webhooks.js';
import type {
  Account,
  AccountEdit,
  AccountRecord,
  AccountSelection,
  Ancestors,
  Attribute,
  AttributeDefinition,
  Attributes,
  Change,
  Child,
  EditResult,
  HistoryEntry,
  ImportResult,
  ListFilter,
  ManySummary,
  MissingAccount,
  Run,
  RunDetails,
  RunFilter,
  Source,
  UndoSummary,
  UpsertStatus,
  WriteMode,
} from './wire.js';

/** Options of calls that send accounts. */
export interface WriteOptions extends CallOptions {
  /** The id of an open run, from `openRun`. Without it the server chooses the run. */
  readonly run?: string;
}

export interface UpsertResult {
  /** The result of the last attempt: `unchanged` if an earlier attempt stored the record and its response was lost. */
  readonly result: UpsertStatus;
  readonly requestId: string;
  /** Fields that were left as they are, because another source owns them; `*` stands for those of a very long list. */
  readonly kept: readonly string[];
}

export interface UpsertChunksOptions extends WriteOptions {
  /** Which accounts to write; by default the mode of the run. */
  readonly mode?: WriteMode;
  /** Returns the results without storing anything. Each request is tried for itself: it does not know the others. */
  readonly dryRun?: boolean;
  /** Number of concurrent requests; 4 by default. */
  readonly concurrency?: number;
}

export interface UpsertManyOptions extends UpsertChunksOptions {
  /** Records per request; 200 by default. */
  readonly chunkSize?: number;
}

export interface OpenRunOptions extends CallOptions {
  /** Which accounts its requests write: records for others are skipped. Default: `upsert`. */
  readonly mode?: WriteMode;
  /**
   * What happens at the end to accounts that the source has pushed before, and not since the run was opened. Default:
   * `report` if the source is tracked, else `ignore`.
   */
  readonly missing?: 'archive' | 'report' | 'ignore';
}

export interface FinishOptions extends CallOptions {
  readonly abandon?: boolean;
  /** The largest share of missing accounts to archive; 10 by default. */
  readonly maxMissingPercent?: number;
}

export interface ImportOptions extends WriteOptions {
  /** Which accounts to write; by default the mode of the run. */
  readonly mode?: WriteMode;
  /** Returns the results of an import without storing anything. */
  readonly dryRun?: boolean;
  /** Sends one streaming request, or many small ones if `false`. The default is what the platform supports. */
  readonly streaming?: boolean;
}

export interface ChangesOptions extends CallOptions {
  /** The cursor of the last processed change, or `latest`. Without it, reading starts with the first change. */
  readonly after?: string;
  /** Instead of `after`: starts with this number of latest changes, 1 to 1000. */
  readonly last?: number;
  /** Only changes of this run. This and the next four cannot be combined with `follow` or `last`. */
  readonly run?: string;
  readonly source?: string;
  readonly keyId?: string;
  readonly userId?: string;
  readonly requestId?: string;
  /** Keeps the connection open and returns new changes as they happen. */
  readonly follow?: boolean;
  /** With `follow`: reconnects after this time without a change or a heartbeat; 60,000 by default. */
  readonly silenceMs?: number;
}

/** Items per page, unless the filter sets `limit`. */
const PAGE_SIZE = 200;

/** A client of one server, authenticated by one key or session. */
export class AccountSync {
  readonly webhooks: Webhooks;
  readonly #connection: Connection;

  constructor(options: ConnectionOptions) {
    this.#connection = new Connection(options);
    this.webhooks = new Webhooks(this.#connection);
  }

  /** Creates or updates one account. */
  upsert(record: AccountRecord, { run, signal }: WriteOptions = {}): Promise<UpsertResult> {
    const body = JSON.stringify(record);
    const path = 'api/v1_1/account';
    const content = { contentType: 'application/json', body } as const;
    const call = { method: 'POST', path, ...content, run, signal, record } as const;
    return this.#connection.send(call, async (response) => {
      await response.text();
      const result = response.headers.get('account-sync-result') as UpsertStatus | null;
      const kept = keptFields(response.headers.get('account-sync-kept'));
      if (result !== null) return { result, requestId: response.headers.get('x-request-id') ?? '', kept };
      const problem =
        'The response has no account-sync-result header. Check that url is the address of account-sync.';
      throw new UnexpectedAnswerError(problem);
    });
  }

  /** Sends any number of records, or their JSON, in chunks, and retries failed chunks. Results come in order. */
  upsertMany(
    records: Sequence<AccountRecord | string>,
    options: UpsertManyOptions = {},
  ): AsyncGenerator<ImportResult> {
    return sendInChunks(this.#connection, linesOfRecords(records), options);
  }

  /** Like `upsertMany`, but the caller makes the chunks: one request and one array of results for each. */
  upsertChunks(
    chunks: Sequence<readonly (AccountRecord | string)[]>,
    options: UpsertChunksOptions = {},
  ): AsyncGenerator<ImportResult[]> {
    return sendChunks(this.#connection, chunksOfArrays(chunks), options);
  }

  /** Sends records or NDJSON text in one streaming request. It is not retried after the first record is sent. */
  import(input: ImportInput, options: ImportOptions = {}): ImportRun {
    const { dryRun = false, mode, streaming = canStreamRequests(), run, signal } = options;
    if (streaming) return new ImportRun(streamImport(this.#connection, input, { dryRun, mode, run, signal }));
    return new ImportRun(
      chunkedImport(this.#connection, linesOfText(textOf(input)), { dryRun, mode, run, signal }),
    );
  }

  /** `undefined` if there is no such account. */
  get(id: string, { signal }: CallOptions = {}): Promise<Account | undefined> {
    const call = { path: accountPath(id), mayBeMissing: true, signal };
    return this.#connection.send(call, async (response) => {
      const text = await response.text();
      return response.ok ? parseJson(text, 'GET /api/v2/accounts') : undefined;
    });
  }

  /** The declared and undeclared fields of the tenant. */
  async attributes({ signal }: CallOptions = {}): Promise<Attributes> {
    const schema = await this.#connection.json<Partial<Attributes>>({ path: 'api/v2/attributes', signal });
    if (Array.isArray(schema?.data) && Array.isArray(schema.undeclared)) return schema as Attributes;
    throw new UnexpectedAnswerError(
      'The response is not a list of attributes. Check that url is the address of account-sync.',
    );
  }

  /** Declares an attribute, or changes it. Needs a key with the scope `admin`. */
  setAttribute(
    name: string,
    definition: AttributeDefinition,
    { signal }: CallOptions = {},
  ): Promise<Attribute> {
    return this.#connection.json({
      method: 'PUT',
      path: `api/v2/attributes/${encodeURIComponent(name)}`,
      contentType: 'application/json',
      body: JSON.stringify(definition),
      signal,
    });
  }

  list(filter: ListFilter = {}, { signal }: CallOptions = {}): AsyncGenerator<Account> {
    return itemsOf(this.#connection, {
      path: 'api/v2/accounts',
      query: { limit: PAGE_SIZE, ...filter },
      signal,
    });
  }

  /** Also works for an account that is not stored, if other accounts name it as parent. */
  children(id: string, { signal }: CallOptions = {}): AsyncGenerator<Child> {
    return itemsOf(this.#connection, {
      path: accountPath(id, '/children'),
      query: { limit: PAGE_SIZE },
      signal,
    });
  }

  ancestors(id: string, { signal }: CallOptions = {}): Promise<Ancestors> {
    return this.#connection.json({ path: accountPath(id, '/ancestors'), signal });
  }

  subtree(id: string, { signal }: CallOptions = {}): Subtree {
    return new Subtree(this.#connection, {
      path: accountPath(id, '/subtree'),
      query: { limit: PAGE_SIZE },
      signal,
    });
  }

  /** The newest entry first. */
  history(id: string, { signal }: CallOptions = {}): AsyncGenerator<HistoryEntry> {
    return itemsOf(this.#connection, {
      path: accountPath(id, '/history'),
      query: { limit: PAGE_SIZE },
      signal,
    });
  }

  /** Changes the fields that are passed, and only them; `archived` archives or restores the account. */
  edit(id: string, edit: AccountEdit, options: EditOptions): Promise<EditResult> {
    return editAccount(this.#connection, id, edit, options);
  }

  /** Edits all selected accounts in the same way, as a run that can be undone. */
  editMany(selection: AccountSelection, edit: AccountEdit, options: ManyOptions = {}): Promise<ManySummary> {
    return changeMany(this.#connection, 'edit', selection, edit, options);
  }

  /** Erases all selected accounts, which cannot be undone. Needs a key with the scope `admin`. */
  deleteMany(selection: AccountSelection, options: ManyOptions = {}): Promise<ManySummary> {
    return changeMany(this.#connection, 'delete', selection, undefined, options);
  }

  /** `false` if there was no such account. */
  delete(id: string, { signal }: CallOptions = {}): Promise<boolean> {
    const call = { method: 'DELETE', path: accountPath(id), mayBeMissing: true, signal } as const;
    return this.#connection.send(call, async (response, attempt) => {
      await response.text();
      // On a retry, 404 can mean that an earlier attempt deleted the account and its response was lost.
      return response.ok || attempt > 0;
    });
  }

  /** Opens a run of the source of the key: pass its `id` as `run` to the calls that belong to it. */
  openRun({ mode, missing, signal }: OpenRunOptions = {}): Promise<RunDetails> {
    return this.#postJson('api/v2/runs', { mode, missing }, signal);
  }

  /**
   * Finishes a run, and archives what is missing from it if it was opened so. With `abandon` it ends without success:
   * its source is still expected, and nothing is archived.
   */
  finishRun(id: string, options: FinishOptions = {}): Promise<RunDetails> {
    const { abandon = false, maxMissingPercent: max_missing_percent, signal } = options;
    const path = `api/v2/runs/${encodeURIComponent(id)}/finish`;
    return this.#postJson(path, { abandon, max_missing_percent }, signal);
  }

  #postJson<T>(path: string, content: object, signal: AbortSignal | undefined): Promise<T> {
    const body = JSON.stringify(content);
    return this.#connection.json({ method: 'POST', path, contentType: 'application/json', body, signal });
  }

  /** The accounts that are missing from a run, without archived ones. */
  missing(id: string, { signal }: CallOptions = {}): AsyncGenerator<MissingAccount> {
    const path = `api/v2/runs/${encodeURIComponent(id)}/missing`;
    return itemsOf(this.#connection, { path, query: { limit: PAGE_SIZE }, signal });
  }

  /** Takes back what a run has changed. If the connection fails, the undo continues where it was. */
  undoRun(id: string, options: UndoOptions = {}): Promise<UndoSummary> {
    return undoRun(this.#connection, id, options);
  }

  /** `undefined` if there is no such run. */
  run(id: string, { signal }: CallOptions = {}): Promise<RunDetails | undefined> {
    const path = `api/v2/runs/${encodeURIComponent(id)}`;
    return this.#connection.send({ path, mayBeMissing: true, signal }, async (response) => {
      const text = await response.text();
      return response.ok ? parseJson(text, 'GET /api/v2/runs') : undefined;
    });
  }

  /** The newest run first. */
  runs(filter: RunFilter = {}, { signal }: CallOptions = {}): AsyncGenerator<Run> {
    return itemsOf(this.#connection, { path: 'api/v2/runs', query: { limit: PAGE_SIZE, ...filter }, signal });
  }

  /** All sources with their latest runs. */
  async sources({ signal }: CallOptions = {}): Promise<readonly Source[]> {
    const { data } = await this.#connection.json<{ data: Source[] }>({ path: 'api/v2/sources', signal });
    return data;
  }

  changes(options: ChangesOptions = {}): AsyncGenerator<Change> {
    return options.follow ? followChanges(this.#connection, options) : readChanges(this.#connection, options);
  }
}

/** From a header such as `custom_Tier=1, name=1`. Fields that it has no room for are `*`. */
function keptFields(header: string | null): string[] {
  if (header === null) return [];
  return header.split(', ').map((entry) => decodeURIComponent(entry.slice(0, entry.lastIndexOf('='))));
}
