import { createHash } from 'node:crypto';
import type { TableName } from '../scan.js';

export interface TableSummary {
  readonly table: TableName;
  readonly rows: number;
  /** SHA-256 over all rows in the order of their keys; the same for the same rows in every database. */
  readonly checksum: string;
}

/** What a table holds, in one number: add its rows in the order of their keys. */
export class TableSum {
  rows = 0;
  readonly #table: TableName;
  readonly #hash = createHash('sha256');

  constructor(table: TableName) {
    this.#table = table;
  }

  add(row: object): void {
    this.#hash.update(textOf(row));
    this.rows += 1;
  }

  summary(): TableSummary {
    return { table: this.#table, rows: this.rows, checksum: this.#hash.digest('hex') };
  }
}

/** The same text for the same row, whichever database and in whichever order of columns it comes from. */
export function textOf(row: object): string {
  const entries = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(entries)}\n`;
}
