import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';

/** More rows in one statement gain little, and a group seldom fills them. */
const ROWS = 16;

type Row = readonly (string | number | null)[];

/** An insert of many rows a statement: calling the driver takes longer than storing a row does. */
export class MultiRowInsert {
  readonly #many: StatementSyncInstance;
  readonly #one: StatementSyncInstance;

  /** `into` names the table and its columns. */
  constructor(db: DatabaseSyncInstance, into: string, onConflict = '') {
    const row = `(${into.replace(/^.*\(|\)$/g, '').replaceAll(/\w+/g, '?')})`;
    const prepare = (rows: number) =>
      db.prepare(`insert into ${into} values ${Array.from({ length: rows }, () => row).join(', ')} ${onConflict}`);
    this.#many = prepare(ROWS);
    this.#one = prepare(1);
  }

  run(rows: readonly Row[]): void {
    const inMany = rows.length - (rows.length % ROWS);
    for (let at = 0; at < inMany; at += ROWS) this.#many.run(...rows.slice(at, at + ROWS).flat());
    for (const row of rows.slice(inMany)) this.#one.run(...row);
  }
}
