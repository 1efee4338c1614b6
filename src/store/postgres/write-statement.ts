import { COMMIT_ORDER } from '../dialect.js';
import type { ChangeSet } from '../schema/change-set.js';
import { type AccountRow, rowFromAccount } from '../schema/tables.js';
import type { ChangedAccount } from '../write/apply-group.js';
import type { Erasure } from '../write/build-change-sets.js';
import { bigintArray, bytesArray, intArray, textArray } from './array-parameter.js';
import { WANTED } from './statements.js';

/** Each is a common table expression. `p` returns the next parameter; $1 is the tenant. */
const PARTS = {
  /**
   * Finds only accounts that still have the revision that was read. The second check covers a row that changes after it
   * was found. The place of the last change is checked, too: retention may have moved it, and the new change points to
   * it.
   */
  update: (p: NextParameter) => `
    updated as (
      update account set parent_account_id = new_parent, name = new_name, fields = new_fields,
        revision = new_revision, updated_at = new_updated_at, created_at = new_created_at,
        archived_at = new_archived_at, deleted_at = new_deleted_at, last_change = new_last_change, last_place = new_last_place
      from (
        select unnest(${p('text[]')}) as id, unnest(${p('text[]')}) as new_parent, unnest(${p('text[]')}) as new_name,
          unnest(${p('text[]')}) as new_fields, unnest(${p('int[]')}) as new_revision,
          unnest(${p('bigint[]')}) as new_updated_at, unnest(${p('bigint[]')}) as new_created_at,
          unnest(${p('bigint[]')}) as new_archived_at, unnest(${p('bigint[]')}) as new_deleted_at,
          unnest(${p('bigint[]')}) as new_last_change,
          unnest(${p('int[]')}) as new_last_place, unnest(${p('int[]')}) as revision_read,
          unnest(${p('int[]')}) as place_read
      ) as new
      cross join lateral (
        select ctid as place from ${WANTED} and revision = revision_read offset 0
      ) as found
      where account.ctid = place and account.revision = revision_read
        and account.last_place is not distinct from place_read
      returning 1
    )`,
  /** Fails if the tenant does not exist. A foreign key would be checked for each row, this subselect runs once. */
  insert: (p: NextParameter) => `
    inserted as (
      insert into account
        (tenant_id, account_id, parent_account_id, name, fields, revision, updated_at, created_at, archived_at,
         deleted_at, last_change, last_place, first_change)
      select (select id from tenant where id = $1), unnest(${p('text[]')}), unnest(${p('text[]')}),
        unnest(${p('text[]')}), unnest(${p('text[]')}), unnest(${p('int[]')}), unnest(${p('bigint[]')}),
        unnest(${p('bigint[]')}), unnest(${p('bigint[]')}), unnest(${p('bigint[]')}), unnest(${p('bigint[]')}),
        unnest(${p('int[]')}), unnest(${p('bigint[]')})
    )`,
  insertSets: (p: NextParameter) => `
    sets as (
      insert into change_set
        (tenant_id, turn, seq, at, request_id, key_id, created, updated, archived, restored, deleted,
         fields, entries, run_id)
      select $1, (select ${COMMIT_ORDER} + feed_turn from configuration), unnest(${p('bigint[]')}),
        unnest(${p('bigint[]')}), unnest(${p('text[]')}), unnest(${p('text[]')}), unnest(${p('int[]')}),
        unnest(${p('int[]')}), unnest(${p('int[]')}), unnest(${p('int[]')}), unnest(${p('int[]')}),
        unnest(${p('text[]')}), unnest(${p('bytea[]')}),
        unnest(${p('bigint[]')})
    )`,
  /** The values in the history of deleted accounts are erased later. */
  erase: (p: NextParameter) => `
    erased as (
      insert into erasure (tenant_id, account_id, revision, deleted_at, next_seq)
      select $1, unnest(${p('text[]')}), unnest(${p('int[]')}), unnest(${p('bigint[]')}), unnest(${p('bigint[]')})
      on conflict (tenant_id, account_id) do update
      set revision = excluded.revision, deleted_at = excluded.deleted_at, next_seq = excluded.next_seq,
        erased_at = null
    )`,
  /**
   * Nothing for a source that is not tracked any more. The accounts must be as they were read: otherwise one that is
   * archived meanwhile, because it is missing, would count as unchanged.
   */
  push: (p: NextParameter) => `
    as_read as (
      select count(*) as found from unnest(${p('text[]')}, ${p('int[]')}) as read (id, revision_read)
      cross join lateral (select from ${WANTED} and revision = revision_read offset 0) as found
    ),
    pushed_now as (
      insert into pushed (tenant_id, source, account_id, run_id)
      select $1, sent.source, sent.id, tracked.mirror_run
      from unnest(${p('text[]')}, ${p('text[]')}) as sent (source, id)
      cross join lateral (
        select mirror_run from source where tenant_id = $1 and name = sent.source and mirror_run is not null offset 0
      ) as tracked
      on conflict (tenant_id, source, account_id) do update set run_id = excluded.run_id
      where pushed.run_id < excluded.run_id
    )`,
} as const;

type NextParameter = (type: string) => string;
export type WritePart = keyof typeof PARTS;

const statements = new Map<string, { readonly name: string; readonly text: string }>();

/**
 * The statement that writes a group: one, so that it needs neither a transaction block nor further messages. An update
 * has to be the first part, `push` the last. If they do not find all accounts, the statement fails with a division by
 * zero.
 */
