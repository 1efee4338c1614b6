import { type Kysely, sql } from 'kysely';
import type { Tables } from '../schema/tables.js';

/** Per tenant. A source system with more field names generates them, and counting them has no use. */
export const MAX_NAMES = 5_000;
const NAMES_PER_STATEMENT = 500;

interface FieldUse {
  accounts: number;
  shapes: number;
}

/** By how much the number of accounts with each field changes, and which shapes the new values have. */
export class FieldUsage {
  readonly #uses = new Map<string, FieldUse>();

  add(name: string, accounts: number, shapes: number): void {
    const use = this.#uses.get(name) ?? { accounts: 0, shapes: 0 };
    this.#uses.set(name, use);
    use.accounts += accounts;
    use.shapes |= shapes;
  }

  /**
   * Drops new names beyond the tenant's limit. It runs before the transaction that stores the others: a change may have
   * thousands of generated names, and inside the transaction account writes would wait for each look-up.
   */
  async dropSurplus(db: Kysely<Tables>, tenantId: number): Promise<void> {
    if (this.#uses.size === 0) return;
    const all = db.selectFrom('field_use').where('tenant_id', '=', tenantId);
    const { total } = await all
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    let room = MAX_NAMES - total;
    for (const names of inPieces([...this.#uses.keys()])) {
      const rows = await all.select('name').where('name', 'in', names).execute();
      const known = new Set(rows.map(({ name }) => name));
      for (const name of names) {
        if (known.has(name)) continue;
        if (room > 0) room -= 1;
        else this.#uses.delete(name);
      }
    }
  }

  /** Adds to the stored counts, and deletes fields that no account has any more. */
  async store(db: Kysely<Tables>, tenantId: number): Promise<void> {
    for (const names of inPieces([...this.#uses.keys()])) await this.#storeSome(db, tenantId, names);
  }

  async #storeSome(db: Kysely<Tables>, tenantId: number, names: readonly string[]): Promise<void> {
    const rows = names.map((name) => ({ tenant_id: tenantId, name, ...(this.#uses.get(name) as FieldUse) }));
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

function* inPieces(names: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < names.length; at += NAMES_PER_STATEMENT) {
    yield names.slice(at, at + NAMES_PER_STATEMENT);
  }
}
