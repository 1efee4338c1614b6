/** The types of request and response bodies, with the names of the JSON. Times are ISO 8601, UTC, with milliseconds. */

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface AccountIdentity {
  readonly account_id: string | number;
  readonly parent_account_id?: string | number | null;
  readonly name?: string | null;
}

/**
 * An account as it is sent: a field that is left out keeps its stored value, `null` clears it. The first part of the
 * union accepts interfaces, which have no index signature; the second accepts object literals with any fields.
 */
export type AccountRecord = AccountIdentity | (AccountIdentity & { readonly [field: string]: unknown });

export interface Account {
  readonly account_id: string;
  readonly parent_account_id: string | null;
  readonly name: string | null;
  /** All fields except identifier, parent and name, in their stored types. */
  readonly fields: Readonly<Record<string, Json>>;
  /** The names in `fields` that the tenant has not declared as attributes. */
  readonly undeclared: readonly string[];
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  /** Null unless the account is archived: listings leave it out unless they are asked for it. */
  readonly archived_at: string | null;
}

/** The change of an account: a field that is left out stays as it is, `null` clears it. */
export interface AccountEdit {
  readonly name?: string | null;
  readonly parent_account_id?: string | number | null;
  readonly fields?: { readonly [field: string]: unknown };
  /** Archives the account, or restores it. */
  readonly archived?: boolean;
}

export interface EditResult {
  /** `skipped`: the run only creates accounts. */
  readonly outcome: 'updated' | 'archived' | 'restored' | 'unchanged' | 'skipped';
  readonly account: Account;
  readonly changes: readonly FieldChange[];
  /** Fields that were left as they are, because another source owns them. */
  readonly kept: readonly string[];
  /** Null in a dry run. */
  readonly run_id: string | null;
  readonly dry_run: boolean;
}

/** The accounts with these ids, or all that match. */
export type AccountSelection =
  | { readonly ids: readonly string[] }
  | {
      readonly matching: Omit<ListFilter, 'limit' | 'sort' | 'attribute'> & {
        readonly attribute?: readonly string[];
      };
    };

