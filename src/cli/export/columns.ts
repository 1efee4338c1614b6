import type { Attribute, Json } from '@account-sync/client';
import { cellOfText, csvRow, JSON_COLUMN } from '../../formats/csv-cells.js';
import type { ExportedRecord } from './export-records.js';

const IDENTITY = ['account_id', 'parent_account_id', 'name'];

/** The JavaScript types that the server restores from a plain cell, by attribute type. */
const READ_AS: Partial<Record<Attribute['type'], string>> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
};

/**
 * The columns of a CSV file, and whether their cells contain plain text or JSON. A column contains JSON if one of its
 * values would not survive as plain text, so the columns are known only after all records.
 */
export class Columns {
  readonly #readAs: ReadonlyMap<string, string | undefined>;
  readonly #undeclared = new Set<string>();
  readonly #holdJson = new Set<string>();

  constructor(declared: readonly Attribute[]) {
    this.#readAs = new Map([
      ...IDENTITY.map((name) => [name, undefined] as const),
      ...declared.map(({ name, type }) => [name, READ_AS[type]] as const),
    ]);
  }

  add(record: ExportedRecord): void {
    for (const [name, value] of Object.entries(record)) {
      if (!this.#readAs.has(name)) this.#undeclared.add(name);
      const isPlain = value === null || typeof value === 'string' || typeof value === this.#readAs.get(name);
      // An import treats a name with this suffix as a JSON column, so the column must contain JSON.
      if (!isPlain || name.endsWith(JSON_COLUMN)) this.#holdJson.add(name);
    }
  }

  /** The header row, and a function that formats records. */
  close(): { readonly head: string; readonly row: (record: ExportedRecord) => string } {
    const names = [...this.#readAs.keys(), ...[...this.#undeclared].sort()];
    const columns = names.map((name) => ({ name, holdsJson: this.#holdJson.has(name) }));
    return {
      head: csvRow(columns.map(({ name, holdsJson }) => cellOfText(holdsJson ? name + JSON_COLUMN : name))),
      row: (record) =>
        csvRow(
          columns.map(({ name, holdsJson }) =>
            // Own properties only: a column can be named `constructor`, which every object inherits.
            cellOf(Object.hasOwn(record, name) ? record[name] : null, holdsJson),
          ),
        ),
    };
  }
}

function cellOf(value: Json | undefined, holdsJson: boolean): string {
  if (value === null || value === undefined) return '';
  if (holdsJson) return JSON.stringify(value);
  return typeof value === 'string' ? cellOfText(value) : String(value);
}
