import type { AttributeType } from '../../domain/attribute-types.js';
import { identifierText } from '../../domain/identifier.js';
import type { Column } from './column-plan.js';
import { ColumnValues, type ReadingUse, type Sample } from './conversion/column-values.js';
import { Conversion } from './conversion/conversion.js';
import { readingsOfType, SALESFORCE_ID } from './conversion/readings-of-type.js';
import { AS_IS, type DateOrder, selectReadings } from './conversion/select-readings.js';
import {
  ambiguityProblem,
  choicesProblem,
  currencyProblem,
  unknownReadingProblem,
  unproposableReadingProblem,
} from './conversion-problems.js';
import type { Json } from './json.js';
import type { ChosenConversion } from './mapping.js';
import { ProposedAttribute } from './proposed-attribute.js';
import type { RepeatedIds } from './repeated-ids.js';

const MAX_SAMPLES = 3;

/** How the values of a column are sent. */
export interface ColumnConversion {
  readonly column: Column;
  readonly conversion: Conversion;
  /** The readings that are needed, with samples. */
  readonly uses: readonly ReadingUse[];
  /** The attribute to declare, with `--declare`. */
  readonly proposal?: AttributeType;
  /** A new column that nothing declares, because it has no values or this is a dry run. The server may reject it. */
  readonly isUnsent?: boolean;
}

interface Collected {
  readonly result?: ColumnConversion;
  readonly problems: readonly string[];
}

/** Collects what has to be known of the values of a column. */
export interface Collector {
  add(value: Json, line: number): void;
  collected(): Collected;
}

/** What is known of the values of a column before they are read: what the user has said, and where they come from. */
export interface HowToRead {
  readonly chosen?: ChosenConversion | undefined;
  readonly dates?: DateOrder | undefined;
  /** Whether the file has only some rows of another. */
  readonly isExcerpt?: boolean;
}

/** The values of an attribute, or of a field without a type if `--convert` replaces some of them. */
export class AttributeCollector implements Collector {
  readonly #column: Column;
  readonly #attribute: AttributeType | undefined;
  readonly #chosen: ChosenConversion | undefined;
  readonly #values: ColumnValues | undefined;
  readonly #problems: readonly string[];

