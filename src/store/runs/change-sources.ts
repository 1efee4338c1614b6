import type { Kysely } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** A change or rejection: by which key, and in which run. */
interface Sent {
  readonly keyId: string | null;
  readonly runId: number | null;
}

/** Adds the source of each: that of its run, or else that of its key now. Null if neither exists any more. */
export async function withSources<T extends Sent>(
  db: Kysely<Tables>,
  tenantId: number,
  all: readonly T[],
): Promise<(T & { readonly source: string | null })[]> {
  const sourceOf = await findSources(db, tenantId, all);
  return all.map((one) => ({ ...one, source: sourceOf(one) }));
}

/** The function returns the source of one of them, as `withSources` adds it. */
export async function findSources(
  db: Kysely<Tables>,
  tenantId: number,
  all: readonly Sent[],
): Promise<(one: Sent) => string | null> {
  const runIds = distinct(all.map(({ runId }) => runId));
  const runs = runIds.length === 0 ? [] : await sourcesOf(db, 'run', tenantId, runIds);
  const ofRuns = new Map(runs.map(({ id, source }) => [id, source]));
  const others = all.filter(({ runId }) => runId === null || !ofRuns.has(runId));
  const keyIds = distinct(others.map(({ keyId }) => keyId));
  const keys = keyIds.length === 0 ? [] : await sourcesOf(db, 'api_key', tenantId, keyIds);
  const ofKeys = new Map(keys.map(({ id, source }) => [id, source]));
  return ({ runId, keyId }) => ofRuns.get(runId ?? -1) ?? ofKeys.get(keyId ?? '') ?? null;
}

function sourcesOf(
  db: Kysely<Tables>,
  table: 'run' | 'api_key',
  tenantId: number,
  ids: readonly (string | number)[],
): Promise<{ id: string | number; source: string | null }[]> {
  const query = db.selectFrom(table as 'api_key').select(['id', 'source']);
  return query
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', ids as string[])
    .execute();
}

function distinct<T>(values: readonly (T | null)[]): T[] {
  return [...new Set(values)].filter((value) => value !== null);
}
