import type { Json } from '@account-sync/client';
import { type AttributeType, readValue } from '../../../domain/attribute-types.js';
import { Conversion, isBlank } from './conversion.js';
import { currencyOf } from './number-readings.js';
import type { Reading } from './reading.js';
import { copyOf, TextMemo } from './text-memo.js';

const MAX_SAMPLES = 3;
/** Samples that are kept until it is known which readings are used. */
const MAX_CANDIDATES = 20;

/** What a reading does to the values of a column. */
export interface ReadingUse {
  readonly reading: Reading;
  /** How many values it converts. */
  readonly count: number;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly from: string;
  readonly to: Json;
}

/** A text that two readings understand differently. Without a reading, it is the value that the server reads. */
export interface Ambiguity {
  readonly text: string;
  readonly meanings: readonly { readonly reading: Reading | undefined; readonly value: Json }[];
  /** Whether other values fit only the one reading, and others again only the other. */
  readonly isMixed: boolean;
}

/** What is known of the readings and the values. */
interface Given {
  /** The user has chosen the readings: then they decide also where the server would read otherwise. */
  readonly isChosen?: boolean;
  /**
   * 1.250 alone does not count as the decimal that the server reads: the values are only some of a column, of which
   * others may have decided, or it is not known that they are decimals.
   */
  readonly isDotUnclear?: boolean;
}

/** A set of readings, one bit for each. Bit 0 is the server, bit n the reading n - 1. */
type Mask = number;
const SERVER = 0;
/** For texts that the server accepts, and that show nothing about how others are meant. */
const ALL: Mask = -1;

/** How many values the same readings accept. */
interface Tally {
  readonly mask: Mask;
  count: number;
}

/**
 * Finds out how the values of a column are written, from all of them.
 *
 * Readings are used for values that the server does not accept as they are. If two readings give different values for
 * one text (3/4/2015, 1.234), the other values decide: where some fit only one of the two (1/31/2015), that one is
 * meant, and the other is dropped. If none do, or some fit only the one and some only the other, the column is
 * ambiguous, and the user has to decide.
 */
export class ColumnValues {
  /** Whether some values consist of blanks, so that they are sent as empty cells. */
  hasBlanks = false;
  readonly currencies = new Set<string>();
  readonly #attribute: AttributeType;
  readonly #readings: readonly Reading[];
  readonly #isChosen: boolean;
  readonly #isDotUnclear: boolean;
  readonly #tallies = new Map<Mask, Tally>();
  /** Trying all readings costs several regular expressions. */
  readonly #tallyOfText = new TextMemo<Tally>();
  readonly #conflicts = new Map<
    string,
    { readonly pair: readonly [number, number]; readonly text: string }
  >();
  readonly #candidates: { readonly text: string; readonly mask: Mask }[][];

  constructor(
    attribute: AttributeType,
    readings: readonly Reading[],
    { isChosen = false, isDotUnclear = false }: Given = {},
  ) {
    this.#attribute = attribute;
    this.#readings = readings;
    this.#isChosen = isChosen;
    this.#isDotUnclear = isDotUnclear;
    this.#candidates = readings.map(() => []);
  }

  add(text: string): void {
    this.#tallyOfText.get(text, (each) => this.#tallyOf(this.#read(each))).count += 1;
  }

  /** The number of values that neither the server nor a reading accepts. */
  get unreadable(): number {
    return this.#tallies.get(0)?.count ?? 0;
  }

