import { readDate, readDateTime } from './calendar.js';
import type { JsonValue } from './json.js';

/** What a value looks like, a bit each, so that the shapes of many values are one number. */
const SHAPES = { boolean: 1, integer: 2, decimal: 4, date: 8, datetime: 16, text: 32, json: 64 } as const;

export type ShapeName = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES) as readonly ShapeName[];

export function shapeOf(value: JsonValue): number {
  if (typeof value === 'boolean') return SHAPES.boolean;
  if (typeof value === 'number') return Number.isInteger(value) ? SHAPES.integer : SHAPES.decimal;
  if (typeof value !== 'string') return SHAPES.json;
  // Longer texts are none of the others, and reading them would take time.
  if (value.length > 40) return SHAPES.text;
  if (/^[+-]?\d{1,15}$/.test(value)) return SHAPES.integer;
  if (/^[+-]?\d+\.\d+$/.test(value)) return SHAPES.decimal;
  if (/^(true|false)$/i.test(value)) return SHAPES.boolean;
  if (readDate(value) !== undefined) return SHAPES.date;
  return readDateTime(value) === undefined ? SHAPES.text : SHAPES.datetime;
}

/** The type that all values of these shapes would fit; `json` where none does. */
export function guessType(shapes: number): ShapeName {
  const only = SHAPE_NAMES.find((name) => SHAPES[name] === shapes);
  if (only !== undefined) return only;
  if (shapes === (SHAPES.integer | SHAPES.decimal)) return 'decimal';
  return (shapes & SHAPES.json) !== 0 ? 'json' : 'text';
}