export function writeStatement(parts: readonly WritePart[]) {
  const name = `write: ${parts.join(', ')}`;
  let statement = statements.get(name);
  if (statement === undefined) {
    let last = 1;
    const p = (type: string) => {
      last += 1;
      return `$${last}::${type}`;
    };
    const expressions = parts.map((part) => PARTS[part](p));
    const checks = [
      parts[0] === 'update' ? '(select count(*) from updated) = cardinality($2::text[])' : 'true',
      parts.at(-1) === 'push' ? `(select found from as_read) = $${last + 1}::int` : 'true',
    ];
    const text = `with ${expressions.join(',')} select 1 / (${checks.join(' and ')})::int`;
    statement = { name, text };
    statements.set(name, statement);
  }
  return statement;
}

interface GroupWrite {
  /** In the order of their ids. */
  readonly accounts: readonly ChangedAccount[];
  readonly sets: readonly ChangeSet[];
  readonly erasures: readonly Erasure[];
  /** In the order of sources and ids, each account of a source once. */
  readonly pushed: readonly PushedAccount[];
  /** All accounts that were read. */
  readonly read: readonly AccountRow[];
}

export interface PushedAccount {
  readonly source: string;
  readonly accountId: string;
}

/** The statement that writes a group, and its parameters after the tenant. */
export function writeOf({ accounts, sets, erasures, pushed, read }: GroupWrite) {
  const parts = [
    updatePart(accounts.filter(({ before }) => before !== undefined)),
    insertPart(accounts.filter(({ before }) => before === undefined)),
    setsPart(sets),
    erasePart(erasures),
    pushPart(pushed, read),
  ].filter((part) => part !== undefined);
  return {
    statement: writeStatement(parts.map(({ part }) => part)),
    values: parts.flatMap(({ values }) => values),
  };
}

/** A part of the write, and its parameters; undefined if there is nothing to write. */
type Part = { readonly part: WritePart; readonly values: readonly (Buffer | number)[] } | undefined;

function updatePart(accounts: readonly ChangedAccount[]): Part {
  if (accounts.length === 0) return undefined;
  const revisionsRead = intArray(accounts.map(({ before }) => before?.account.revision ?? 0));
  const placesRead = intArray(accounts.map(({ before }) => before?.lastChange?.place ?? null));
  return { part: 'update', values: [...columns(accounts), revisionsRead, placesRead] };
}

function insertPart(accounts: readonly ChangedAccount[]): Part {
  if (accounts.length === 0) return undefined;
  const firstChanges = bigintArray(accounts.map(({ firstChange }) => firstChange));
  return { part: 'insert', values: [...columns(accounts), firstChanges] };
}

function setsPart(sets: readonly ChangeSet[]): Part {
  if (sets.length === 0) return undefined;
  const values = [
    bigintArray(sets.map(({ seq }) => seq)),
    bigintArray(sets.map(({ header }) => header.at)),
    textArray(sets.map(({ header }) => header.requestId)),
    textArray(sets.map(({ header }) => header.senderId)),
    intArray(sets.map(({ created }) => created)),
    intArray(sets.map(({ updated }) => updated)),
    intArray(sets.map(({ archived }) => archived)),
    intArray(sets.map(({ restored }) => restored)),
    intArray(sets.map(({ deleted }) => deleted)),
    textArray(sets.map(({ fields }) => fields)),
    bytesArray(sets.map(({ entries }) => entries)),
    bigintArray(sets.map(({ header }) => header.runId ?? null)),
  ];
  return { part: 'insertSets', values };
}

function erasePart(erasures: readonly Erasure[]): Part {
  if (erasures.length === 0) return undefined;
  const ids = textArray(erasures.map(({ accountId }) => accountId));
  const revisions = intArray(erasures.map(({ revision }) => revision));
  const times = bigintArray(erasures.map(({ deletedAt }) => deletedAt));
  const next = bigintArray(erasures.map((erasure) => erasure.next.seq));
  return { part: 'erase', values: [ids, revisions, times, next] };
}

function pushPart(pushed: readonly PushedAccount[], read: readonly AccountRow[]): Part {
  if (pushed.length === 0) return undefined;
  const values = [
    textArray(read.map((row) => row.account_id)),
    intArray(read.map((row) => row.revision)),
    textArray(pushed.map(({ source }) => source)),
    textArray(pushed.map(({ accountId }) => accountId)),
    read.length,
  ];
  return { part: 'push', values };
}

function columns(accounts: readonly ChangedAccount[]): Buffer[] {
  const rows = accounts.map(({ account }) => rowFromAccount(account));
  return [
    textArray(rows.map((row) => row.account_id)),
    textArray(rows.map((row) => row.parent_account_id)),
    textArray(rows.map((row) => row.name)),
    textArray(rows.map((row) => row.fields)),
    intArray(rows.map((row) => row.revision)),
    bigintArray(rows.map((row) => row.updated_at)),
    bigintArray(rows.map((row) => row.created_at)),
    bigintArray(rows.map((row) => row.archived_at)),
    bigintArray(rows.map((row) => row.deleted_at)),
    bigintArray(accounts.map(({ lastChange }) => lastChange?.seq ?? null)),
    intArray(accounts.map(({ lastChange }) => lastChange?.place ?? null)),
  ];
}
