import type { Generated } from 'kysely';
import type { Account } from '../../domain/account.js';
import type { JsonObject } from '../../domain/json.js';

/** Timestamps are milliseconds since 1970; lists and objects are JSON text. */
export interface Tables {
  schema_migration: { version: number; name: string; applied_at: number };
  /**
   * One row. `version` increases with every change of data that other processes cache. `feed_turn` is added to the
   * commit order of new changes; see `continueCommitOrder`.
   */
  configuration: { version: number; feed_turn: Generated<number> };
  tenant: {
    id: Generated<number>;
    name: string;
    account_ids: string;
    undeclared_fields: string;
    /** Null: history is kept forever. */
    history_days: number | null;
    /** Null: as the server sets it. */
    rejection_days: number | null;
    created_at: number;
    /** Since when many records are rejected; null as well if no webhook has this event. */
    burst_since: Generated<number | null>;
  };
  tenant_host: { host: string; tenant_id: number };
  api_key: {
    id: string;
    tenant_id: number;
    hash: string;
    scopes: string;
    label: string;
    created_at: number;
    expires_at: number | null;
    revoked_at: number | null;
    last_used_at: number | null;
    /** Null if a server of a version before 0.8.0 has added the key beside this one. */
    source: string | null;
  };
  source: {
    tenant_id: number;
    name: string;
    label: string;
    expect_every_ms: number | null;
    grace_ms: number;
    expected_since: number | null;
    last_finished_at: number | null;
    created_at: number;
    /** Since which run, and since when, it is stored which accounts it pushes; null if it is not. */
    tracked_from: number | null;
    tracked_since: number | null;
    /** Its latest run that asks for missing accounts, or `tracked_from` before the first. */
    mirror_run: number | null;
    /** Whether `pushed` has the accounts that it had created before. */
    is_seeded: Generated<number>;
    /** Since when webhooks know that it is late; null if it is not. */
    late_since: number | null;
  };
  /** The accounts that a source has pushed, and the `mirror_run` of the source when it last did. */
  pushed: { tenant_id: number; source: string; account_id: string; run_id: number };
  /** The requests of one source that belong together; `runs/runs.ts` explains how a run begins and ends. */
  run: {
    id: Generated<number>;
    tenant_id: number;
    source: string;
    kind: string;
    state: string;
    /** The key of its first request. */
    key_id: string;
    started_at: number;
    /** The time of its last request. */
    last_at: number;
    ended_at: number | null;
    requests: Generated<number>;
    failed_requests: Generated<number>;
    created: Generated<number>;
    updated: Generated<number>;
    unchanged: Generated<number>;
    rejected: Generated<number>;
    /** JSON: how often each field was changed. */
    fields: Generated<string>;
    archived: Generated<number>;
    restored: Generated<number>;
    /** The positions of its first and last change set in the feed; null if it has changed nothing. */
    first_turn: number | null;
    first_seq: number | null;
    last_turn: number | null;
    last_seq: number | null;
    /** Null unless it undoes another run: that run, or one request of it. */
    undoes: number | null;
    undoes_request: string | null;
    /** Whether it also overwrites what was changed since. */
    is_forced: Generated<number>;
    /** The undo continues before this position in the feed; null before its first step. */
    undo_turn: number | null;
    undo_seq: number | null;
    /** How many changes it has examined, of how many, and what it could not take back. */
    examined: Generated<number>;
    to_examine: Generated<number>;
    conflicts: Generated<number>;
    /** What to do about accounts that are missing from it; null for nothing. */
    missing: string | null;
    /** How many were missing when it was finished, and of how many; null before. */
    missing_accounts: number | null;
    missing_of: number | null;
    /** Which accounts its requests may write. */
    mode: Generated<string>;
    skipped: Generated<number>;
    kept: Generated<number>;
  };
  webhook: {
    id: string;
    tenant_id: number;
    url: string;
    description: string;
    events: string;
    filter: string;
    batch_size: number;
    state: string;
    /** Why the service has paused or disabled it; null if it has not. */
    reason: string | null;
    secret: string;
    /** Messages are also signed with it until this time. */
    previous_secret: string | null;
    previous_until: number | null;
    /** Increases when it starts again at another position: progress of an earlier generation is not stored any more. */
    generation: Generated<number>;
    /** The position up to which events are delivered. */
    turn: number;
    seq: number;
    /** The end of a batch at the end of the feed, stored before it is sent; null for others. */
    end_turn: number | null;
    end_seq: number | null;
    /** How often the current batch has failed, since when, and when it is tried again. */
    failures: Generated<number>;
    failing_since: number | null;
    retry_at: number | null;
    last_error: string | null;
    delivered_at: number | null;
    created_at: number;
  };
  /** The latest deliveries of each webhook. One row for all batches that were taken within a second. */
  webhook_delivery: {
    id: Generated<number>;
    tenant_id: number;
    webhook_id: string;
    at: number;
    /** Of the last batch. */
    message_id: string;
    attempt: number;
    deliveries: number;
    events: number;
    /** Null if there was no answer. */
    status: number | null;
    error: string | null;
    took_ms: number;
    answer: string | null;
  };
  /** One row: the process that delivers to all webhooks. */
  webhook_lease: { holder: string; expires_at: number };
  session: {
    hash: string;
    tenant_id: number;
    /** The key or user that has signed in. */
    key_id: string;
    created_at: number;
    expires_at: number;
    /** Names the session in lists. Null if a server of a version before 0.8.0 has added it beside this one. */
    id: string | null;
    user_agent: string | null;
    last_used_at: number | null;
  };
  /** People who sign in, in any tenant. One who has left all tenants keeps the row, which names them in the history. */
  app_user: {
    id: string;
    email: string;
    name: string;
    /** The hash of the password; null if the user has none. */
    password: string | null;
    oidc_issuer: string | null;
    oidc_subject: string | null;
    created_at: number;
  };
  membership: {
    tenant_id: number;
    user_id: string;
    role: string;
    /** Who decides on the role: an administrator, or the claims of each sign-in. */
    origin: string;
    created_at: number;
    disabled_at: number | null;
    removed_at: number | null;
    last_used_at: number | null;
  };
  /** Links that are used once, to join a tenant or to set a password. */
  one_time_link: {
    id: string;
    /** The hash of its token. */
    hash: string;
    kind: string;
    /** Null if the operator has made it to set a password. */
    tenant_id: number | null;
    email: string;
    /** Null unless it invites. */
    role: string | null;
    created_at: number;
    expires_at: number;
    /** The key or user that has made it; null on the command line. */
    created_by: string | null;
  };
  attribute: {
    tenant_id: number;
    name: string;
    type: string;
    choices: string;
    read_only: number;
    /** The source that owns it, and what happens to different values of others; null if every source may change it. */
    owner: string | null;
    others: string | null;
    /** 0: not indexed; 2: ready; any other: being built, and the number of the build (always 1 before 0.8.0). */
    indexed: Generated<number>;
    /** The last account that the build has indexed, and how many it has indexed; empty and 0 if there is no build. */
    index_after: Generated<string>;
    index_accounts: Generated<number>;
    label: string | null;
    description: string | null;
    unit: string | null;
    position: number | null;
    group_name: string | null;
  };
  blocked_id: { tenant_id: number; pattern: string };
  account: AccountRow & { tenant_id: number };
  /** The values of indexed attributes, as JSON text. */
  account_value: { tenant_id: number; account_id: string; name: string; value: string };
  /** The changes of one request; `change-set.ts` explains the format. */
  change_set: {
    tenant_id: number;
    /** The number of its first change. */
    seq: number;
    /**
     * `commitOrder` in code. Sets are ordered by (turn, seq). Once a set is readable in the feed, none with a lower
     * `turn` is committed.
     */
    turn: number;
    at: number;
    request_id: string;
    key_id: string;
    /** `KindCounts` of its changes. */
    created: number;
    updated: number;
    archived: Generated<number>;
    restored: Generated<number>;
    deleted: number;
    fields: string;
    entries: Uint8Array;
    /** Null if the request belongs to no run, or was stored before there were runs. */
    run_id: number | null;
    /** JSON of an event that is not a change of an account (`feed-event.ts`); the set has no changes then. */
    event: string | null;
  };
  /**
   * Deleted accounts whose history before a revision may still have values. `next_seq` is the next change to erase,
   * and null once all are erased.
   */
  erasure: {
    tenant_id: number;
    account_id: string;
    revision: number;
    deleted_at: number;
    next_seq: number | null;
    /** When the last value was erased; null before. */
    erased_at: number | null;
  };
  /**
   * The position up to which changes are counted in the statistics, and at that position the number of accounts that are
   * not archived, and of those that are.
   */
  tally: { tenant_id: number; turn: number; seq: number; accounts: number; archived: Generated<number> };
  /** The position of the pass that removes old changes, its `history_days`, and when the next pass starts. */
  pruning: { tenant_id: number; days: number; turn: number; seq: number; next_at: number };
  period_count: {
    tenant_id: number;
    unit: string;
    start: number;
    created: number;
    updated: number;
    archived: Generated<number>;
    restored: Generated<number>;
    deleted: number;
    refused: number;
  };
  /** How many accounts have a field, and which shapes its values have had. */
  field_use: { tenant_id: number; name: string; accounts: number; shapes: number };
  rejection: {
    id: Generated<number>;
    tenant_id: number;
    at: number;
    request_id: string;
    key_id: string;
    operation: string;
    status: number;
    place: number | null;
    account_id: string | null;
    errors: string | null;
    problem: string | null;
    record: string | null;
    run_id: number | null;
  };
  audit: {
    id: Generated<number>;
    tenant_id: number;
    at: number;
    key_id: string | null;
    request_id: string | null;
    action: string;
    subject: string;
    value_before: string | null;
    value_after: string | null;
  };
}

