import { readDate, readDateTime } from './calendar.js';
import type { JsonValue } from './json.js';
import { isLongerThan, isStorableText } from './text.js';

const MAX_TEXT_LENGTH = 65_535;

export interface AttributeType {
  readonly type: TypeName;
  /** The allowed values of a `choice`; empty for all other types. */
  readonly choices: readonly string[];
}

/** Returns a value in its stored form, or `undefined` if it does not fit the type. */
type Reader = (value: JsonValue, attribute: AttributeType) => JsonValue | undefined;

const BOOLEANS = new Map<JsonValue, boolean>([
  [1, true],
  ['1', true],
  ['true', true],
  [0, false],
  ['0', false],
  ['false', false],
]);

/** Caches each list of choices as a set: a list can have 1,000 values, and every sent value is looked up in it. */
const choiceSets = new WeakMap<readonly string[], ReadonlySet<string>>();

function choiceSet(choices: readonly string[]): ReadonlySet<string> {
  const known = choiceSets.get(choices);
  if (known !== undefined) return known;
  const set = new Set(choices);
  choiceSets.set(choices, set);
  return set;
}

/** The table of attribute types: each reads a sent value into the form that is stored; undefined rejects it. */
const readers = {
  text: (value) =>
    typeof value === 'string' && isStorableText(value) && !isLongerThan(value, MAX_TEXT_LENGTH)
      ? value
      : undefined,
  integer: (value) => {
    const number = readNumber(value, /^[+-]?\d+(\.0+)?$/);
    return Number.isSafeInteger(number) ? number : undefined;
  },
  decimal: (value) => readNumber(value, /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i),
  boolean: (value) => {
    if (typeof value === 'boolean') return value;
    return BOOLEANS.get(typeof value === 'string' ? value.toLowerCase() : value);
  },
  date: (value) => (typeof value === 'string' ? readDate(value) : undefined),
  datetime: (value) => (typeof value === 'string' ? readDateTime(value) : undefined),
  choice: (value, { choices }) =>
    typeof value === 'string' && choiceSet(choices).has(value) ? value : undefined,
} as const satisfies Record<string, Reader>;

export type TypeName = keyof typeof readers;
export const TYPE_NAMES = Object.keys(readers) as readonly TypeName[];

export function readValue(value: JsonValue, attribute: AttributeType): JsonValue | undefined {
  return (readers[attribute.type] as Reader)(value, attribute);
}

function readNumber(value: JsonValue, form: RegExp): number | undefined {
  const number = typeof value === 'string' && form.test(value.trim()) ? Number(value) : value;
  // Adding 0 turns -0 into 0, which is what JSON would store.
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined;
}

/**
 * What undeclared values look like, used to propose a type. One bit for each shape, so that one number describes the
 * shapes of many values.
 */
export const SHAPES = {
  boolean: 1,
  integer: 2,
  decimal: 4,
  date: 8,
  datetime: 16,
  text: 32,
  json: 64,
} as const;

export type ShapeName = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[];

/** Every shape but text begins with one of these. */
const MAYBE_SHAPED = /^[-+\dtf]/i;

export function shapeOf(value: JsonValue): number {
  if (typeof value === 'boolean') return SHAPES.boolean;
  if (typeof value === 'number') return Number.isInteger(value) ? SHAPES.integer : SHAPES.decimal;
  if (typeof value !== 'string') return SHAPES.json;
  // No other shape is longer than 40 characters, and matching long texts takes time.
  if (value.length > 40 || !MAYBE_SHAPED.test(value)) return SHAPES.text;
  if (/^[+-]?\d{1,15}$/.test(value)) return SHAPES.integer;
  if (/^[+-]?\d+\.\d+$/.test(value)) return SHAPES.decimal;
  if (/^(true|false)$/i.test(value)) return SHAPES.boolean;
  if (readDate(value) !== undefined) return SHAPES.date;
  return readDateTime(value) === undefined ? SHAPES.text : SHAPES.datetime;
}

/** The type to propose for values of these shapes; `json` if none would accept them. */
export function guessType(shapes: number): ShapeName {
  const only = SHAPE_NAMES.find((name) => SHAPES[name] === shapes);
  if (only !== undefined) return only;
  if (shapes === (SHAPES.integer | SHAPES.decimal)) return 'decimal';
  return (shapes & SHAPES.json) !== 0 ? 'json' : 'text';
}
