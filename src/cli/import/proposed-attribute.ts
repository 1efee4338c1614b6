import { type AttributeType, readValue, type TypeName } from '../../domain/attribute-types.js';
import type { JsonValue } from '../../domain/json.js';
import { ColumnValues, type Sample } from './conversion/column-values.js';
import { type ChosenReadings, selectReadings } from './conversion/select-readings.js';
import { copyOf } from './conversion/text-memo.js';
import type { Json } from './json.js';

/** A column has choices if it has few values that come often: 4 times each on average. */
const MAX_CHOICES = 12;
const MIN_REPETITIONS = 4;
/** One value alone does not show which others there are. */
const MIN_CHOICES = 2;
const MAX_CHOICE_LENGTH = 40;
/** The limit of the server. */
const MOST_CHOICES = 1_000;
/** Longer texts are no choices, even if `--type` says so. */
const MOST_CHARACTERS = 1_000;

/** In this order: the first type that fits all values is proposed. */
export const PROPOSED_TYPES = ['boolean', 'integer', 'decimal', 'date', 'datetime'] as const;

const MAX_SAMPLES = 3;

/** Readings of numbers as dates: a number is a number unless `--convert` says otherwise. */
const GUESSES = new Set(['excel', 'epoch']);

/** Proposes the type of an attribute from all values of a column. */
export class ProposedAttribute {
  /** Names of chosen readings that no type has, or not beside the others. */
  readonly unknown: readonly string[];
  /** Texts with blanks around them, which choices do not have. */
  readonly padded = { count: 0, samples: [] as Sample[] };
  readonly #isChoice: boolean;
  /** Whether the user has chosen how the values are written. */
  readonly #isChosen: boolean;
  readonly #candidates = new Map<TypeName, ColumnValues>();
  /** The different texts without blanks around them; `undefined` if there are too many for choices. */
  #choices: Set<string> | undefined = new Set();
  #values = 0;
  #hasWords = false;
  #hasFractions = false;
  /** 1.250 may be a decimal, or 1250, which 1.250.000 shows. */
  #hasDot = false;
  #hasDottedThousands = false;
  /** Whether some values are no texts: they are sent as they are, and only some types read them. */
  #hasOthers = false;

  /** `isChoice` if the user wants choices, however many there are. */
  constructor(chosen: ChosenReadings, isChoice = false) {
    this.#isChoice = isChoice;
    this.#isChosen = chosen.names.length > 0;
    let fewest = chosen.names;
    for (const type of PROPOSED_TYPES) {
      const attribute = { type, choices: [] };
      const { readings, unknown } = selectReadings(attribute, chosen);
      if (unknown.length < fewest.length) fewest = unknown;
      if (unknown.length > 0) continue;
      const tried = readings.filter(({ name }) => this.#isChosen || !GUESSES.has(name));
      this.#candidates.set(
        type,
        new ColumnValues(attribute, tried, { isChosen: this.#isChosen, isDotUnclear: true }),
      );
    }
    this.unknown = fewest;
  }

  add(value: Json): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const trimmed = text.trim();
    if (trimmed === '') {
      this.#addBlank(text);
      return;
    }
    this.#values += 1;
    if (text !== trimmed) this.#addPadded(text, trimmed);
    this.#hasWords ||= !/^[01]$/.test(trimmed);
    this.#hasFractions ||= /[.,]\d\d?$/.test(trimmed);
    this.#hasDot ||= /\d\.\d{3}$/.test(trimmed);
    this.#hasDottedThousands ||= /\.\d{3}[.,]/.test(trimmed);
    if (typeof value === 'string') this.#addText(text, trimmed);
    else this.#addOther(value);
  }

  #addText(text: string, trimmed: string): void {
    for (const [type, values] of this.#candidates) {
      values.add(text);
      if (values.unreadable > 0 || (isNumber(type) && isCode(trimmed))) this.#candidates.delete(type);
    }
    this.#addChoice(trimmed);
  }

  #addOther(value: Json): void {
    this.#hasOthers = true;
    for (const type of this.#candidates.keys()) {
      if (readValue(value as JsonValue, { type, choices: [] }) === undefined) this.#candidates.delete(type);
    }
  }

  #addChoice(text: string): void {
    const choices = this.#choices;
    if (choices === undefined || choices.has(text)) return;
    const isTooMany = choices.size >= (this.#isChoice ? MOST_CHOICES : MAX_CHOICES);
    const isTooLong = text.length > (this.#isChoice ? MOST_CHARACTERS : MAX_CHOICE_LENGTH);
    // A semicolon separates several choices of one account.
    const isList = !this.#isChoice && text.includes(';');
    if (isTooMany || isTooLong || isList) this.#choices = undefined;
    else choices.add(copyOf(text));
  }

  /** The values as the proposed type reads them. */
  get valuesOfType(): ColumnValues | undefined {
    const { type } = this.attribute ?? {};
    return type === undefined ? undefined : this.#candidates.get(type);
  }

  /** A cell of blanks is an empty one, unless the others are texts. Only a text can be empty. */
  #addBlank(text: string): void {
    if (text !== '') return;
    this.#values += 1;
    if (this.#isChoice) return;
    this.#candidates.clear();
    this.#choices = undefined;
  }

  #addPadded(from: string, to: string): void {
    const { samples } = this.padded;
    this.padded.count += 1;
    const isNew = samples.length < MAX_SAMPLES && samples.every((sample) => sample.from !== from);
    if (isNew) samples.push({ from, to });
  }

  get isEmpty(): boolean {
    return this.#values === 0;
  }

  /** `undefined` without values, or with values that no attribute can have. */
  get attribute(): AttributeType | undefined {
    if (this.isEmpty) return undefined;
    const type = this.#isChoice ? undefined : PROPOSED_TYPES.find((each) => this.#fits(each));
    if (type !== undefined) return { type, choices: [] };
    if (this.#hasOthers) return undefined;
    const choices = [...(this.#choices ?? [])];
    const isChoice = this.#isChoice ? choices.length > 0 : this.#isRepeated(choices);
    return isChoice ? { type: 'choice', choices: choices.sort() } : { type: 'text', choices: [] };
  }

  #isRepeated(choices: readonly string[]): boolean {
    const isFew = choices.length >= MIN_CHOICES && this.#values >= choices.length * MIN_REPETITIONS;
    return isFew && !choices.some((choice) => isListOf(choices, choice));
  }

  #fits(type: TypeName): boolean {
    const values = this.#candidates.get(type);
    if (values === undefined) return false;
    // 0 and 1 alone are counts as likely as answers.
    if (type === 'boolean') return this.#hasWords;
    if (type === 'integer' && this.#hasDot && !this.#hasDottedThousands && !this.#isChosen) return false;
    // The server accepts 500.0 as an integer, but such a column is of amounts, of which the next may be 500.50.
    return type !== 'integer' || (values.currencies.size === 0 && !this.#hasFractions);
  }
}

/** 007 and +49 30 123 are not numbers, but codes, and so are whole numbers that would be rounded. */
function isCode(text: string): boolean {
  return /^0\d|^\+/.test(text) || (/^-?\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text)));
}

/** `Core, Analytics` beside `Core` is several choices of one account. */
function isListOf(choices: readonly string[], text: string): boolean {
  return text.includes(',') && text.split(',').some((part) => choices.includes(part.trim()));
}

function isNumber(type: TypeName): boolean {
  return type === 'integer' || type === 'decimal';
}
