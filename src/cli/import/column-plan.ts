import { attributeNameProblem } from '../../domain/tenant.js';
import { firstCharacters } from '../../domain/text.js';
import { JSON_COLUMN } from '../../formats/csv-cells.js';
import type { ColumnOptions } from './import-options.js';
import { type KnownFields, UNDECLARED } from './known-fields.js';
import type { Preset } from './presets/preset.js';
import { PresetColumns } from './presets/preset-columns.js';
import { findPreset } from './presets/presets.js';
import { quoted } from './shell-quote.js';

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
  /** Whether its field becomes an attribute with `--declare`. */
  readonly isNew?: boolean;
  /** Whether it is not sent because the server does not know its field. */
  readonly isUndeclared?: boolean;
  /** Why the column cannot be mapped, and what to do about it. */
  readonly problem?: string;
}

/** Of an attribute, without `custom_`. Leaves space for a number at the end. */
const MAX_NAME_LENGTH = 98;

/** Without a field but with a reason, the column is not sent. */
interface FieldOfColumn {
  readonly field?: string | undefined;
  readonly reason: string;
  readonly isUndeclared?: boolean;
}

/** Bounds the memory for JSON files, in which every record can have other names. */
const MAX_CACHED_NAMES = 10_000;

/**
 * Maps each column of a CSV file, or each name in a JSON record, to the field that it is sent as. The first match wins:
 * `--ignore`, `--map`, the exact field name, the preset of the system that has written the file, another spelling of a
 * field name, `--declare`, `--map *`, `--ignore *`. What remains is a problem that the user solves before anything is
 * sent.
 */
export class ColumnPlan {
  /** The system that has written the file, if it is known. */
  preset: Preset | undefined;
  #columns = new Map<string, Column>();
  readonly #columnOfField = new Map<string, string>();
  #hasUnknown = false;
  readonly #known: KnownFields;
  readonly #options: ColumnOptions;
  readonly #isCsv: boolean;
  #presetColumns: PresetColumns | undefined;

  constructor(known: KnownFields, options: ColumnOptions, isCsv: boolean) {
    this.#known = known;
    this.#options = options;
    this.#isCsv = isCsv;
  }

