import { readValue, TYPE_NAMES, type TypeName } from '../../domain/attribute-types.js';
import type { JsonValue } from '../../domain/json.js';
import { firstCharacters, isLongerThan } from '../../domain/text.js';

const MAX_EXAMPLES = 5;
const MAX_DISTINCT = 20;
/** Of a value that is shown. */
const MAX_LENGTH = 200;

/** Whether a value fits a choice depends on its choices; every other type says so itself. */
export const PLAIN_TYPES = TYPE_NAMES.filter((type) => type !== 'choice');
export type PlainType = Exclude<TypeName, 'choice'>;

/** Counts the values of one field, and keeps some to show. */
export class ValueTally {
  values = 0;
  unfit = 0;
  /** How many values each type would take. */
  readonly fits = Object.fromEntries(PLAIN_TYPES.map((type) => [type, 0])) as Record<PlainType, number>;
  readonly unfitExamples: { account_id: string; value: JsonValue }[] = [];
  readonly #fits: (value: JsonValue) => boolean;
  /** By their JSON: 1 and "1" are two. */
  readonly #examples = new Map<string, JsonValue>();
  #texts: Set<string> | undefined = new Set();

  constructor(fits: (value: JsonValue) => boolean) {
    this.#fits = fits;
  }

  add(accountId: string, value: JsonValue): void {
    this.values += 1;
    this.#noteText(value);
    for (const type of PLAIN_TYPES) {
      if (readValue(value, { type, choices: [] }) !== undefined) this.fits[type] += 1;
    }
    if (this.#examples.size < MAX_EXAMPLES) {
      const shown = clip(value);
      this.#examples.set(JSON.stringify(shown), shown);
    }
    if (this.#fits(value)) return;
    this.unfit += 1;
    if (this.unfitExamples.length < MAX_EXAMPLES) {
      this.unfitExamples.push({ account_id: accountId, value: clip(value) });
    }
  }

  get examples(): JsonValue[] {
    return [...this.#examples.values()];
  }

  /** The texts among the values; null where they are too many, or too long, to choose from. */
  get distinct(): string[] | null {
    return this.#texts === undefined ? null : [...this.#texts];
  }

  #noteText(value: JsonValue): void {
    if (typeof value !== 'string') return;
    this.#texts?.add(value);
    const isTooMuch = (this.#texts?.size ?? 0) > MAX_DISTINCT || isLongerThan(value, MAX_LENGTH);
    if (isTooMuch) this.#texts = undefined;
  }
}

/** A long text is cut; another long value is shown as the beginning of its JSON. */
function clip(value: JsonValue): JsonValue {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isLongerThan(text, MAX_LENGTH) ? `${firstCharacters(text, MAX_LENGTH)}…` : value;
}
