import type { AttributeType } from '../../domain/attribute-types.js';
import type { Column } from './column-plan.js';
import type { ColumnOptions } from './import-options.js';
import type { KnownFields } from './known-fields.js';
import type { ChosenConversion } from './mapping.js';
import type { Preset } from './presets/preset.js';
import { RepeatedIds } from './repeated-ids.js';
import {
  AttributeCollector,
  type Collector,
  type ColumnConversion,
  IdCollector,
  ProposalCollector,
} from './value-collectors.js';

/** Bounds the memory for JSON files, in which every record can have other names. */
const MAX_FIELDS = 10_000;

/** By field. */
export type Conversions = ReadonlyMap<string, ColumnConversion>;

/**
 * What is known of a file before its first record is sent: how a column is written is seen only in all of its values,
 * and an account that comes twice only in the whole file.
 */
export class FileScan {
  records = 0;
  readonly ids = new RepeatedIds();
  readonly #collectors = new Map<string, Collector | undefined>();
  readonly #known: KnownFields;
  readonly #options: ColumnOptions;
  readonly #preset: Preset | undefined;
  readonly #isExcerpt: boolean;

  /** `isExcerpt` if the file has only some rows of another, such as the rejected ones. */
  constructor(known: KnownFields, options: ColumnOptions, preset: Preset | undefined, isExcerpt = false) {
    this.#isExcerpt = isExcerpt;
    this.#known = known;
    this.#options = options;
    this.#preset = preset;
  }

  /** What collects the values of a column; `undefined` if nothing has to be known of them. */
  collector(column: Column): Collector | undefined {
    const { field } = column;
    if (field === undefined || column.isJson) return undefined;
    if (!this.#collectors.has(field) && this.#collectors.size < MAX_FIELDS) {
      this.#collectors.set(field, this.#newCollector(column, field));
    }
    return this.#collectors.get(field);
  }

  /** How the fields are sent, and what the user has to decide before. */
  result(): { readonly conversions: Conversions; readonly problems: readonly string[] } {
    const conversions = new Map<string, ColumnConversion>();
    const problems: string[] = [];
    for (const [field, collector] of this.#collectors) {
      const { result, problems: found = [] } = collector?.collected() ?? {};
      if (result !== undefined) conversions.set(field, result);
      problems.push(...found);
    }
    return { conversions, problems };
  }

  #newCollector(column: Column, field: string): Collector | undefined {
    const { conversions, types, dates } = this.#options;
    const chosen = conversions.get(field);
    if (field === 'account_id' || field === 'parent_account_id') {
      return new IdCollector(
        column,
        field === 'account_id' ? this.ids : undefined,
        this.#conversionOfIds(chosen),
      );
    }
    const how = { chosen, dates, isExcerpt: this.#isExcerpt };
    const type = types.get(field);
    if (column.isNew && (type === undefined || type === 'choice')) {
      return new ProposalCollector(column, how, type === 'choice');
    }
    const attribute = column.isNew && type !== undefined ? { type, choices: [] } : this.#attributeOf(field);
    const isNeeded =
      column.isNew || chosen !== undefined || (attribute !== undefined && attribute.type !== 'text');
    return isNeeded ? new AttributeCollector(column, attribute, how) : undefined;
  }

  #attributeOf(field: string): AttributeType | undefined {
    return this.#known.find(field)?.attribute;
  }

  /** `--convert` that only replaces values leaves the ids of a system comparable. */
  #conversionOfIds(chosen: ChosenConversion | undefined): ChosenConversion | undefined {
    const { ids } = this.#preset ?? {};
    if (ids === undefined || chosen?.readings.length) return chosen;
    return { readings: [ids], values: chosen?.values ?? new Map() };
  }
}