  /** Resolves what the user maps first, then exact names, so that no other column gets their fields. */
  addAll(names: readonly string[]): Column[] {
    this.preset = findPreset(this.#options.from, names);
    this.#presetColumns = this.preset && new PresetColumns(this.preset);
    const isMapped = (name: string) => this.#options.map.has(name.trim());
    const isExact = (name: string) =>
      this.#known.find(name) !== undefined || this.#presetColumns?.fieldOf(name) !== undefined;
    for (const name of [...names.filter(isMapped), ...names.filter(isExact), ...names]) this.column(name);
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
    // In JSON, a field can appear further down.
    return [...problems, ...(this.#isCsv ? this.#unsentFields() : []), ...this.#typeProblems()];
  }

  #unsentFields(): string[] {
    const { conversions, types } = this.#options;
    const named = [
      ...[...conversions.keys()].map((field) => [field, '--convert'] as const),
      ...[...types.keys()].map((field) => [field, '--type'] as const),
    ];
    return named
      .filter(([field]) => !this.#columnOfField.has(field))
      .map(([field, option]) => `No column is sent as ${field}, which ${option} names. Check the name.`);
  }

  /** Types that differ from the declared ones, which only an administrator changes, or of fields that have none. */
  #typeProblems(): string[] {
    return [...this.#options.types].flatMap(([field, type]) => {
      const declared = this.#known.find(field)?.attribute?.type;
      const sent = [...this.#columns.values()].find((column) => column.field === field);
      if (declared === undefined && sent !== undefined && !sent.isNew) {
        return [`The column ${quoted(sent.name)} declares no attribute ${field}. Leave out this --type.`];
      }
      if (declared === undefined || declared === type) return [];
      return [
        `${field} is declared as ${declared} already, so --type cannot make it ${type}. Leave out this --type.`,
      ];
    });
  }

  /** What helps if several columns are unknown, and the fields that are still free. */
  hints(): string[] {
    const hints: string[] = [];
    const unknown = [...this.#columns.values()].filter(({ problem }) =>
      problem?.includes('is unknown.'),
    ).length;
    if (unknown > 1) {
      hints.push(
        `To leave out all ${unknown} unknown columns, add --ignore '*'. To propose attributes for them, add --declare`,
      );
    }
    if (this.#hasUnknown || !this.#columnOfField.has('account_id')) {
      const free = this.#known.writable.filter((name) => !this.#columnOfField.has(name));
      if (free.length > 0) hints.push(`Fields not mapped yet: ${free.join(', ')}`);
    }
    return hints;
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
    const whole = isJson ? name.slice(0, -JSON_COLUMN.length) : name;
    const own = this.#presetColumns?.ownName(whole) ?? whole;
    const { field, reason, isUndeclared } = this.#fieldOf(name, own);
    if (field === undefined) {
      if (reason !== '') return { ...unsent(reason), ...(isUndeclared && { isUndeclared }) };
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
      const problem = `${this.#describe(name)} maps to ${field}, as does ${quoted(other)}. ${advice(name, own, field)}`;
      return unsent('', problem);
    }
    if (this.#columnOfField.size < MAX_CACHED_NAMES || this.#isCsv) this.#columnOfField.set(field, name);
    const type = this.#known.find(field)?.type ?? UNDECLARED;
    return { name, field, type, reason, isJson, ...(this.#isNew(field, isJson) && { isNew: true }) };
  }

  #isNew(field: string, isJson: boolean): boolean {
    const isDeclared = this.#known.find(field)?.attribute !== undefined;
    return this.#options.isDeclaring && !isJson && !isDeclared && attributeNameProblem(field) === undefined;
  }

  #fieldOf(name: string, own: string): FieldOfColumn {
    const { map, isDeclaring } = this.#options;
    const given = map.get(name.trim());
    if (given !== undefined) return { field: given, reason: '--map' };
    if (this.#known.find(own) !== undefined) return { field: own, reason: '' };
    const inPreset = this.#presetColumns?.fieldOf(own);
    const label = this.preset?.label ?? '';
    if (typeof inPreset === 'string' && (isDeclaring || this.#known.find(inPreset) !== undefined)) {
      return { field: inPreset, reason: label };
    }
    const guess = this.#known.guess(own)?.name;
    // The name of a column of a known system is not another name of an account's id.
    if (guess !== undefined && (inPreset === undefined || guess.startsWith('custom_'))) {
      return { field: guess, reason: 'by its name' };
    }
    if (inPreset === null) return { reason: label };
    if (inPreset !== undefined) return { reason: `${label}: ${inPreset}`, isUndeclared: true };
    if (isDeclaring && name.trim() !== '') return { field: proposedField(own), reason: '--declare' };
    return map.has('*') && name.trim() !== '' ? { field: own, reason: '--map' } : { reason: '' };
  }

  #describe(name: string): string {
    return `${this.#isCsv ? 'Column' : 'Field'} ${quoted(name)}`;
  }
}

function advice(name: string, own: string, taken?: string): string {
  const proposed = proposedField(own);
  const field = proposed === taken ? `${proposed}_2` : proposed;
  return `Add --map ${quoted(`${name}=${field}`)} to send it, or --ignore ${quoted(name)}`;
}

/** The name that an attribute for a column gets: `Renewal Date` and `Renewal_Date__c` become `custom_Renewal_Date`. */
function proposedField(own: string): string {
  if (attributeNameProblem(own) === undefined) return own;
  const bare = own.replace(/__c$/i, '').replace(/^custom_/, '');
  const words = bare.match(/[\p{L}\p{N}]+/gu) ?? ['Name'];
  return `custom_${firstCharacters(words.join('_'), MAX_NAME_LENGTH)}`;
}