  constructor(column: Column, attribute: AttributeType | undefined, how: HowToRead) {
    const { chosen, dates, isExcerpt = false } = how;
    this.#column = column;
    this.#attribute = attribute;
    this.#chosen = chosen;
    const names = chosen?.readings ?? [];
    const { readings, unknown } = selectReadings(attribute, { names, dates });
    this.#problems = unknown.map((name) => unknownReadingProblem(column.field ?? '', name, attribute));
    if (attribute !== undefined) {
      this.#values = new ColumnValues(attribute, readings, {
        isChosen: names.length > 0,
        isDotUnclear: isExcerpt,
      });
    }
  }

  add(value: Json): void {
    if (typeof value !== 'string') return;
    const replaced = this.#chosen?.values.get(value.trim());
    if (replaced !== null) this.#values?.add(replaced ?? value);
  }

  collected(): Collected {
    const column = this.#column;
    const attribute = this.#attribute;
    const {
      conversion = new Conversion(attribute, []),
      uses = [],
      ambiguities = [],
    } = this.#values?.resolve() ?? {};
    const problems = [...this.#problems, ...ambiguities.map((each) => ambiguityProblem(column, each))];
    if (!this.#chosen?.readings.length) problems.push(...currencyProblems(column, uses, this.#values));
    const values = this.#chosen?.values ?? new Map();
    const proposal = column.isNew ? attribute : undefined;
    const isPlain =
      uses.length === 0 && values.size === 0 && proposal === undefined && this.#values?.hasBlanks !== true;
    if (isPlain || problems.length > 0) return { problems };
    const result = {
      column,
      conversion: conversion.with(values),
      uses,
      ...(proposal !== undefined && { proposal }),
    };
    return { result, problems };
  }
}

/** Ids: text of any form, in which accounts can come twice. */
export class IdCollector implements Collector {
  readonly #column: Column;
  readonly #repeated: RepeatedIds | undefined;
  readonly #conversion: Conversion | undefined;
  readonly #replaced: ReadonlyMap<string, string | null>;
  readonly #problems: string[];
  readonly #samples: Sample[] = [];
  #count = 0;

  constructor(column: Column, repeated: RepeatedIds | undefined, chosen: ChosenConversion | undefined) {
    this.#column = column;
    this.#repeated = repeated;
    this.#replaced = chosen?.values ?? new Map();
    const names = chosen?.readings.filter((name) => name !== AS_IS) ?? [];
    this.#problems = names
      .filter((name) => name !== SALESFORCE_ID.name)
      .map((name) => unknownReadingProblem(column.field ?? '', name, { type: 'text', choices: [] }));
    if (chosen !== undefined) {
      const readings = names.includes(SALESFORCE_ID.name) ? [SALESFORCE_ID] : [];
      this.#conversion = new Conversion(undefined, readings).with(chosen.values);
    }
  }

  add(value: Json, line: number): void {
    const text = identifierText(value);
    if (text === undefined) return;
    const sent = typeof value === 'string' && this.#conversion ? this.#conversion.apply(text) : text;
    if (sent === null) return;
    if (sent !== text && !this.#replaced.has(text)) {
      this.#count += 1;
      const isKnown = this.#samples.some(({ from }) => from === text);
      if (this.#samples.length < MAX_SAMPLES && !isKnown) this.#samples.push({ from: text, to: sent });
    }
    this.#repeated?.add(String(sent), line);
  }

  collected(): Collected {
    const problems = this.#problems;
    if (this.#conversion === undefined) return { problems };
    const use = { reading: SALESFORCE_ID, count: this.#count, samples: this.#samples };
    const uses = this.#count > 0 ? [use] : [];
    return { result: { column: this.#column, conversion: this.#conversion, uses }, problems };
  }
}

/** The values of a new attribute, whose type is not known yet. */
export class ProposalCollector implements Collector {
  readonly #column: Column;
  readonly #proposed: ProposedAttribute;
  readonly #chosen: ChosenConversion | undefined;
  readonly #isChoice: boolean;

  constructor(column: Column, { chosen, dates }: HowToRead, isChoice: boolean) {
    this.#column = column;
    this.#chosen = chosen;
    this.#isChoice = isChoice;
    this.#proposed = new ProposedAttribute({ names: chosen?.readings ?? [], dates }, isChoice);
  }

  add(value: Json): void {
    const replaced = typeof value === 'string' ? this.#chosen?.values.get(value.trim()) : undefined;
    if (replaced !== null) this.#proposed.add(replaced ?? value);
  }

  collected(): Collected {
    const { attribute, valuesOfType, unknown, isEmpty } = this.#proposed;
    const column = this.#column;
    const { field = '' } = column;
    if (unknown.length > 0)
      return { problems: unknown.map((name) => unproposableReadingProblem(field, name)) };
    if (isEmpty) {
      const conversion = new Conversion(undefined, []);
      return { result: { column, conversion, uses: [], isUnsent: true }, problems: [] };
    }
    if (this.#isChoice && attribute?.type !== 'choice')
      return { problems: [choicesProblem(column, attribute)] };
    const values = this.#chosen?.values ?? new Map();
    if (attribute === undefined) {
      return {
        result: { column, conversion: new Conversion(undefined, []).with(values), uses: [] },
        problems: [],
      };
    }
    const { conversion, uses, ambiguities } = valuesOfType?.resolve() ?? this.#asTexts(attribute);
    const problems = ambiguities.map((each) => ambiguityProblem(column, each));
    if (!this.#chosen?.readings.length) problems.push(...currencyProblems(column, uses, valuesOfType));
    if (problems.length > 0) return { problems };
    return { result: { column, conversion: conversion.with(values), uses, proposal: attribute }, problems };
  }

  /** A text stays as it is; a choice has no blanks around it. */
  #asTexts(attribute: AttributeType) {
    const trim = readingsOfType(attribute).filter(({ name }) => name === 'trim');
    const { padded } = this.#proposed;
    const uses = padded.count === 0 ? [] : trim.map((reading) => ({ reading, ...padded }));
    return { conversion: new Conversion(attribute, trim), uses, ambiguities: [] };
  }
}

function currencyProblems(
  column: Column,
  [first]: readonly ReadingUse[],
  values: ColumnValues | undefined,
): string[] {
  const currencies = [...(values?.currencies ?? [])];
  return currencies.length > 1 && first !== undefined
    ? [currencyProblem(column, currencies, first.reading.name)]
    : [];
}
