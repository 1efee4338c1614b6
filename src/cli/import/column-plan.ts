import { JSON_COLUMN } from '../../formats/csv-cells.js';
import { printable } from '../terminal/printable.js';
import { type KnownFields, UNDECLARED } from './known-fields.js';

/** What a caller said about columns. `*` stands for all that nothing else is known about. */
export interface ColumnOptions {
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
}

export interface Column {
  /** As it stands in the file. */
  readonly name: string;
  /** `undefined`: it is not sent. */
  readonly field: string | undefined;
  readonly type: string;
  /** How it came to its field, for people. */
  readonly reason: string;
  /** Whether its cells hold JSON. */
  readonly isJson: boolean;
  /** What keeps it from being clear, and what to do about it. */
  readonly problem?: string;
}

/** Of JSON, names may be as many as records. */
const MOST_KEPT = 10_000;

/** What each column, or each name in a JSON record, is sent as. */
export class ColumnPlan {
  #columns = new Map<string, Column>();
  readonly #takenBy = new Map<string, string>();
  #hasUnknown = false;
  readonly #known: KnownFields;
  readonly #options: ColumnOptions;
  readonly #isCsv: boolean;

  constructor(known: KnownFields, options: ColumnOptions, isCsv: boolean) {
    this.#known = known;
    this.#options = options;
    this.#isCsv = isCsv;
  }

  /** Names that are surely meant come first, so that another spelling does not take their field. */
  addAll(names: readonly string[]): Column[] {
    const isSure = (name: string) =>
      this.#options.map.has(name.trim()) || this.#known.find(name) !== undefined;
    for (const name of [...names.filter(isSure), ...names]) this.column(name);
    this.#columns = new Map(names.map((name) => [name, this.column(name)]));
    const seen = new Set<string>();
    for (const name of names) {
      if (seen.has(name)) this.#refuseTwin(name);
      seen.add(name);
    }
    return names.map((name) => this.column(name));
  }

  #refuseTwin(name: string): void {
    const column = this.column(name);
    if (column.field === undefined) return;
    const problem = `There are several columns ${quoted(name)}. Rename them, or add --ignore ${quoted(name)}`;
    this.#columns.set(name, { ...column, problem });
  }

  column(name: string): Column {
    let column = this.#columns.get(name);
    if (column === undefined) {
      column = this.#resolve(name);
      if (this.#columns.size < MOST_KEPT || this.#isCsv) this.#columns.set(name, column);
    }
    return column;
  }

  /** Everything that has to be cleared up before anything is sent. */
  problems(): string[] {
    const problems = [...this.#columns.values()].flatMap(({ problem = [] }) => problem);
    const present = new Set([...this.#columns.keys()].map((name) => name.trim()));
    const mapped = [...this.#options.map.keys()].filter((name) => name !== '*' && !present.has(name));
    if (this.#isCsv) {
      for (const name of mapped) problems.push(`There is no column ${quoted(name)}, as --map names it.`);
    }
    if (!this.#takenBy.has('account_id')) {
      const what = this.#isCsv ? 'column' : 'field';
      problems.push(`No ${what} is the account_id. Say which is: --map "${what}=account_id"`);
    }
    return problems;
  }

  /** What else a column could be, where somebody has to say it. */
  freeFields(): string[] {
    if (!this.#hasUnknown && this.#takenBy.has('account_id')) return [];
    return this.#known.writable.filter((name) => !this.#takenBy.has(name));
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
      if (name.trim() === '') return unsent('it has no name');
      if (ignore.has('*')) return unsent('--ignore');
      this.#hasUnknown = true;
      return unsent('', `${this.#what(name)} is not known. ${advice(name, own)}`);
    }
    // In an object that name is none of its own: the values would be lost without a word.
    if (field === '__proto__') {
      return unsent('', `No field can be called __proto__. Add --ignore ${quoted(name)}`);
    }
    if (this.#known.isReadOnly(field)) {
      return unsent('', `${field} cannot be set: the server keeps it. Add --ignore ${quoted(name)}`);
    }
    const taker = this.#takenBy.get(field);
    // Of JSON, each record has names of its own.
    if (taker !== undefined && this.#isCsv) {
      const problem = `${this.#what(name)} would be ${field}, as ${quoted(taker)} is. ${advice(name, own)}`;
      return unsent('', problem);
    }
    if (this.#takenBy.size < MOST_KEPT || this.#isCsv) this.#takenBy.set(field, name);
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

  #what(name: string): string {
    return `${this.#isCsv ? 'Column' : 'Field'} ${quoted(name)}`;
  }
}

function advice(name: string, own: string): string {
  const field = /^custom_/.test(own) ? own : `custom_${own.match(/[\p{L}\p{N}]+/gu)?.join('_') ?? 'Name'}`;
  return `Add --map ${quoted(`${name}=${field}`)} to send it, or --ignore ${quoted(name)}`;
}

/** As a shell takes it, line ends included; but nothing that a terminal would obey. */
function quoted(name: string): string {
  const lines = name.replace(/["\\$`]/g, '\\$&').split('\n');
  return `"${lines.map(printable).join('\n')}"`;
}