  #tallyOf(mask: Mask): Tally {
    const tally = this.#tallies.get(mask) ?? { mask, count: 0 };
    this.#tallies.set(mask, tally);
    return tally;
  }

  resolve(): {
    readonly conversion: Conversion;
    readonly uses: readonly ReadingUse[];
    readonly ambiguities: readonly Ambiguity[];
  } {
    const enabled = this.#withoutLosers();
    const ambiguities = new Map<string, Ambiguity>();
    for (const { pair, text } of this.#conflicts.values()) {
      const isOpen = pair.every((at) => has(enabled, at));
      if (isOpen && !ambiguities.has(text)) ambiguities.set(text, this.#ambiguity(pair, text));
    }
    const used = (mask: Mask) => this.#indexes.find((at) => has(mask & enabled, at));
    const uses = this.#readings.map((reading, at) => ({
      reading,
      count: this.#count((mask) => mask !== ALL && used(mask) === at + 1),
      samples: (this.#candidates[at] ?? [])
        .filter(({ mask }) => used(mask) === at + 1)
        .slice(0, MAX_SAMPLES)
        .map(({ text }) => ({ from: text, to: reading.read(text.trim()) ?? null })),
    }));
    const conversion = new Conversion(
      this.#attribute,
      this.#readings.filter((_, at) => has(enabled, at + 1)),
      has(enabled, SERVER),
    );
    return {
      conversion,
      uses: uses.filter(({ count }) => count > 0),
      ambiguities: [...ambiguities.values()],
    };
  }

  get #indexes(): readonly number[] {
    return [SERVER, ...this.#readings.map((_, at) => at + 1)];
  }

  #read(text: string): Mask {
    const asIs = readValue(text, this.#attribute) as Json | undefined;
    const isNumber = this.#attribute.type === 'integer' || this.#attribute.type === 'decimal';
    if (asIs !== undefined && !(isNumber && text.includes('.'))) return ALL;
    if (asIs === undefined && isBlank(text, this.#attribute)) {
      this.hasBlanks = true;
      return ALL;
    }
    const trimmed = text.trim();
    const results = [asIs, ...this.#readings.map(({ read }) => read(trimmed))];
    let mask = 0;
    for (const [at, value] of results.entries()) {
      if (value === undefined) continue;
      for (let other = 0; other < at; other += 1) {
        const isConflict = has(mask, other) && results[other] !== value;
        const key = `${other},${at}`;
        if (isConflict && !this.#conflicts.has(key))
          this.#conflicts.set(key, { pair: [other, at], text: copyOf(text) });
      }
      mask |= 1 << at;
    }
    const currency = isNumber ? currencyOf(trimmed) : undefined;
    if (currency !== undefined) this.currencies.add(currency);
    for (const [at, candidates] of this.#candidates.entries()) {
      if (has(mask, at + 1) && candidates.length < MAX_CANDIDATES)
        candidates.push({ text: copyOf(text), mask });
    }
    return mask;
  }

  /** The readings that are meant, or that may be. Independent of the order of the values. */
  #withoutLosers(): Mask {
    // Two readings are compared before one with the server: 1,234.5 shows that 1,234 does not have a decimal comma, so
    // that it says nothing against 1.234 as the server reads it.
    const pairs = [...this.#conflicts.values()].map(({ pair }) => pair);
    const sorted = pairs.sort((one, other) => other[0] - one[0] || other[1] - one[1]);
    let enabled: Mask = ALL;
    for (const pair of sorted) {
      if (pair.some((at) => !has(enabled, at))) continue;
      const loser = this.#loserOf(pair);
      if (loser !== undefined) enabled &= ~(1 << loser);
    }
    return enabled;
  }

  /** The reading that is not meant; `undefined` if the values do not tell. */
  #loserOf([a, b]: readonly [number, number]): number | undefined {
    if (this.#isChosen && a === SERVER) return a;
    const [onlyA, onlyB] = this.#counted(a, b);
    if (onlyA > 0 && onlyB === 0) return b;
    if (onlyB > 0 && onlyA === 0) return a;
    // 1.250 is what any program writes for a decimal; 1.000 seats are a thousand as likely as one.
    const isPlain = a === SERVER && onlyA === 0 && this.#attribute.type === 'decimal';
    return isPlain && !this.#isDotUnclear ? b : undefined;
  }

  /** How many values fit only the one, and only the other. */
  #counted(a: number, b: number): readonly [number, number] {
    return [
      this.#count((mask) => has(mask, a) && !has(mask, b)),
      this.#count((mask) => has(mask, b) && !has(mask, a)),
    ];
  }

  #count(isCounted: (mask: Mask) => boolean): number {
    let sum = 0;
    for (const { mask, count } of this.#tallies.values()) if (isCounted(mask)) sum += count;
    return sum;
  }

  #ambiguity([a, b]: readonly [number, number], text: string): Ambiguity {
    const meanings = [a, b].map((at) => {
      const reading = this.#readings[at - 1];
      const value = reading === undefined ? readValue(text, this.#attribute) : reading.read(text.trim());
      return { reading, value: (value ?? null) as Json };
    });
    return { text, meanings, isMixed: this.#counted(a, b)[0] > 0 };
  }
}

function has(mask: Mask, at: number): boolean {
  return (mask & (1 << at)) !== 0;
}
