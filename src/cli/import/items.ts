import type { AccountRecord } from '@account-sync/client';
import { textOfCell } from '../../formats/csv-cells.js';
import type { BrokenRow, CsvRow } from '../../formats/csv-reader.js';
import type { Column, ColumnPlan } from './column-plan.js';
import type { Conversion } from './conversion/conversion.js';
import type { Conversions } from './file-scan.js';
import type { EmptyCells } from './import-options.js';
import { isObject, type Json, type JsonObject, parseJson, serialisationFault } from './json.js';
import type { JsonRecord } from './json-records.js';

export const REJECTED_BECAUSE = 'rejected_because';

/** The columns that a CSV file of rejected rows has before the original ones; an import skips them. */
export const REASON_NAMES = ['rejected_line', 'rejected_id', REJECTED_BECAUSE];

/** The number of leading reason columns. Elsewhere in the header, these names are ordinary fields. */
export function countReasonColumns(header: readonly string[]): number {
  return REASON_NAMES.every((name, at) => header[at] === name) ? REASON_NAMES.length : 0;
}

/** The original text of a record from a file of rejected rows, byte for byte if the record was not edited since. */
function withoutReasons(text: string, record: JsonObject): string {
  const { [REJECTED_BECAUSE]: reasons, ...rest } = record;
  if (!isReasons(reasons)) return text;
  const others = Object.keys(rest).length;
  if (typeof reasons.text === 'string' && others === 0) return reasons.text;
  const member = `{${JSON.stringify(REJECTED_BECAUSE)}:${JSON.stringify(reasons)}`;
  if (text.startsWith(member) && others > 0) return `{${text.slice(member.length).replace(/^\s*,/, '')}`;
  return serialisationFault(rest) === undefined ? JSON.stringify(rest) : text;
}

function isReasons(value: Json | undefined): value is JsonObject {
  return isObject(value) && typeof value.line === 'number' && Array.isArray(value.messages);
}

/** One row or record of the file: what is sent for it, and its original. */
export interface ImportItem {
  readonly line: number;
  /** Text without line ends, or an object. `undefined` if it cannot be sent; `problem` then gives the reason. */
  readonly record: AccountRecord | string | undefined;
  readonly problem?: string;
  /** The cells, or the text, as in the file. */
  readonly original: readonly string[] | string;
}

/** Turns rows of these columns into records. */
export function itemOfRow(
  columns: readonly Column[],
  emptyCells: EmptyCells,
  conversions: Conversions,
): (row: CsvRow | BrokenRow) => ImportItem {
  const conversionOf = columns.map(({ field }) => conversions.get(field ?? '')?.conversion);
  const fields = columns.map(({ field }) => sentField(field, conversions));
  return (row) => {
    const { line } = row;
    if ('problem' in row) return { line, record: undefined, problem: row.problem, original: row.text };
    const { cells } = row;
    const reject = (problem: string) => ({ line, record: undefined, problem, original: cells });
    if (cells.length !== columns.length) {
      return reject(`The row has ${cells.length} cells, the header ${columns.length}.`);
    }
    const record: Record<string, unknown> = {};
    for (let at = 0; at < columns.length; at += 1) {
      const { isJson, name } = columns[at] as Column;
      const field = fields[at];
      const cell = cells[at] as string;
      if (field === undefined) {
        if (name.trim() === '' && cell !== '')
          return reject(`Cell ${at + 1} has a value, but its column has no name.`);
      } else if (cell === '') {
        if (emptyCells === 'clear') record[field] = null;
      } else if (isJson) {
        const value = parseJson(cell);
        if (value === undefined) return reject(`The cell of ${name} is not valid JSON.`);
        const fault = serialisationFault(value);
        if (fault !== undefined) return reject(`The cell of ${name} ${fault}`);
        record[field] = value;
      } else {
        const text = textOfCell(cell);
        const conversion = conversionOf[at];
        const value = conversion === undefined ? text : conversion.apply(text);
        if (value !== null || emptyCells === 'clear') record[field] = value;
      }
    }
    return { line, record: record as AccountRecord, original: cells };
  };
}

/**
 * A record whose names and values stay the same is sent unchanged, byte for byte. Invalid JSON is sent too, so that the
 * server rejects it; only invalid JSON with line ends is rejected here, because it would become several lines.
 */
export function itemOfText(row: JsonRecord, plan: ColumnPlan, conversions: Conversions): ImportItem {
  const { line, text: original, record } = recordOf(row);
  const reject = (problem: string) => ({ line, record: undefined, problem, original });
  if (record === undefined && /[\r\n]/.test(original)) return reject('The record is not valid JSON.');
  const text = original.replace(/[\r\n]+/g, ' ');
  if (!isObject(record)) return { line, record: text, original };
  const sent = new Map<string, Json>();
  let isSame = true;
  for (const [name, value] of Object.entries(record)) {
    const column = plan.column(name);
    if (column.problem !== undefined) return reject(column.problem);
    const field = sentField(column.field, conversions);
    const converted = convert(value, conversions.get(field ?? '')?.conversion);
    isSame &&= name === field && converted === value;
    if (field === undefined) continue;
    if (sent.has(field)) return reject(`The record contains ${field} under two names.`);
    sent.set(field, converted);
  }
  if (isSame) return { line, record: text, original };
  const fault = serialisationFault(record);
  if (fault !== undefined) return reject(`The record ${fault}`);
  return { line, record: Object.fromEntries(sent) as unknown as AccountRecord, original };
}

/** A new column without values is not declared, and a server may accept declared fields only. */
function sentField(field: string | undefined, conversions: Conversions): string | undefined {
  return conversions.get(field ?? '')?.isUnsent ? undefined : field;
}

/** Only texts are converted: other JSON values say themselves what they are. */
function convert(value: Json, conversion: Conversion | undefined): Json {
  return typeof value === 'string' && conversion !== undefined ? conversion.apply(value) : value;
}

/** The record in the file, without the reasons of an earlier rejection. */
export function recordOf({ line, text }: JsonRecord): JsonRecord & { readonly record: Json | undefined } {
  const record = parseJson(text);
  const original = isObject(record) ? withoutReasons(text, record) : text;
  return { line, text: original, record: original === text ? record : parseJson(original) };
}
