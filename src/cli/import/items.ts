import type { AccountRecord, Json } from '@account-sync/client';
import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { textOfCell } from '../csv/cells.js';
import type { BrokenRow, CsvRow } from '../csv/csv-reader.js';
import type { Column, ColumnPlan } from './column-plan.js';
import type { JsonRecord } from './json-records.js';
import { REJECTED_BECAUSE } from './rejection-names.js';

/** A row on its way: what is sent for it, and what came. */
export interface Item {
  readonly line: number;
  /** `undefined` where it cannot be sent, for the reason that `problem` tells. */
  readonly record: AccountRecord | string | undefined;
  readonly problem?: string;
  /** The cells, or the text, as they stand in the file. */
  readonly original: readonly string[] | string;
}

const TOO_LARGE = 'holds a number that is too large.';

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
      if (!isAllFinite(value as Json)) return refuse(`The cell of ${name} ${TOO_LARGE}`);
      record[field] = value;
    } else {
      record[field] = textOfCell(cell);
    }
  }
  return { line, record: record as AccountRecord, original: cells };
}

/** What needs no other names is sent as it came, to the letter; so is what is no JSON, for the server to refuse. */
export function itemOfText({ line, text }: JsonRecord, plan: ColumnPlan): Item {
  const record = parseJson(text);
  if (!isObject(record)) return { line, record: text, original: text };
  if (Object.hasOwn(record, REJECTED_BECAUSE))
    return itemOfText({ line, text: asItCame(text, record) }, plan);
  const original = text;
  const entries = Object.entries(record);
  const columns = entries.map(([name]) => plan.column(name));
  const problem = columns.find((column) => column.problem !== undefined)?.problem;
  if (problem !== undefined) return { line, record: undefined, problem, original };
  if (columns.every(({ name, field }) => name === field)) return { line, record: text, original };
  if (!isAllFinite(record)) {
    return { line, record: undefined, problem: `The record ${TOO_LARGE}`, original };
  }
  const renamed = new Map<string, Json>();
  for (const [at, { field }] of columns.entries()) {
    if (field === undefined) continue;
    if (renamed.has(field)) {
      return { line, record: undefined, problem: `The record holds ${field} under two names.`, original };
    }
    renamed.set(field, entries[at]?.[1] ?? null);
  }
  return { line, record: Object.fromEntries(renamed) as unknown as AccountRecord, original };
}

/** What was in the file before it was refused. */
function asItCame(text: string, record: JsonObject): string {
  const reasons = record[REJECTED_BECAUSE];
  if (isObject(reasons) && typeof reasons.text === 'string') return reasons.text;
  const { offset = 0, length = 0 } =
    findNodeAtLocation(parseTree(text) as Node, [REJECTED_BECAUSE])?.parent ?? {};
  // Not by writing the record anew: its numbers may have digits that do not survive it.
  const before = text.slice(0, offset);
  const after = text.slice(offset + length);
  return /^\s*,/.test(after) ? before + after.replace(/^\s*,/, '') : before.replace(/,\s*$/, '') + after;
}

export type JsonObject = { readonly [name: string]: Json };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** 1e400 is valid JSON that reads as infinity, and would be written as null. */
function isAllFinite(value: Json): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isAllFinite);
}
