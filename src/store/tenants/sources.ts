import type { Kysely, Selectable, Transaction } from 'kysely';
import { DEFAULT_SOURCE, MAX_SOURCES, type Source, sourceNameFor } from '../../domain/source.js';
import { CONSOLE_SOURCE } from '../../domain/user.js';
import { SourceInUse, TooManySources, UnknownSource } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';

export interface SourceChanges {
  readonly label?: string | undefined;
  /** Null: it is not expected any more. */
  readonly expectEveryMs?: number | null | undefined;
  readonly graceMs?: number | undefined;
  readonly isTracked?: boolean | undefined;
}

export interface TenantSource extends Source {
  readonly tenantId: number;
}

/** The systems that push accounts to tenants. */
export class Sources {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  async list(tenantId: number): Promise<Source[]> {
    const query = this.#db.selectFrom('source').selectAll().where('tenant_id', '=', tenantId);
    return (await query.orderBy('name').execute()).map(sourceFromRow);
  }

  async find(tenantId: number, name: string): Promise<Source | undefined> {
    const row = await findRow(this.#db, tenantId, name);
    return row && sourceFromRow(row);
  }

  /** The names of the sources of which it is stored which accounts they push. */
  async tracked(tenantId: number): Promise<string[]> {
    const query = this.#db.selectFrom('source').select('name').where('tenant_id', '=', tenantId);
    const rows = await query.where('mirror_run', 'is not', null).orderBy('name').execute();
    return rows.map(({ name }) => name);
  }

  /** The sources of all tenants that are expected to push regularly. */
  async expected(): Promise<TenantSource[]> {
    const query = this.#db.selectFrom('source').selectAll().where('expect_every_ms', 'is not', null);
    const rows = await query.orderBy('tenant_id').orderBy('name').execute();
    return rows.map((row) => ({ ...sourceFromRow(row), tenantId: row.tenant_id }));
  }

  /** Creates or changes a source; what is undefined stays unchanged. Rejects with `TooManySources` at the limit. */
  async set(
    tenantId: number,
    name: string,
    changes: SourceChanges,
    by: Actor = commandLine(),
  ): Promise<Source> {
    const source = await this.#setRow(tenantId, name, changes, by);
    if (changes.isTracked === false) await forgetAllPushed(this.#db, tenantId, name);
    return source;
  }

  #setRow(tenantId: number, name: string, changes: SourceChanges, by: Actor): Promise<Source> {
    return changeConfiguration(this.#db, async (db) => {
      const before = await findRow(db, tenantId, name);
      if (before === undefined) await requireRoom(db, tenantId);
      const { label = before?.label ?? name, graceMs = before?.grace_ms ?? 0 } = changes;
      const expectEveryMs =
        changes.expectEveryMs === undefined ? (before?.expect_every_ms ?? null) : changes.expectEveryMs;
      const row = {
        label,
        expect_every_ms: expectEveryMs,
        grace_ms: graceMs,
        // A source that is expected from now on is not late before the first interval has passed.
        expected_since: expectEveryMs === null ? null : (before?.expected_since ?? by.at),
        ...(await changeTracking(db, before, changes.isTracked, by.at)),
      };
      const { created_at = by.at, last_finished_at = null } = before ?? {};
      await db
        .insertInto('source')
        .values({ tenant_id: tenantId, name, created_at, ...row })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet(row))
        .execute();
      const after = {
        ...NOT_TRACKED,
        late_since: null,
        ...before,
        tenant_id: tenantId,
        name,
        created_at,
        last_finished_at,
        ...row,
      };
      const from = before === undefined ? null : described(before);
      await recordChange(db, tenantId, by, {
        action: 'source.set',
        subject: name,
        from,
        to: described(after),
      });
      return sourceFromRow(after);
    });
  }

  /** False if there is none. Rejects with `SourceInUse` if a live key belongs to it, or if it owns an attribute. */
  async remove(tenantId: number, name: string, by: Actor = commandLine()): Promise<boolean> {
    const isRemoved = await this.#removeRow(tenantId, name, by);
    if (isRemoved) await forgetAllPushed(this.#db, tenantId, name);
    return isRemoved;
  }

  #removeRow(tenantId: number, name: string, by: Actor): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const before = await findRow(db, tenantId, name);
      if (before === undefined) return false;
      const key = await db
        .selectFrom('api_key')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('source', '=', name)
        .where('revoked_at', 'is', null)
        .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', by.at)]))
        .executeTakeFirst();
      if (key !== undefined) throw new SourceInUse(name, { keyId: key.id });
      if (name === CONSOLE_SOURCE && (await hasMembers(db, tenantId)))
        throw new SourceInUse(name, { users: true });
      const owned = db.selectFrom('attribute').select('name').where('tenant_id', '=', tenantId);
      const attribute = await owned.where('owner', '=', name).executeTakeFirst();
      if (attribute !== undefined) throw new SourceInUse(name, { attribute: attribute.name });
      await db.deleteFrom('source').where('tenant_id', '=', tenantId).where('name', '=', name).execute();
      const change = { action: 'source.remove', subject: name, from: described(before), to: null };
      await recordChange(db, tenantId, by, change);
      return true;
    });
  }
}

