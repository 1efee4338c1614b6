import type { ErrorsByAttribute, Json } from '@account-sync/client';

/** A part of a record as it is shown: a field with its value, or what is around fields. */
export interface RecordLine {
  readonly text: string;
  /** What is wrong with it. */
  readonly messages: readonly string[];
  /** The field was not sent, which is what is wrong. */
  readonly isMissing?: boolean;
}

/** A record that was too long to be kept has only its beginning, and is in no form that could be read. */
const CUT_LENGTH = 4_096;

export function beginningOf(record: Json): string | undefined {
  if (!isObject(record)) return undefined;
  const { truncated, ...others } = record;
  const isCut = typeof truncated === 'string' && truncated.length >= CUT_LENGTH;
  return isCut && Object.keys(others).length === 0 ? truncated : undefined;
}

/** The record, formatted, a field at a time. */
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
    ...names.map((name, place) => ({
      text: `  ${JSON.stringify(name)}: ${indented(record[name])}${place === names.length - 1 ? '' : ','}`,
      messages: errors[name] ?? [],
    })),
    { text: '}', messages: [] },
  ];
}

/** What was sent in a field, with how often: the most frequent first. */
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
