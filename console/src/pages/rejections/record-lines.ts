import type { ErrorsByAttribute, Json } from '@account-sync/client';

/** A part of a record in the view: a field with its value, or a brace. */
export interface RecordLine {
  readonly text: string;
  /** Error messages about it. */
  readonly messages: readonly string[];
  /** The error is that the field was not sent. */
  readonly isMissing?: boolean;
}

/** The server stores this many characters of a record that is too long, as `{"truncated": "…"}`. */
const CUT_LENGTH = 4_096;

export function beginningOf(record: Json): string | undefined {
  if (!isObject(record)) return undefined;
  const { truncated, ...others } = record;
  const isCut = typeof truncated === 'string' && truncated.length >= CUT_LENGTH;
  return isCut && Object.keys(others).length === 0 ? truncated : undefined;
}

/** The formatted record, one line entry per field. */
export function recordLines(record: Json, errors: ErrorsByAttribute): RecordLine[] {
  if (!isObject(record)) return [{ text: jsonOf(record), messages: Object.values(errors).flat() }];
  const names = Object.keys(record);
  const missing = Object.keys(errors).filter((name) => !Object.hasOwn(record, name));
  return [
    { text: '{', messages: [] },
    ...missing.map((name) => ({
      text: `  ${JSON.stringify(name)}: …`,
      messages: errors[name] ?? [],
      isMissing: true,
    })),
    ...names.map((name, index) => ({
      text: `  ${JSON.stringify(name)}: ${indented(record[name])}${index === names.length - 1 ? '' : ','}`,
      messages: errors[name] ?? [],
    })),
    { text: '}', messages: [] },
  ];
}

/** The values that were sent in a field, with their counts, most frequent first. */
export function sentValues(records: readonly Json[], attribute: string): [value: string, times: number][] {
  const times = new Map<string, number>();
  for (const record of records) {
    if (!isObject(record) || !Object.hasOwn(record, attribute)) continue;
    const value = JSON.stringify(record[attribute]);
    times.set(value, (times.get(value) ?? 0) + 1);
  }
  return [...times].sort(([, a], [, b]) => b - a);
}

export function jsonOf(value: Json): string {
  return JSON.stringify(value, null, 2);
}

function indented(value: Json | undefined): string {
  return jsonOf(value ?? null).replaceAll('\n', '\n  ');
}

export function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
