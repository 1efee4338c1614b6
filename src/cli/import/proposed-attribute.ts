import type { AttributeType, TypeName } from '../../domain/attribute-types.js';
import { ColumnValues, type Sample } from './conversion/column-values.js';
import { type ChosenReadings, selectReadings } from './conversion/select-readings.js';
import type { Json } from './json.js';

/** A column has choices if it has few values that come often: 4 times each on average. */
const MIN_CHOICES = 2;
const MAX_CHOICES = 12;
const MIN_REPETITIONS = 4;
const MAX_CHOICE_LENGTH = 40;
/** The limit of the server. */
const MOST_CHOICES = 1_000;

/** In this order: the first type that fits all values is proposed. */
const CANDIDATES = ['boolean', 'integer', 'decimal', 'date', 'datetime'] as const;

const MAX_SAMPLES = 3;

/** Readings of numbers as dates: a number is a number unless somebody says otherwise. */
const GUESSES = new Set(['excel', 'epoch']);

/** Proposes the type of an attribute from all values of a column. */
export class ProposedAttribute {
  /** Texts with blanks around them, which choices do not have. */
  readonly padded = { count: 0, samples: [] as Sample[] };
  readonly #isChoice: boolean;
  readonly #candidates: Map<TypeName, ColumnValues>;
  /** The different texts without blanks around them; `undefined` if there are too many for choices. */
  #choices: Set<string> | undefined = new Set();
  #values = 0;
  #hasWords = false;
  #hasCents = false;
  #hasJson = false;

  /** `isChoice` if the user wants choices, however many there are. */
  constructor(chosen: ChosenReadings, isChoice = false) {
    this.#isChoice = isChoice;
    this.#candidates = new Map(
      CANDIDATES.flatMap((type) => {
        const attribute = { type, choices: [] };
        const { readings, unknown } = selectReadings(attribute, chosen);
        const tried = readings.filter(({ name }) => chosen.names.length > 0 || !GUESSES.has(name));
        const values = new ColumnValues(attribute, tried, chosen.names.length > 0);
        return unknown.length > 0 ? [] : [[type, values] as const];
      }),
    );
  }

  add(value: Json): void {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const trimmed = text.trim();
    if (trimmed === '') {
      this.#addBlank(text);
      return;
    }
    this.#values += 1;
    if (typeof value === 'object') this.#hasJson = true;
    if (text !== trimmed) this.#addPadded(text, trimmed);
    this.#hasWords ||= !/^[01]$/.test(trimmed);
    this.#hasCents ||= /[.,]\d\d$/.test(trimmed);
    for (const [type, values] of this.#candidates) {
      values.add(text);
      if (values.unreadable > 0 || (isNumber(type) && hasMeaningfulZeros(trimmed)))
        this.#candidates.delete(type);
    }
    if (this.#choices === undefined) return;
    this.#choices.add(trimmed);
    const isTooMany = this.#choices.size > (this.#isChoice ? MOST_CHOICES : MAX_CHOICES);
    // A semicolon separates several choices of one account.
    const isList = trimmed.includes(';');
    if (isTooMany || ((isList || trimmed.length > MAX_CHOICE_LENGTH) && !this.#isChoice))
      this.#choices = undefined;
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
    if (this.isEmpty || this.#hasJson) return undefined;
    const type = this.#isChoice ? undefined : CANDIDATES.find((each) => this.#fits(each));
    if (type !== undefined) return { type, choices: [] };
    const choices = [...(this.#choices ?? [])];
    const isChoice = this.#isChoice ? choices.length > 0 : this.#isRepeated(choices);
    return isChoice ? { type: 'choice', choices: choices.sort() } : { type: 'text', choices: [] };
  }

  /** One value alone does not show which others there are. */
  #isRepeated(choices: readonly string[]): boolean {
    const isFew = choices.length >= MIN_CHOICES && this.#values >= choices.length * MIN_REPETITIONS;
    return isFew && !choices.some((choice) => isListOf(choices, choice));
  }

  #fits(type: TypeName): boolean {
    const values = this.#candidates.get(type);
    if (values === undefined) return false;
    // 0 and 1 alone are counts as likely as answers.
    if (type === 'boolean') return this.#hasWords;
    // The server accepts 500.0 as an integer, and also 0.00, which is an amount.
    return type !== 'integer' || (values.currencies.size === 0 && !this.#hasCents);
  }
}

/** `Core, Analytics` beside `Core` is several choices of one account. */
function isListOf(choices: readonly string[], text: string): boolean {
  return text.includes(',') && text.split(',').some((part) => choices.includes(part.trim()));
}

/** 007 and +49 30 123 are not numbers, but codes. */
function hasMeaningfulZeros(text: string): boolean {
  return /^0\d|^\+/.test(text);
}

function isNumber(type: TypeName): boolean {
  return type === 'integer' || type === 'decimal';
}
