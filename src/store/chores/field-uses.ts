import { type Kysely, sql } from 'kysely';
import { ERASED } from '../../domain/account.js';
import type { JsonValue } from '../../domain/json.js';
import { shapeOf } from '../../domain/value-shape.js';
import type { Tables } from '../tables.js';

/** Longer names would not fit into an index, and nobody declares one. */
export const MAX_NAME_LENGTH = 200;
/** Of a tenant: whoever sends more names makes them up. */
export const MAX_NAMES = 5_000;
const NAMES_AT_ONCE = 500;

interface FieldUse {
  accounts: number;
  shapes: number;
}

/** How many accounts hold each field, more or fewer than before, and what its values look like. */
export class FieldUses {
  readonly #uses = new Map<string, FieldUse>();

  add(name: string, from: JsonValue, to: JsonValue): void {
    if (name.length > MAX_NAME_LENGTH) return;
    const use = this.#uses.get(name) ?? { accounts: 0, shapes: 0 };
    this.#uses.set(name, use);
    use.accounts += (to === null ? 0 : 1) - (from === null ? 0 : 1);
    if (to !== null && to !== ERASED) use.shapes |= shapeOf(to);
  }

  /** Adds to what is stored, and forgets fields that no account holds any more. */
  async store(db: Kysely<Tables>, tenantId: number): Promise<void> {
    const names = [...this.#uses.keys()];
    for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
      await this.#storeSome(db, tenantId, names.slice(at, at + NAMES_AT_ONCE));
    }
  }

  async #storeSome(db: Kysely<Tables>, tenantId: number, names: readonly string[]): Promise<void> {
    const all = db.selectFrom('field_use').where('tenant_id', '=', tenantId);
    const known = new Set(
      (await all.select('name').where('name', 'in', names).execute()).map(({ name }) => name),
    );
    const { total } = await all
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const added = names.filter((name) => !known.has(name)).slice(0, Math.max(0, MAX_NAMES - total));
    const rows = [...known, ...added].map((name) => ({
      tenant_id: tenantId,
      name,
      ...(this.#uses.get(name) as FieldUse),
    }));
    if (rows.length === 0) return;
    await db
      .insertInto('field_use')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['tenant_id', 'name']).doUpdateSet({
          accounts: sql`field_use.accounts + excluded.accounts`,
          shapes: sql`field_use.shapes | excluded.shapes`,
        }),
      )
      .execute();
    await db
      .deleteFrom('field_use')
      .where('tenant_id', '=', tenantId)
      .where('name', 'in', names)
      .where('accounts', '<=', 0)
      .execute();
  }
}
