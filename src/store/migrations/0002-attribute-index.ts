import { sql } from 'kysely';
import type { Dialect } from './all-migrations.js';

/** Longer values are not found by equality: they would not fit into an index. The same limit is in `attribute-index.ts`. */
const FITS = sql`<= 200`;

/**
 * Keeps the values of indexed attributes beside the accounts. The database does so itself, so that no code that writes an
 * account can forget it, and it costs nothing where no attribute is indexed.
 */
export const attributeIndexTriggers: Readonly<Record<Dialect, readonly ReturnType<typeof sql>[]>> = {
  sqlite: (['insert', 'update of fields'] as const).map(
    (event) => sql`
      create trigger ${sql.id(`account_value_${event.slice(0, 6)}`)} after ${sql.raw(event)} on account
      when exists (select 1 from attribute where tenant_id = new.tenant_id and indexed > 0)
      begin
        delete from account_value where tenant_id = new.tenant_id and account_id = new.account_id;
        insert into account_value (tenant_id, account_id, name, value)
        select new.tenant_id, new.account_id, name, value from (
          select name, new.fields -> ('$."' || name || '"') as value from attribute
          where tenant_id = new.tenant_id and indexed > 0
        ) where length(value) ${FITS};
      end`,
  ),
  postgres: [
    sql`
      create function account_value_follow() returns trigger language plpgsql as $$
      begin
        if not exists (
          select 1 from changed join attribute on attribute.tenant_id = changed.tenant_id and indexed > 0
        ) then
          return null;
        end if;
        delete from account_value where ctid in (
          select place from changed cross join lateral (
            select ctid as place from account_value
            where tenant_id = changed.tenant_id and account_id = changed.account_id offset 0
          ) as found
        );
        insert into account_value (tenant_id, account_id, name, value)
        select changed.tenant_id, changed.account_id, attribute.name, found.value
        from changed join attribute on attribute.tenant_id = changed.tenant_id and indexed > 0
        cross join lateral (select (changed.fields::json -> attribute.name)::text as value) as found
        where length(found.value) ${FITS};
        return null;
      end $$`,
    ...(['insert', 'update'] as const).map(
      (event) => sql`
        create trigger ${sql.id(`account_value_${event}`)} after ${sql.raw(event)} on account
        referencing new table as changed for each statement execute function account_value_follow()`,
    ),
  ],
};
