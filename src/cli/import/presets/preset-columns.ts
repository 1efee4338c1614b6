import type { Preset } from './preset.js';

/** The columns of an export of a known system. Names are compared without case: systems have changed it over time. */
export class PresetColumns {
  readonly #decoration: RegExp | undefined;
  readonly #fields: ReadonlyMap<string, string | null>;

  constructor({ columns, decoration }: Preset) {
    this.#decoration = decoration;
    this.#fields = new Map(Object.entries(columns).map(([column, field]) => [column.toLowerCase(), field]));
  }

  /** The name of a column without what the system adds to it. */
  ownName(column: string): string {
    return this.#decoration === undefined ? column : column.trim().replace(this.#decoration, '');
  }

  /** `null` for a column that is never sent, `undefined` for one that the preset does not know. */
  fieldOf(column: string): string | null | undefined {
    return this.#fields.get(this.ownName(column).trim().toLowerCase());
  }
}
