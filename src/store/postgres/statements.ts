import { NOT_YET_ERASED, USUAL_KIND } from '../changes/change-kind.js';
import { POSTGRES } from '../dialect.js';

const WANTED = 'account where tenant_id = $1 and account_id = id';
const COLUMNS = 'account_id, parent_account_id, name, fields, revision, created_at, updated_at, deleted_at';

/**
 * Of this transaction, or of the last that has ended where that is higher: a transaction that has its number, waits for
 * an account and writes it after a later one would otherwise come before that in the feed. `seq` tells them apart.
 */
const TURN =
  'greatest(pg_current_xact_id()::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)';

/**
 * The account write, a statement a step for a whole group of one tenant, prepared once a connection. Three things
 * hold for all of them:
 * - Columns are named, never `*`: a prepared statement must not break when a newer version adds a column.
 * - Rows are found one by one with both columns of the key, in lateral subselects that the planner cannot turn round:
 *   left to itself, it reads a whole tenant where it takes tenants to be small.
 * - Ids come sorted, and rows are locked in their order, so that no two processes wait for each other.
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
  /** Fails, by a division by zero, unless each account still has the revision that was read. */
  lockAsRead: {
    name: 'lock-as-read',
    text: `
      select 1 / (count(*) = $4)::int from unnest($2::text[], $3::int[]) as read (id, revision_read)
      cross join lateral (select from ${WANTED} and revision = revision_read for no key update) as found`,
  },
  /** Without the tenant no row is stored. It is looked up once: a foreign key would be checked for each row. */
  insert: {
    name: 'insert',
    text: `
      insert into account
        (tenant_id, account_id, parent_account_id, name, fields, revision, updated_at, created_at, deleted_at)
      select (select id from tenant where id = $1), unnest($2::text[]), unnest($3::text[]), unnest($4::text[]),
        unnest($5::text[]), unnest($6::int[]), unnest($7::bigint[]), unnest($8::bigint[]), unnest($9::bigint[])`,
  },
  /** Fails likewise. The revision is looked at once more where a row changes after it was found. */
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
        (select ${TURN} + feed_turn from configuration)`,
  },
  /** Up to a revision of each account. */
  eraseHistory: {
    name: 'erase-history',
    text: `
      update account_history set kind = 'erased ' || ${USUAL_KIND}, changes = ${POSTGRES.erasedChanges}
      from unnest($2::text[], $3::int[]) as erased (id, end_revision)
      cross join lateral (
        select ctid as place from account_history
        where tenant_id = $1 and account_id = id and revision < end_revision and ${NOT_YET_ERASED} offset 0
      ) as found
      where account_history.ctid = place`,
  },
  /** A tenth of what remains at a time, so that most requests need not ask, and no process takes too much. */
  leaseRequests: {
    name: 'lease-requests',
    text: `
      insert into rate_limit as known (minute, key_id, remaining, granted)
      values ($1, $2, $3::int - greatest(1, $3::int / 10), greatest(1, $3::int / 10))
      on conflict (minute, key_id) do update set
        granted = least(known.remaining, greatest(1, known.remaining / 10)),
        remaining = known.remaining - least(known.remaining, greatest(1, known.remaining / 10))
      returning granted, remaining`,
  },
  /** What another process deletes already is left to it. */
  forgetLeases: {
    name: 'forget-leases',
    text: `
      delete from rate_limit where (minute, key_id) in (
        select minute, key_id from rate_limit where minute < $1 for update skip locked
      )`,
  },
  /** A process that writes late does not set the clock back. */
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
