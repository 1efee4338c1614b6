import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';

/** The editor's content, ready to send. The text stays unchanged, because parsing may lose digits of a number. */
export interface Input {
  readonly records: number;
  readonly contentType: 'application/json' | 'application/x-ndjson';
  readonly body: string;
  /** Parsed values, for the code samples. */
  readonly values: readonly unknown[];
}

export type Reading = Input | { readonly problem: string } | undefined;

/** Reads one account, an array, or one account per line. Undefined if the text is blank. */
export function readInput(text: string): Reading {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const whole = parse(trimmed);
  if ('value' in whole) {
    return Array.isArray(whole.value)
      ? { records: whole.value.length, contentType: 'application/json', body: trimmed, values: whole.value }
      : { records: 1, contentType: 'application/json', body: `[${trimmed}]`, values: [whole.value] };
  }
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(parse);
  if (lines.length > 1 && values.every((line) => 'value' in line)) {
    return {
      records: lines.length,
      contentType: 'application/x-ndjson',
      body: trimmed,
      values: values.map((line) => ('value' in line ? line.value : undefined)),
    };
  }
  return whole;
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: problemOf(text) };
  }
}

/** With line and column, which not every browser reports. */
function problemOf(text: string): string {
  const errors: ParseError[] = [];
  parseJson(text, errors, { disallowComments: true });
  const [first] = errors;
  if (first === undefined) return 'This is not valid JSON.';
  const { error, offset } = first;
  const before = text.slice(0, offset).split('\n');
  // Converts `InvalidSymbol` to `invalid symbol`.
  const words = printParseErrorCode(error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
  return `This is not valid JSON: ${words} (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}
