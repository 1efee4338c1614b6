import { isUtf8 } from 'node:buffer';
import jsonc, { type ParseError } from 'jsonc-parser';
import { isJsonObject, type JsonValue } from '../domain/json.js';
import { refusals } from './refusal.js';

const MAX_DEPTH = 32;

/** The JSON value of a body; `undefined` where there is nothing but white space. */
export function parseJsonBody(bytes: Buffer): JsonValue | undefined {
  if (!isUtf8(bytes)) throw refusals.badBody('The body is not valid UTF-8.');
  const marked = bytes.toString('utf8');
  // Some systems begin their files with a byte order mark.
  const text = marked.startsWith('\uFEFF') ? marked.slice(1) : marked;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') return undefined;
    throw refusals.badBody(`The body is not valid JSON${whereInvalid(text)}.`);
  }
  refuseUnsafe(value, 1);
  return value;
}

/** Deep nesting exhausts whoever reads it next; a `__proto__` key changes what other fields seem to be. */
function refuseUnsafe(value: JsonValue, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) {
    throw refusals.badBody(`The body may not be nested deeper than ${MAX_DEPTH} levels.`);
  }
  if (isJsonObject(value)) {
    if (Object.hasOwn(value, '__proto__')) {
      throw refusals.badBody('The body may not contain the key __proto__.');
    }
    for (const key in value) refuseUnsafe(value[key] ?? null, depth + 1);
  } else {
    for (const item of value) refuseUnsafe(item, depth + 1);
  }
}

/** The engine's own message gives a position only now and then, so a second parser is asked for it. */
function whereInvalid(text: string): string {
  const errors: ParseError[] = [];
  try {
    jsonc.parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // Nested too deep for that parser, which recurses.
  }
  const first = errors[0];
  if (first === undefined) return '';
  const lines = text.slice(0, first.offset).split('\n');
  const column = [...(lines.at(-1) ?? '')].length + 1;
  const what = first.offset >= text.trimEnd().length ? 'end' : 'character';
  return `: unexpected ${what} at line ${lines.length}, column ${column}`;
}
