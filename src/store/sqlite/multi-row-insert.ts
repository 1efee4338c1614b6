import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/** More rows in one statement gain little, and a group seldom fills them. */
const ROWS = 16;

export type Value = string | number | null;

/** An insert of many rows a statement: calling the driver takes longer than storing a row does. */
export class MultiRowInsert {
  readonly #width: number;
  readonly #many: StatementSyncInstance;
  readonly #one: StatementSyncInstance;

  constructor(db: DatabaseSyncInstance, table: string, columns: readonly string[], onConflict = '') {
    this.#width = columns.length;
    const row = `(${columns.map(() => '?').join(', ')})`;
    const into = `insert into ${table} (${columns.join(', ')}) values`;
    const prepare = (rows: number) =>
      db.prepare(`${into} ${Array.from({ length: rows }, () => row).join(', ')} ${onConflict}`);
    this.#many = prepare(ROWS);
    this.#one = prepare(1);
  }

  /** The values of all rows, one row after the other. */
  run(values: readonly Value[]): void {
    let at = 0;
    for (const [statement, step] of [
      [this.#many, ROWS * this.#width],
      [this.#one, this.#width],
    ] as const) {
      for (; at + step <= values.length; at += step) statement.run(...values.slice(at, at + step));
    }
  }
}
