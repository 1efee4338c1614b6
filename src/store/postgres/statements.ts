const WANTED = 'account where tenant_id = $1 and account_id = id';
const COLUMNS =
  'account_id, parent_account_id, name, fields, revision, created_at, updated_at, deleted_at, first_change, ' +
  'last_change, last_place';

const NO_COLUMNS =
  'null::text, null::text, null::text, null::text, null::int, null::bigint, null::bigint, null::bigint, ' +
  'null::bigint, null::bigint, null::int';

/** The first numbers of $3 blocks, each enough for `SETS_PER_BLOCK` change sets. */
const NEW_NUMBERS =
  "(select string_agg(nextval('change_set_seq')::text, ',') from generate_series(1, $3::int))";

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
  /** The accounts, and a last row with the numbers for new change sets. */
  read: {
    name: 'read',
    text: `
      select ${COLUMNS}, null as numbers from unnest($2::text[]) as wanted (id)
      cross join lateral (select ${COLUMNS} from ${WANTED} offset 0) as found
      union all select ${NO_COLUMNS}, ${NEW_NUMBERS}`,
  },
  lockAndRead: {
    name: 'lock-and-read',
    text: `
      select ${COLUMNS}, null as numbers from unnest($2::text[]) as wanted (id)
      cross join lateral (select ${COLUMNS} from ${WANTED} for no key update) as found`,
  },
  /** After `lockAndRead`: the changes of an account have increasing numbers, so they are taken after the locks. */
  setNumbers: { name: 'set-numbers', text: `select $1::int, $2::text, ${NEW_NUMBERS} as numbers` },
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
        (tenant_id, account_id, parent_account_id, name, fields, revision, updated_at, created_at, deleted_at,
         last_change, last_place, first_change)
      select (select id from tenant where id = $1), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]),
        unnest($5::text[]), unnest($6::int[]), unnest($7::bigint[]), unnest($8::bigint[]), unnest($9::bigint[]),
        unnest($10::bigint[]), unnest($11::int[]), unnest($12::bigint[])`,
  },
  /**
   * Fails like `lockAsRead`. The second check covers a row that changes after it was found. The place of the last
   * change is checked, too: retention may have moved it, and the new change points to it.
   */
  update: {
    name: 'update',
    text: `
      with updated as (
        update account set parent_account_id = new_parent, name = new_name, fields = new_fields,
          revision = new_revision, updated_at = new_updated_at, created_at = new_created_at,
          deleted_at = new_deleted_at, last_change = new_last_change, last_place = new_last_place
        from (
          select unnest($2::text[]) as id, unnest($3::text[]) as new_parent, unnest($4::text[]) as new_name,
            unnest($5::text[]) as new_fields, unnest($6::int[]) as new_revision,
            unnest($7::bigint[]) as new_updated_at, unnest($8::bigint[]) as new_created_at,
            unnest($9::bigint[]) as new_deleted_at, unnest($10::bigint[]) as new_last_change,
            unnest($11::int[]) as new_last_place, unnest($12::int[]) as revision_read,
            unnest($13::int[]) as place_read
        ) as new
        cross join lateral (
          select ctid as place from ${WANTED} and revision = revision_read offset 0
        ) as found
        where account.ctid = place and account.revision = revision_read
          and account.last_place is not distinct from place_read
        returning 1
      )
      select 1 / (count(*) = $14)::int from updated`,
  },
  insertSets: {
    name: 'insert-sets',
    text: `
      insert into change_set
        (tenant_id, turn, seq, at, request_id, key_id, created, updated, deleted, fields, entries)
      select $1, (select ${COMMIT_ORDER} + feed_turn from configuration), unnest($2::bigint[]),
        unnest($3::bigint[]), unnest($4::text[]), unnest($5::text[]), unnest($6::int[]), unnest($7::int[]),
        unnest($8::int[]), unnest($9::text[]), unnest($10::bytea[])`,
  },
  /** The values in the history of deleted accounts are erased later. */
  erase: {
    name: 'erase',
    text: `
      insert into erasure (tenant_id, account_id, revision, deleted_at, next_seq)
      select $1, unnest($2::text[]), unnest($3::int[]), unnest($4::bigint[]), unnest($5::bigint[])
      on conflict (tenant_id, account_id) do update
      set revision = excluded.revision, deleted_at = excluded.deleted_at, next_seq = excluded.next_seq, erased_at = null`,
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
