import { ERASED_CHANGES, NOT_YET_ERASED, USUAL_KIND } from '../changes/change-kind.js';

const WANTED = 'account where tenant_id = $1 and account_id = id';
const COLUMNS = 'account_id, parent_account_id, name, fields, revision, created_at, updated_at, deleted_at';

/**
 * The commit order of a change: the number of this transaction, or of the last ended one if that is higher. A
 * transaction gets its number before it waits for a lock. Without the maximum, its change of an account could come
 * before the earlier change by a later transaction. Changes with the same number are ordered by `seq`.
 */
const COMMIT_ORDER =
  'greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)';

/**
 * The statements of the account write. Each handles a whole group of one tenant, and is prepared once per connection.
 * Rules for all of them:
 * - Columns are named, never `*`: a prepared statement must not break when a newer version adds a column.
 * - Rows are found one by one with both columns of the key, in lateral subselects that the planner cannot reorder.
 *   Otherwise it reads a whole tenant if it estimates tenants to be small.
 * - Ids come sorted and rows are locked in this order, so that no two processes deadlock.
 */
export const statements = {
  read: {
    name: 'read',
    text: `
      select ${COLUMNS} from unnest($2::text[]) as wanted (id)
      cross join lateral (select ${COLUMNS} from ${WANTED} offset 0) as found`,
  },
  lockAndRead: {
    name: 'lock-and-read',
    text: `
      select ${COLUMNS} from unnest($2::text[]) as wanted (id)
      cross join lateral (select ${COLUMNS} from ${WANTED} for no key update) as found`,
  },
  /** Fails with a division by zero unless each account still has the revision that was read. */
  lockAsRead: {
    name: 'lock-as-read',
    text: `
      select 1 / (count(*) = $4)::int from unnest($2::text[], $3::int[]) as read (id, revision_read)
      cross join lateral (select from ${WANTED} and revision = revision_read for no key update) as found`,
  },
  /** Fails if the tenant does not exist. A foreign key would be checked for each row, this subselect runs once. */
  insert: {
    name: 'insert',
    text: `
      insert into account
        (tenant_id, account_id, parent_account_id, name, fields, revision, updated_at, created_at, deleted_at)
      select (select id from tenant where id = $1), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]),
        unnest($5::text[]), unnest($6::int[]), unnest($7::bigint[]), unnest($8::bigint[]), unnest($9::bigint[])`,
  },
  /** Fails like `lockAsRead`. The second check of the revision covers a row that changes after it was found. */
  update: {
    name: 'update',
    text: `
      with updated as (
        update account set parent_account_id = new_parent, name = new_name, fields = new_fields,
          revision = new_revision, updated_at = new_updated_at, created_at = new_created_at,
          deleted_at = new_deleted_at
        from (
          select unnest($2::text[]) as id, unnest($3::text[]) as new_parent, unnest($4::text[]) as new_name,
            unnest($5::text[]) as new_fields, unnest($6::int[]) as new_revision,
            unnest($7::bigint[]) as new_updated_at, unnest($8::bigint[]) as new_created_at,
            unnest($9::bigint[]) as new_deleted_at, unnest($10::int[]) as revision_read
        ) as new
        cross join lateral (
          select ctid as place from ${WANTED} and revision = revision_read offset 0
        ) as found
        where account.ctid = place and account.revision = revision_read
        returning 1
      )
      select 1 / (count(*) = $11)::int from updated`,
  },
  appendHistory: {
    name: 'append-history',
    text: `
      insert into account_history
        (tenant_id, account_id, revision, at, request_id, key_id, changes, kind, turn)
      select $1, unnest($2::text[]), unnest($3::int[]), unnest($4::bigint[]), unnest($5::text[]),
        unnest($6::text[]), unnest($7::text[]), unnest($8::text[]),
        (select ${COMMIT_ORDER} + feed_turn from configuration)`,
  },
  /** Erases the values of each account's changes before a revision. */
  eraseHistory: {
    name: 'erase-history',
    text: `
      update account_history set kind = 'erased ' || ${USUAL_KIND}, changes = ${ERASED_CHANGES.postgres}
      from unnest($2::text[], $3::int[]) as erased (id, end_revision)
      cross join lateral (
        select ctid as place from account_history
        where tenant_id = $1 and account_id = id and revision < end_revision and ${NOT_YET_ERASED} offset 0
      ) as found
      where account_history.ctid = place`,
  },
  /** Keeps the later timestamp: processes may write their uses in any order. */
  keysUsed: {
    name: 'keys-used',
    text: `
      with used as (
        select id, at from api_key join unnest($1::text[], $2::bigint[]) as use (key_id, at) on id = key_id
        order by id for no key update of api_key
      )
      update api_key set last_used_at = greatest(last_used_at, used.at) from used where api_key.id = used.id`,
  },
} as const;
