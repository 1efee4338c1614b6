import type { Attribute, Json } from '@account-sync/client';
import { cellOfText, csvRow, JSON_COLUMN } from '../../formats/csv-cells.js';
import type { ExportedRecord } from './export-records.js';

const IDENTITY = ['account_id', 'parent_account_id', 'name'];

/** The type of what is no text and yet comes back equal from a plain cell, because the server reads it so. */
const READ_AS: Partial<Record<Attribute['type'], string>> = {
  integer: 'number',
  decimal: 'number',
  boolean: 'boolean',
};

/** Which columns a CSV file has, and of what kind they are: known once every record has been noted. */
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

  note(record: ExportedRecord): void {
    for (const [name, value] of Object.entries(record)) {
      if (!this.#readAs.has(name)) this.#undeclared.add(name);
      const isPlain = value === null || typeof value === 'string' || typeof value === this.#readAs.get(name);
      // Else an import would take the end of the name for that of a column of JSON.
      if (!isPlain || name.endsWith(JSON_COLUMN)) this.#holdJson.add(name);
    }
  }

  /** The head of the file, and what makes rows of records. */
  close(): { readonly head: string; readonly row: (record: ExportedRecord) => string } {
    const names = [...this.#readAs.keys(), ...[...this.#undeclared].sort()];
    const columns = names.map((name) => ({ name, holdsJson: this.#holdJson.has(name) }));
    return {
      head: csvRow(columns.map(({ name, holdsJson }) => cellOfText(holdsJson ? name + JSON_COLUMN : name))),
      row: (record) =>
        csvRow(
          columns.map(({ name, holdsJson }) =>
            // Not simply record[name]: a column may be called `constructor`, which every object has.
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