/** What has become of the selected accounts so far. */
export interface ManyProgress {
  /** The run of an edit; null for a deletion and in a dry run. */
  readonly run_id: string | null;
  readonly matched: number;
  readonly updated: number;
  readonly archived: number;
  readonly restored: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export interface ManySummary extends ManyProgress {
  /** Values that were left as they are, because another source owns the field. */
  readonly kept: number;
  readonly dry_run: boolean;
  readonly is_complete: boolean;
  readonly code: ErrorCode | null;
  readonly problem: string | null;
}

export interface ManyRejection {
  readonly account_id: string;
  /** `changed`: it was changed by others at the same moment. */
  readonly reason: 'invalid' | 'changed' | 'not_found';
  readonly errors: ErrorsByAttribute;
}

/** An account that would change. */
export interface WouldChange {
  readonly account_id: string;
  readonly name: Json;
  readonly outcome: 'updated' | 'archived' | 'restored' | 'deleted';
  readonly changes: readonly FieldChange[];
}

export interface Child extends Account {
  readonly has_children: boolean;
}

export interface Page<Item> {
  readonly data: readonly Item[];
  /** The cursor of the next page; `null` on the last page. */
  readonly next: string | null;
}

/** An account must match all filters. */
export interface ListFilter {
  /** Matches the start of an id or a name. Matches by id come first, sorted by id, then matches by name. */
  readonly search?: string;
  readonly id_prefix?: string;
  readonly name_prefix?: string;
  readonly parent?: string;
  /** A name and a value, for example `custom_Tier:gold`, or several of them. */
  readonly attribute?: string | readonly string[];
  readonly updated_since?: string;
  /** Whether archived accounts are listed; `exclude` by default. */
  readonly archived?: 'exclude' | 'include' | 'only';
  /** Default: the order of `search`, by name for `name_prefix`, by last change for only `updated_since`, else by id. */
  readonly sort?: 'id' | '-id' | 'name' | '-name' | 'updated' | '-updated';
  /** Accounts per page, 1 to 1000. */
  readonly limit?: number;
}

export interface Attribute {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'decimal' | 'boolean' | 'date' | 'datetime' | 'choice';
  /** The allowed values of a `choice`. */
  readonly choices: readonly string[];
  readonly read_only: boolean;
  readonly built_in: boolean;
  /** Null if every source may change it. */
  readonly owner: AttributeOwner | null;
  /** The name that people see. */
  readonly label: string | null;
  readonly description: string | null;
  /** Shown after values. */
  readonly unit: string | null;
  /** The place within the group. */
  readonly position: number | null;
  /** The heading under which people see it. */
  readonly group: string | null;
  readonly index: 'none' | 'building' | 'ready';
  /** The share of the accounts that are indexed, from 0 to 1; null unless `building`. */
  readonly index_progress: number | null;
  /** Number of accounts with a value. The count is about a second old. */
  readonly accounts: number;
}

/** What declares an attribute. `type`, `choices` and `read_only` of a built-in one cannot change. */
export interface AttributeDefinition {
  readonly type: Attribute['type'];
  /** For a `choice`, and only for it. */
  readonly choices?: readonly string[];
  readonly read_only?: boolean;
  /** Unchanged if left out, as is everything below. */
  readonly indexed?: boolean;
  readonly owner?: (Pick<AttributeOwner, 'source'> & Partial<AttributeOwner>) | null;
  readonly label?: string | null;
  readonly description?: string | null;
  readonly unit?: string | null;
  readonly position?: number | null;
  readonly group?: string | null;
}

export interface AttributeOwner {
  readonly source: string;
  /** What happens to a different value of another source: `reject` rejects the record, `keep` leaves the stored value. */
  readonly others: 'reject' | 'keep';
}

export interface Attributes {
  readonly data: readonly Attribute[];
  /** Fields that were sent but are not declared, each with a type that fits all its values. */
  readonly undeclared: readonly {
    readonly name: string;
    readonly accounts: number;
    readonly guess: Exclude<Attribute['type'], 'choice'> | 'json';
  }[];
}

export interface Ancestors {
  /** The nearest ancestor first. */
  readonly data: readonly Account[];
  /** The parent at which the list ends because no account with that id is stored. */
  readonly missing_parent: string | null;
  readonly cycle: readonly string[] | null;
  readonly is_complete: boolean;
}

export interface SubtreeEntry {
  readonly depth: number;
  readonly account: Account;
}

export interface SubtreePage extends Page<SubtreeEntry> {
  readonly cycle: readonly string[] | null;
}

export interface FieldChange {
  readonly field: string;
  readonly from: Json;
  readonly to: Json;
}

/** Who sent a change or began a run. */
export interface Sender {
  /** Null for a user. */
  readonly key_id: string | null;
  /** Null for a key. */
  readonly user: SendingUser | null;
}

/** A user of the tenant, also a former one. */
export interface SendingUser {
  readonly id: string;
  /** Null if the user has never belonged to the tenant. */
  readonly name: string | null;
}

export interface HistoryEntry extends Sender {
  readonly revision: number;
  /** `restored`: an archived account was sent again, or taken out of the archive by an undo. */
  readonly kind: 'created' | 'updated' | 'archived' | 'restored' | 'deleted';
  readonly at: string;
  readonly request_id: string;
  /** Null if it is not known any more. */
  readonly source: string | null;
  /** Null if the request belongs to no run. */
  readonly run_id: string | null;
  readonly is_erased: boolean;
  readonly changes: readonly FieldChange[];
}

export interface HistoryPage extends Page<HistoryEntry> {
  /** False if older changes were removed because the tenant keeps its history for a limited time. */
  readonly is_complete: boolean;
}

export interface Change extends HistoryEntry {
  /** The position in the feed. Pass it as `after` to read the changes that follow. */
  readonly cursor: string;
  readonly account_id: string;
}

/** The requests of one source that belong together. */
export interface Run extends Sender {
  readonly id: string;
  readonly source: string;
  readonly kind: 'explicit' | 'implicit' | 'undo';
  /** `update-only` skips records for accounts that do not exist, `create-only` those for accounts that do. */
  readonly mode: WriteMode;
  readonly state: 'open' | 'finished' | 'abandoned';
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly last_request_at: string;
  readonly requests: number;
  /** Requests that were rejected as a whole, or failed. */
  readonly failed_requests: number;
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  /** Archived accounts that were sent again, or restored by an undo. */
  readonly restored: number;
  readonly unchanged: number;
  /** Records that do not fit the mode of the run or import. */
  readonly skipped: number;
  /** Values that were left as they are, because another source owns the field. */
  readonly kept: number;
  readonly rejected: number;
  /** Null unless the run takes back another one. */
  readonly undo: UndoState | null;
  /** Null if the run does not ask which accounts are missing. */
  readonly missing: MissingAccounts | null;
}

/** Accounts that the source of a run has pushed before, and not since the run was opened. */
export interface MissingAccounts {
  /** `archive`: they are archived when the run is finished. `report`: they are counted. */
  readonly action: 'archive' | 'report';
  /** How many there were when the run was finished; null before. */
  readonly accounts: number | null;
  /** How many accounts the source has pushed in all. */
  readonly of: number | null;
}

export interface MissingAccount {
  readonly account_id: string;
  readonly name: string | null;
}

export type WriteMode = 'upsert' | 'update-only' | 'create-only';

export interface UndoState {
  /** The run that it takes back. */
  readonly run_id: string;
  /** Null if it takes back the whole run. */
  readonly request_id: string | null;
  readonly force: boolean;
  /** How many changes there are to take back. */
  readonly changes: number;
  readonly examined: number;
  /** Fields and accounts that it has left as they are. */
  readonly conflicts: number;
}

/** Something that an undo leaves as it is. */
export interface UndoConflict {
  readonly account_id: string;
  /** Null if it is the account as a whole. */
  readonly field: string | null;
  /** `changed`: it was changed since the run. `deleted`: the account was deleted since. */
  readonly reason: 'changed' | 'deleted';
  /** The value before the run, the one that the run left, and the present one. */
  readonly before: Json;
  readonly left: Json;
  readonly now: Json;
}

export interface UndoProgress {
  /** The run that the undo is; null for a dry run. */
  readonly run_id: string | null;
  /** The run that it takes back. */
  readonly undoes: string;
  readonly changes: number;
  readonly examined: number;
  readonly conflicts: number;
}

export interface UndoSummary {
  readonly run_id: string | null;
  readonly undoes: string;
  readonly changes: number;
  readonly updated: number;
  readonly archived: number;
  readonly restored: number;
  readonly conflicts: number;
  readonly dry_run: boolean;
  readonly is_complete: boolean;
  /** Why it is not complete; null if it is. */
  readonly code: ErrorCode | null;
  readonly problem: string | null;
}

export interface RunDetails extends Run {
  /** The latest run that takes it back, or a request of it. */
  readonly undone_by: string | null;
  /** How often each field was changed, most often first. */
  readonly fields: readonly { readonly field: string; readonly changes: number }[];
}

export interface RunFilter {
  readonly source?: string;
  readonly state?: Run['state'];
  /** Only runs that started at this time or later. */
  readonly since?: string;
  /** Only runs that started before this time. */
  readonly until?: string;
  /** Runs per page, 1 to 1000. */
  readonly limit?: number;
}

/** A system that pushes accounts. */
export interface Source {
  readonly name: string;
  readonly label: string;
  /** How often it is expected to finish a run; null if it is not. */
  readonly expect_every_seconds: number | null;
  readonly grace_seconds: number;
  readonly is_late: boolean;
  /** Whether the service remembers which accounts it pushes. */
  readonly is_tracked: boolean;
  readonly last_finished_at: string | null;
  readonly next_expected_at: string | null;
  readonly created_at: string;
  /** Newest first, at most 20. */
  readonly recent_runs: readonly Run[];
}

export interface ChangePage {
  readonly data: readonly Change[];
  readonly next: string;
  readonly has_more: boolean;
}

export type EventType =
  | 'account.created'
  | 'account.updated'
  | 'account.archived'
  | 'account.deleted'
  | 'run.finished'
  | 'run.undone'
  | 'source.late'
  | 'source.recovered'
  | 'rejections.burst';

/** Which events a webhook gets. What is left out allows all. */
export interface WebhookFilter {
  readonly sources: readonly string[];
  /** Of created and updated accounts, only if one of these fields has changed. */
  readonly fields: readonly string[];
  /** Only of accounts that have one of the values in each of these fields when it is sent. */
  readonly values: Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
}

export interface WebhookSettings {
  readonly url: string;
  readonly description: string;
  readonly events: readonly EventType[];
  readonly filter: Partial<WebhookFilter>;
  /** The most events in one message, 1 to 100. */
  readonly batch_size: number;
}

export interface Webhook extends WebhookSettings {
  readonly id: string;
  readonly filter: WebhookFilter;
  /** `disabled`: it has answered 410. */
  readonly state: 'active' | 'paused' | 'disabled';
  /** Why the service has paused or disabled it. */
  readonly reason: string | null;
  /** The position in the change feed up to which it has got events. */
  readonly cursor: string;
  /** Whether it has got everything that there is now. */
  readonly has_all: boolean;
  /** How often the current message has failed. */
  readonly failures: number;
  readonly failing_since: string | null;
  readonly retry_at: string | null;
  readonly last_error: string | null;
  readonly delivered_at: string | null;
  /** Until when messages are also signed with the secret before. */
  readonly previous_secret_until: string | null;
  readonly created_at: string;
}

export interface WebhookWithSecret extends Webhook {
  /** Verifies the signatures of messages. It is shown only once. */
  readonly secret: string;
}

/** An attempt to deliver a message, or several messages that were taken within a second. */
export interface WebhookDelivery {
  readonly id: string;
  readonly at: string;
  /** The `webhook-id` of the last message. */
  readonly message_id: string;
  readonly attempt: number;
  readonly messages: number;
  readonly events: number;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Null if the message was taken. */
  readonly error: string | null;
  readonly took_ms: number;
  /** The first 2 KB of the answer to the last message. */
  readonly answer: string | null;
}

export type TestDelivery = Pick<WebhookDelivery, 'message_id' | 'status' | 'error' | 'took_ms' | 'answer'>;

interface EventOf<Type extends string, Data> {
  readonly type: Type;
  readonly timestamp: string;
  /** The position in the change feed; null for a test event. */
  readonly cursor: string | null;
  readonly data: Data;
}

export type WebhookEvent =
  | EventOf<
      'account.created' | 'account.updated' | 'account.archived' | 'account.deleted',
      HistoryEntry & { readonly account_id: string }
    >
  | EventOf<'run.finished', Run>
  | EventOf<'run.undone', Run & { readonly undone_by: Run }>
  | EventOf<'source.late' | 'source.recovered', Omit<Source, 'is_tracked' | 'created_at' | 'recent_runs'>>
  | EventOf<'rejections.burst', { readonly rejected: number; readonly seconds: number }>
  | EventOf<'webhook.test', { readonly webhook_id: string }>;

/** What a webhook gets in one request. */
export interface WebhookMessage {
  /** The same on every attempt: a message with an id that was processed before can be ignored. */
  readonly id: string;
  readonly timestamp: string;
  /** In the order of the change feed. */
  readonly data: readonly WebhookEvent[];
}

/** `skipped`: it does not fit the mode of the run or import. */
export type UpsertStatus = 'created' | 'updated' | 'unchanged' | 'skipped';

export type ErrorsByAttribute = Readonly<Record<string, readonly string[]>>;

export interface StoredResult {
  /** The index of the record among those that were sent. */
  readonly index: number;
  readonly account_id: string;
  readonly status: UpsertStatus;
  /** The names of the fields that changed. */
  readonly changed: readonly string[];
  /** Fields that were left as they are, because another source owns them; absent if there are none. */
  readonly kept?: readonly string[];
}

export interface FailedResult {
  readonly index: number;
  readonly account_id: string | null;
  readonly status: 'failed';
  readonly errors?: ErrorsByAttribute;
  /** Instead of `errors` if the record is not valid JSON. */
  readonly problem?: string;
}

export type ImportResult = StoredResult | FailedResult;

export interface ImportSummary {
  readonly records: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly failed: number;
  /** Values that were left as they are, because another source owns the field. */
  readonly kept: number;
  readonly dry_run: boolean;
  readonly is_complete: boolean;
  readonly problem: string | null;
}

/** A stable identifier of an error, for programs. The page docs/errors.md of the service has a row for each code. */
export type ErrorCode =
  | 'malformed_http'
  | 'http_version_unsupported'
  | 'host_missing'
  | 'host_invalid'
  | 'path_invalid'
  | 'transfer_encoding_unsupported'
  | 'connect_unsupported'
  | 'expectation_unsupported'
  | 'too_many_headers'
  | 'headers_too_large'
  | 'path_not_found'
  | 'method_not_allowed'
  | 'unauthenticated'
  | 'key_ended'
  | 'scope_missing'
  | 'role_missing'
  | 'rate_limited'
  | 'sign_in_failed'
  | 'sign_in_method_off'
  | 'no_tenant'
  | 'user_throttled'
  | 'sign_in_busy'
  | 'sign_in_throttled'
  | 'content_type_not_json'
  | 'content_type_not_records'
  | 'content_encoding_unsupported'
  | 'body_too_large'
  | 'record_too_large'
  | 'too_many_records'
  | 'too_many_messages'
  | 'body_timeout'
  | 'request_aborted'
  | 'not_utf8'
  | 'invalid_json'
  | 'forbidden_key'
  | 'nested_too_deep'
  | 'too_many_keys'
  | 'too_many_containers'
  | 'too_many_values'
  | 'not_an_array'
  | 'malformed_array'
  | 'no_data'
  | 'invalid_data'
  | 'invalid_request'
  | 'bad_request'
  | 'not_found'
  | 'revision_changed'
  | 'revision_required'
  | 'too_many_matching'
  | 'run_not_found'
  | 'run_of_other_source'
  | 'run_ended'
  | 'run_open'
  | 'missing_not_asked'
  | 'too_many_missing'
  | 'tracking_ended'
  | 'run_is_undo'
  | 'request_not_found'
  | 'undo_of_other_source'
  | 'undo_unfinished'
  | 'history_removed'
  | 'undo_taken_over'
  | 'unknown_source'
  | 'source_in_use'
  | 'too_many_sources'
  | 'too_many_webhooks'
  | 'no_session'
  | 'no_user'
  | 'own_user'
  | 'user_exists'
  | 'too_many_users'
  | 'user_of_other_tenants'
  | 'user_of_provider'
  | 'link_not_found'
  | 'link_needs_identity'
  | 'key_not_live'
  | 'last_admin_key'
  | 'too_many_attributes'
  | 'too_many_imports'
  | 'too_many_undos'
  | 'too_many_edits'
  | 'too_many_streams'
  | 'write_queue_full'
  | 'too_many_reads'
  | 'too_many_bodies'
  | 'database_busy'
  | 'stopping'
  | 'undo_not_ready'
  | 'undo_interrupted'
  | 'edit_interrupted'
  | 'internal_error';

/** The body of an error of /api/v2 (RFC 9457). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly request_id: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}
