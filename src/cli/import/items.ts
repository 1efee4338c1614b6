import type { AccountRecord } from '@account-sync/client';
import { textOfCell } from '../../formats/csv-cells.js';
import type { BrokenRow, CsvRow } from '../../formats/csv-reader.js';
import type { Column, ColumnPlan } from './column-plan.js';
import { isObject, type Json, type JsonObject, parseJson, unsendable } from './json.js';
import type { JsonRecord } from './json-records.js';

export const REJECTED_BECAUSE = 'rejected_because';

/** What a CSV of refused rows has before the columns of the rows themselves; an import leaves them out again. */
export const REASONS = ['rejected_line', 'rejected_id', REJECTED_BECAUSE];

/** How many of the first columns are reasons; others of these names are fields like all. */
export function reasonsIn(header: readonly string[]): number {
  return REASONS.every((name, at) => header[at] === name) ? REASONS.length : 0;
}

/** The text of a record as it was before it was refused, to the letter where it is as it was written then. */
export function withoutReasons(text: string, record: JsonObject): string {
  const { [REJECTED_BECAUSE]: reasons, ...rest } = record;
  if (!isReasons(reasons)) return text;
  const others = Object.keys(rest).length;
  if (typeof reasons.text === 'string' && others === 0) return reasons.text;
  const member = `{${JSON.stringify(REJECTED_BECAUSE)}:${JSON.stringify(reasons)}`;
  if (text.startsWith(member) && others > 0) return `{${text.slice(member.length).replace(/^\s*,/, '')}`;
  return unsendable(rest) === undefined ? JSON.stringify(rest) : text;
}

function isReasons(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.line === 'number' && Array.isArray(value.messages);
}

/** A row on its way: what is sent for it, and what came. */
export interface Item {
  readonly line: number;
  /** Text has no line ends. `undefined` where it cannot be sent, for the reason that `problem` tells. */
  readonly record: AccountRecord | string | undefined;
  readonly problem?: string;
  /** The cells, or the text, as they stand in the file. */
  readonly original: readonly string[] | string;
}

export type EmptyCells = 'clear' | 'keep';

export function itemOfRow(row: CsvRow | BrokenRow, columns: readonly Column[], emptyCells: EmptyCells): Item {
  const { line } = row;
  if ('problem' in row) return { line, record: undefined, problem: row.problem, original: row.text };
  const { cells } = row;
  const refuse = (problem: string) => ({ line, record: undefined, problem, original: cells });
  if (cells.length !== columns.length) {
    return refuse(`The row has ${cells.length} cells, the header ${columns.length}.`);
  }
  const record: Record<string, unknown> = {};
  for (let at = 0; at < columns.length; at += 1) {
    const { field, isJson, name } = columns[at] as Column;
    const cell = cells[at] as string;
    if (field === undefined) {
      if (name.trim() === '' && cell !== '')
        return refuse(`Cell ${at + 1} has a value, but its column no name.`);
    } else if (cell === '') {
      if (emptyCells === 'clear') record[field] = null;
    } else if (isJson) {
      const value = parseJson(cell);
      if (value === undefined) return refuse(`The cell of ${name} is not valid JSON.`);
      const obstacle = unsendable(value);
      if (obstacle !== undefined) return refuse(`The cell of ${name} ${obstacle}`);
      record[field] = value;
    } else {
      record[field] = textOfCell(cell);
    }
  }
  return { line, record: record as AccountRecord, original: cells };
}

/**
 * What needs no other names is sent as it came, to the letter; so is what is no JSON, for the server to refuse, unless
 * it has line ends, which could only be sent as something else.
 */
export function itemOfText(row: JsonRecord, plan: ColumnPlan): Item {
  const { line, text: original, record } = recordOf(row);
  const refuse = (problem: string) => ({ line, record: undefined, problem, original });
  if (record === undefined && /[\r\n]/.test(original)) return refuse('The record is not valid JSON.');
  const text = original.replace(/[\r\n]+/g, ' ');
  if (!isObject(record)) return { line, record: text, original };
  const entries = Object.entries(record);
  const columns = entries.map(([name]) => plan.column(name));
  const problem = columns.find((column) => column.problem !== undefined)?.problem;
  if (problem !== undefined) return refuse(problem);
  if (columns.every(({ name, field }) => name === field)) return { line, record: text, original };
  const obstacle = unsendable(record);
  if (obstacle !== undefined) return refuse(`The record ${obstacle}`);
  const renamed = new Map<string, Json>();
  for (const [at, { field }] of columns.entries()) {
    if (field === undefined) continue;
    if (renamed.has(field)) return refuse(`The record holds ${field} under two names.`);
    renamed.set(field, entries[at]?.[1] ?? null);
  }
  return { line, record: Object.fromEntries(renamed) as unknown as AccountRecord, original };
}

/** What stands in the file, without the reasons of an earlier refusal. */
export function recordOf({ line, text }: JsonRecord): JsonRecord & { readonly record: Json | undefined } {
  const record = parseJson(text);
  const came = isObject(record) ? withoutReasons(text, record) : text;
  return { line, text: came, record: came === text ? record : parseJson(came) };
}
