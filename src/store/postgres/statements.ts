export const WANTED = 'account where tenant_id = $1 and account_id = id';
const COLUMNS =
  'account_id, parent_account_id, name, fields, revision, created_at, updated_at, archived_at, deleted_at, ' +
  'first_change, last_change, last_place';

const NO_COLUMNS =
  'null::text, null::text, null::text, null::text, null::int, null::bigint, null::bigint, null::bigint, ' +
  'null::bigint, null::bigint, null::bigint, null::int';

/** The first numbers of $3 blocks, each enough for `SETS_PER_BLOCK` change sets. */
const NEW_NUMBERS =
  "(select string_agg(nextval('change_set_seq')::text, ',') from generate_series(1, $3::int))";

/**
 * The statements before a write; `write-statement.ts` has the write itself. Each handles a whole group of one tenant,
 * and is prepared once per connection. Rules for all of them:
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
