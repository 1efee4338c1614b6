import { type RawBuilder, sql } from 'kysely';

/** What sent a change or rejection; undefined parts match all. */
export interface SentBy {
  readonly runId?: number | undefined;
  readonly source?: string | undefined;
  readonly keyId?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Condition on `change_set` or `rejection`. The source is that of the run, or of the key if there is no run. */
export function sentBy(tenantId: number, { runId, source, keyId, requestId }: SentBy): RawBuilder<boolean> {
  const parts: RawBuilder<boolean>[] = [sql`1 = 1`];
  if (runId !== undefined) parts.push(sql`run_id = ${runId}`);
  if (keyId !== undefined) parts.push(sql`key_id = ${keyId}`);
  if (requestId !== undefined) parts.push(sql`request_id = ${requestId}`);
  if (source !== undefined) {
    const ofTenant = sql`tenant_id = ${tenantId} and source = ${source}`;
    parts.push(sql`
      case when run_id is null
      then exists (select 1 from api_key where api_key.id = key_id and ${ofTenant})
      else exists (select 1 from run where run.id = run_id and ${ofTenant}) end`);
  }
  return sql`(${sql.join(parts, sql` and `)})`;
}
