import type { Kysely } from 'kysely';
import { CONSOLE_SOURCE, isUserId } from '../../domain/user.js';
import type { Tables } from '../schema/tables.js';

/** A change, rejection or audit entry: by which key or user, and in which run. */
interface Sent {
  readonly senderId: string | null;
  readonly runId: number | null;
}

/** The user who has sent a request, as others of the tenant see them. */
export interface SendingUser {
  readonly id: string;
  /** Null if the user has never belonged to the tenant. */
  readonly name: string | null;
}

export interface Sender {
  /** Null if it is not known any more. */
  readonly source: string | null;
  /** Null if a key has sent it. */
  readonly user: SendingUser | null;
}

/** Adds to each its source and user, as `findSenders` returns them. */
export async function withSenders<T extends Sent>(
  db: Kysely<Tables>,
  tenantId: number,
  all: readonly T[],
): Promise<(T & Sender)[]> {
  const senderOf = await findSenders(db, tenantId, all);
  return all.map((one) => ({ ...one, ...senderOf(one) }));
}

/**
 * The function returns the sender of one of them. The source is that of its run, or else that of its key now, or of all
 * users.
 */
export async function findSenders(
  db: Kysely<Tables>,
  tenantId: number,
  all: readonly Sent[],
): Promise<(one: Sent) => Sender> {
  const runIds = distinct(all.map(({ runId }) => runId));
  const runs = runIds.length === 0 ? [] : await sourcesOf(db, 'run', tenantId, runIds);
  const ofRuns = new Map(runs.map(({ id, source }) => [id, source]));
  const others = all.filter(({ runId }) => runId === null || !ofRuns.has(runId));
  const keyIds = distinct(others.map(({ senderId }) => senderId)).filter((id) => !isUserId(id));
  const keys = keyIds.length === 0 ? [] : await sourcesOf(db, 'api_key', tenantId, keyIds);
  const ofKeys = new Map(keys.map(({ id, source }) => [id, source]));
  const userOf = await findUsers(
    db,
    tenantId,
    all.map(({ senderId }) => senderId),
  );
  return ({ runId, senderId }) => {
    const user = userOf(senderId);
    const own = user === null ? ofKeys.get(senderId ?? '') : CONSOLE_SOURCE;
    return { source: ofRuns.get(runId ?? -1) ?? own ?? null, user };
  };
}

/**
 * The function returns the user of a sender, and null for a key. Only members and former members of the tenant have
 * names. Without users among the senders it costs no query.
 */
export async function findUsers(
  db: Kysely<Tables>,
  tenantId: number,
  senders: readonly (string | null)[],
): Promise<(sender: string | null) => SendingUser | null> {
  const ids = distinct(senders).filter(isUserId);
  const rows = ids.length === 0 ? [] : await namesOf(db, tenantId, ids);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => (id === null || !isUserId(id) ? null : { id, name: names.get(id) ?? null });
}

function namesOf(
  db: Kysely<Tables>,
  tenantId: number,
  userIds: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .select(['app_user.id', 'app_user.name'])
    .where('tenant_id', '=', tenantId)
    .where('user_id', 'in', userIds)
    .execute();
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