/** The parent and the name have columns of their own, which are indexed; `fields` is the JSON of all other fields. */
export interface AccountRow {
  account_id: string;
  parent_account_id: string | null;
  name: string | null;
  fields: string;
  revision: number;
  created_at: number;
  updated_at: number;
  /** When the account was archived. Listings leave it out then. */
  archived_at: number | null;
  /**
   * When the account was deleted. The row stays without values, so that an account created again continues its
   * revision.
   */
  deleted_at: number | null;
  /** The number of its first change; null if that change was removed before sets existed. */
  first_change: number | null;
  /** The number and place of its last change. */
  last_change: number | null;
  last_place: number | null;
}

export function accountFromRow(row: AccountColumns): Account {
  return {
    accountId: row.account_id,
    fields: fieldsFrom(row.fields, row.parent_account_id, row.name),
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    archivedAt: row.archived_at,
    deletedAt: row.deleted_at,
  };
}

/** All fields of an account, from its columns. */
export function fieldsFrom(others: string, parent: string | null, name: string | null): JsonObject {
  const fields: Record<string, JsonObject[string]> = JSON.parse(others);
  if (parent !== null) fields.parent_account_id = parent;
  if (name !== null) fields.name = name;
  return fields;
}

/** The columns of an account that are derived from its fields and state. */
export type AccountColumns = Omit<AccountRow, 'first_change' | 'last_change' | 'last_place'>;

export function rowFromAccount(account: Account): AccountColumns {
  const { parent_account_id, name, ...others } = account.fields;
  return {
    account_id: account.accountId,
    parent_account_id: (parent_account_id ?? null) as string | null,
    name: (name ?? null) as string | null,
    fields: JSON.stringify(others),
    revision: account.revision,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
    archived_at: account.archivedAt,
    deleted_at: account.deletedAt,
  };
}
