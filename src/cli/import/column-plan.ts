import { JSON_COLUMN } from '../../formats/csv-cells.js';
import { printable } from '../terminal/printable.js';
import { type KnownFields, UNDECLARED } from './known-fields.js';

/** The column options of the command line. `*` stands for all other unknown columns. */
export interface ColumnOptions {
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
}

export interface Column {
  /** The name in the file. */
  readonly name: string;
  /** The field to send; `undefined` if the column is not sent. */
  readonly field: string | undefined;
  readonly type: string;
  /** Why the column has this field, for the report. */
  readonly reason: string;
  /** Whether its cells contain JSON. */
  readonly isJson: boolean;
  /** Why the column cannot be mapped, and what to do about it. */
  readonly problem?: string;
}

/** Bounds the memory for JSON files, in which every record can have other names. */
const MAX_CACHED_NAMES = 10_000;

/**
 * Maps each column of a CSV file, or each name in a JSON record, to the field that it is sent as. The first match wins:
 * `--ignore`, `--map`, the exact field name, another spelling of a field name, `--map *`, `--ignore *`. What remains is
 * a problem that the user solves before anything is sent.
 */
export class ColumnPlan {
  #columns = new Map<string, Column>();
  readonly #columnOfField = new Map<string, string>();
  #hasUnknown = false;
  readonly #known: KnownFields;
  readonly #options: ColumnOptions;
  readonly #isCsv: boolean;

  constructor(known: KnownFields, options: ColumnOptions, isCsv: boolean) {
    this.#known = known;
    this.#options = options;
    this.#isCsv = isCsv;
  }

  /** Resolves exact names first, so that another spelling does not get their field. */
  addAll(names: readonly string[]): Column[] {
    const isExact = (name: string) =>
      this.#options.map.has(name.trim()) || this.#known.find(name) !== undefined;
    for (const name of [...names.filter(isExact), ...names]) this.column(name);
    this.#columns = new Map(names.map((name) => [name, this.column(name)]));
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name)) this.#rejectDuplicate(name);
      seen.add(name);
    }
    return names.map((name) => this.column(name));
  }

  #rejectDuplicate(name: string): void {
    const column = this.column(name);
    if (column.field === undefined) return;
    const problem = `Several columns are named ${quoted(name)}. Rename them, or add --ignore ${quoted(name)}`;
    this.#columns.set(name, { ...column, problem });
  }

  column(name: string): Column {
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = this.#resolve(name);
      if (this.#columns.size < MAX_CACHED_NAMES || this.#isCsv) this.#columns.set(name, column);
    }
    return column;
  }

  /** All problems that prevent the import. */
  problems(): string[] {
    const problems = [...this.#columns.values()].flatMap(({ problem = [] }) => problem);
    const present = new Set([...this.#columns.keys()].map((name) => name.trim()));
    const mapped = [...this.#options.map.keys()].filter((name) => name !== '*' && !present.has(name));
    if (this.#isCsv) {
      for (const name of mapped)
        problems.push(`The file has no column ${quoted(name)}, which --map names. Check the name.`);
    }
    if (!this.#columnOfField.has('account_id')) {
      const what = this.#isCsv ? 'column' : 'field';
      problems.push(`No ${what} is mapped to account_id. Name one with: --map "${what}=account_id"`);
    }
    return problems;
  }

  /** The fields that are still free, if the user has to choose one. */
  freeFields(): string[] {
    if (!this.#hasUnknown && this.#columnOfField.has('account_id')) return [];
    return this.#known.writable.filter((name) => !this.#columnOfField.has(name));
  }

  #resolve(name: string): Column {
    const isJson = this.#isCsv && name.endsWith(JSON_COLUMN);
    const { ignore } = this.#options;
    const unsent = (reason: string, problem?: string): Column => ({
      name,
      field: undefined,
      type: '',
      reason,
      isJson,
      ...(problem !== undefined && { problem }),
    });
    if (ignore.has(name.trim())) return unsent('--ignore');
    const own = isJson ? name.slice(0, -JSON_COLUMN.length) : name;
    const [field, reason] = this.#fieldOf(name, own);
    if (field === undefined) {
      if (name.trim() === '') return unsent('no name');
      if (ignore.has('*')) return unsent('--ignore');
      this.#hasUnknown = true;
      return unsent('', `${this.#describe(name)} is unknown. ${advice(name, own)}`);
    }
    // Assigning __proto__ to an object sets its prototype, so the values would be lost silently.
    if (field === '__proto__') {
      return unsent('', `No field can be named __proto__. Add --ignore ${quoted(name)}`);
    }
    if (this.#known.isReadOnly(field)) {
      return unsent('', `${field} is read-only. Add --ignore ${quoted(name)}`);
    }
    const other = this.#columnOfField.get(field);
    // JSON records have their own names, so only CSV columns can collide.
    if (other !== undefined && this.#isCsv) {
      const problem = `${this.#describe(name)} maps to ${field}, as does ${quoted(other)}. ${advice(name, own)}`;
      return unsent('', problem);
    }
    if (this.#columnOfField.size < MAX_CACHED_NAMES || this.#isCsv) this.#columnOfField.set(field, name);
    return { name, field, type: this.#known.find(field)?.type ?? UNDECLARED, reason, isJson };
  }

  #fieldOf(name: string, own: string): [field: string | undefined, reason: string] {
    const given = this.#options.map.get(name.trim());
    if (given !== undefined) return [given, '--map'];
    if (this.#known.find(own) !== undefined) return [own, ''];
    const guess = this.#known.guess(own);
    if (guess !== undefined) return [guess.name, 'by its name'];
    return this.#options.map.has('*') && name.trim() !== '' ? [own, '--map'] : [undefined, ''];
  }

  #describe(name: string): string {
    return `${this.#isCsv ? 'Column' : 'Field'} ${quoted(name)}`;
  }
}

function advice(name: string, own: string): string {
  const field = /^custom_/.test(own) ? own : `custom_${own.match(/[\p{L}\p{N}]+/gu)?.join('_') ?? 'Name'}`;
  return `Add --map ${quoted(`${name}=${field}`)} to send it, or --ignore ${quoted(name)}`;
}

/** Quotes a name for a shell, including line feeds, and escapes terminal control characters. */
function quoted(name: string): string {
  const lines = name.replace(/["\\$`]/g, '\\$&').split('\n');
  return `"${lines.map(printable).join('\n')}"`;
}
