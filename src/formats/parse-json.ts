import { isAscii, isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';
import type { JsonValue } from '../domain/json.js';
import { characterCount } from '../domain/text.js';
import { JsonProblem, type JsonSubject } from './json-problem.js';

/** Loaded when it is first needed: it would make the start of each thread 15 ms longer. */
let jsonc: typeof import('jsonc-parser') | undefined;

/** Finding the position of an error in a longer text would take too long. */
const MAX_SEARCHED = 256 * 1024;

/**
 * Parses a body, or one record of it, that has passed `checkJsonLimits`. Returns `undefined` if there is only white space.
 * `what` is used in error messages.
 */
export function parseJson(bytes: Buffer, what: JsonSubject = 'body'): JsonValue | undefined {
  // Most bodies are ASCII, and decoding them as latin1 takes a third less time.
  const isPlain = isAscii(bytes);
  if (!isPlain && !isUtf8(bytes)) throw new JsonProblem('not_utf8', what);
  const marked = bytes.toString(isPlain ? 'latin1' : 'utf8');
  // Some systems begin their files with a byte order mark.
  const text = marked.startsWith('\uFEFF') ? marked.slice(1) : marked;
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') return undefined;
    throw new JsonProblem('invalid_json', what, whereInvalid(text));
  }
  if (mayHaveProto(text)) rejectProto(value, what);
  return value;
}

/** A fast text search, so that few bodies need the check of every key; `\u00` covers an escaped `__proto__`. */
function mayHaveProto(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u00');
}

/** A `__proto__` key would set the prototype when the object is copied, and so fake other fields. */
function rejectProto(value: JsonValue, what: JsonSubject): void {
  if (typeof value !== 'object' || value === null) return;
  if (Object.hasOwn(value, '__proto__')) {
    throw new JsonProblem('forbidden_key', what);
  }
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object') rejectProto(inner, what);
  }
}

/** V8's error message does not always give a position, so a second parser finds it. */
function whereInvalid(text: string): string {
  if (text.length > MAX_SEARCHED) return '';
  const offset = firstInvalid(text);
  if (offset === undefined) return '';
  const what = offset >= text.trimEnd().length ? 'end' : 'character';
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const column = characterCount(text.slice(lineStart, offset)) + 1;
  return `: unexpected ${what} at line ${line}, column ${column}`;
}

function firstInvalid(text: string): number | undefined {
  let first: number | undefined;
  const onError = (_code: number, offset: number) => {
    first = offset;
    // The parser continues after an error; this stops it at the first.
    throw new Error('found');
  };
  try {
    jsonc ??= createRequire(import.meta.url)('jsonc-parser') as typeof import('jsonc-parser');
    jsonc.visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch {
    // Thrown above.
  }
  return first;
}
