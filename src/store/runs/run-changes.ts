import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** Per run. A source with more field names generates them, and counting them has no use. */
const MAX_FIELDS = 500;

/** The change sets of one run, added up. */
export interface RunSets {
  readonly runId: number;
  readonly created: number;
  readonly updated: number;
  readonly archived: number;
  readonly restored: number;
  /** No set is before (`firstTurn`, `firstSeq`) or after (`lastTurn`, `lastSeq`) in the feed. */
  readonly firstTurn: number;
  readonly firstSeq: number;
  readonly lastTurn: number;
  readonly lastSeq: number;
}

/** What change sets add to the counts of their runs. */
export class RunChanges {
  readonly #runs = new Map<number, { sets: RunSets; fields: Map<string, number> }>();

  addSets(sets: RunSets): void {
    const { runId } = sets;
    const known = this.#runs.get(runId);
    if (known === undefined) this.#runs.set(runId, { sets, fields: new Map() });
    else known.sets = sum(known.sets, sets);
  }

  /** Call after `addSets`. */
  addField(runId: number, name: string, changes: number): void {
    const fields = this.#runs.get(runId)?.fields;
    fields?.set(name, (fields.get(name) ?? 0) + changes);
  }

  /** Adds to the stored counts. */
  async store(db: Kysely<Tables>, tenantId: number): Promise<void> {
    // Always in the same order, so that two processes never deadlock.
    const sorted = [...this.#runs.values()].sort((a, b) => a.sets.runId - b.sets.runId);
    for (const { sets, fields } of sorted) {
      const { runId, created, updated, archived, restored, firstTurn, firstSeq, lastTurn, lastSeq } = sets;
      const ofRun = db.selectFrom('run').where('id', '=', runId).where('tenant_id', '=', tenantId);
      const stored = await ofRun.select(['fields', 'first_seq', 'last_seq']).executeTakeFirst();
      if (stored === undefined) continue;
      await db
        .updateTable('run')
        .set({
          created: sql`created + ${created}`,
          updated: sql`updated + ${updated}`,
          archived: sql`archived + ${archived}`,
          restored: sql`restored + ${restored}`,
          fields: addFields(stored.fields, fields),
          // Sets are added up in the order of the feed.
          first_turn: sql`coalesce(first_turn, ${firstTurn})`,
          first_seq: Math.min(stored.first_seq ?? firstSeq, firstSeq),
          last_turn: lastTurn,
          last_seq: Math.max(stored.last_seq ?? 0, lastSeq),
        })
        .where('id', '=', runId)
        .where('tenant_id', '=', tenantId)
        .execute();
    }
  }
}

function sum(one: RunSets, other: RunSets): RunSets {
  return {
    runId: one.runId,
    created: one.created + other.created,
    updated: one.updated + other.updated,
    archived: one.archived + other.archived,
    restored: one.restored + other.restored,
    firstTurn: Math.min(one.firstTurn, other.firstTurn),
    firstSeq: Math.min(one.firstSeq, other.firstSeq),
    lastTurn: Math.max(one.lastTurn, other.lastTurn),
    lastSeq: Math.max(one.lastSeq, other.lastSeq),
  };
}

function addFields(stored: string, added: ReadonlyMap<string, number>): string {
  const fields = new Map<string, number>(Object.entries(JSON.parse(stored)));
  for (const [name, changes] of added) {
    if (fields.has(name) || fields.size < MAX_FIELDS) fields.set(name, (fields.get(name) ?? 0) + changes);
  }
  return JSON.stringify(Object.fromEntries(fields));
}