/**
 * The source of a new key: the one that it names, or else one that is named after its label. Creates it if it does not
 * exist. Must run within `changeConfiguration`.
 */
export async function sourceOfNewKey(
  db: Transaction<Tables>,
  key: { tenantId: number; label: string; source?: string | undefined; createdAt: number },
): Promise<string> {
  const { tenantId, label, source, createdAt } = key;
  const name = source ?? sourceNameFor(label);
  if ((await findRow(db, tenantId, name)) !== undefined) return name;
  await requireRoom(db, tenantId);
  const shown = name === DEFAULT_SOURCE ? name : label;
  await ensureSource(db, tenantId, name, shown, createdAt);
  return name;
}

/** Creates a source unless there is one of this name. Must run within `changeConfiguration`. */
export async function ensureSource(
  db: Transaction<Tables>,
  tenantId: number,
  name: string,
  label: string,
  createdAt: number,
): Promise<void> {
  await db
    .insertInto('source')
    .values({ tenant_id: tenantId, name, label, grace_ms: 0, created_at: createdAt })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
    .execute();
}

async function hasMembers(db: Kysely<Tables>, tenantId: number): Promise<boolean> {
  const query = db.selectFrom('membership').select('user_id').where('tenant_id', '=', tenantId);
  return (await query.where('removed_at', 'is', null).limit(1).executeTakeFirst()) !== undefined;
}

/** Rejects with `UnknownSource` if it does not exist. */
export async function requireSource(db: Kysely<Tables>, tenantId: number, name: string): Promise<string> {
  if ((await findRow(db, tenantId, name)) === undefined) throw new UnknownSource(name);
  return name;
}

async function requireRoom(db: Transaction<Tables>, tenantId: number): Promise<void> {
  const { count } = await db
    .selectFrom('source')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_SOURCES) throw new TooManySources(MAX_SOURCES);
}

const ROWS_PER_PAGE = 1_000;

/** In pages, since there may be many. */
async function forgetAllPushed(db: Kysely<Tables>, tenantId: number, source: string): Promise<void> {
  const pushed = db.selectFrom('pushed').where('tenant_id', '=', tenantId).where('source', '=', source);
  const page = pushed.select('account_id').orderBy('account_id').limit(ROWS_PER_PAGE);
  for (;;) {
    const last = (await page.execute()).at(-1)?.account_id;
    if (last === undefined) return;
    const query = db.deleteFrom('pushed').where('tenant_id', '=', tenantId).where('source', '=', source);
    await query.where('account_id', '<=', last).execute();
  }
}

type Row = Selectable<Tables['source']>;

const NOT_TRACKED = { mirror_run: null, tracked_from: null, tracked_since: null, is_seeded: 0 };

function findRow(db: Kysely<Tables>, tenantId: number, name: string): Promise<Row | undefined> {
  const query = db.selectFrom('source').selectAll().where('tenant_id', '=', tenantId);
  return query.where('name', '=', name).executeTakeFirst();
}

/** The columns that change. Runs change them, too, so they are left as they are otherwise. */
async function changeTracking(
  db: Transaction<Tables>,
  before: Row | undefined,
  isTracked: boolean | undefined,
  at: number,
): Promise<Partial<Row>> {
  const wasTracked = (before?.mirror_run ?? null) !== null;
  if (isTracked === undefined || isTracked === wasTracked) return {};
  if (!isTracked) return NOT_TRACKED;
  const { last } = await db
    .selectFrom('run')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  const from = Number(last ?? 0);
  return { mirror_run: from, tracked_from: from, tracked_since: at, is_seeded: 0 };
}

function described({ label, expect_every_ms, grace_ms, mirror_run }: Row) {
  const seconds = (ms: number) => ms / 1_000;
  return {
    label,
    expect_every_seconds: expect_every_ms === null ? null : seconds(expect_every_ms),
    grace_seconds: seconds(grace_ms),
    is_tracked: mirror_run !== null,
  };
}

export function sourceFromRow(row: Row): Source {
  return {
    name: row.name,
    label: row.label,
    expectEveryMs: row.expect_every_ms,
    graceMs: row.grace_ms,
    expectedSince: row.expected_since,
    lastFinishedAt: row.last_finished_at,
    trackedSince: row.tracked_since,
    createdAt: row.created_at,
  };
}
