import { textOfCell } from '../../formats/csv-cells.js';
import { BrokenCsv, type BrokenRow, CsvReader, type CsvRow } from '../../formats/csv-reader.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { Column, ColumnPlan } from './column-plan.js';
import { type EmptyCells, type Item, itemOfRow, itemOfText, REASONS, reasonsIn, recordOf } from './items.js';
import { isObject } from './json.js';
import { type JsonRecord, jsonRecords, ndjsonRecords } from './json-records.js';
import type { Source } from './open-import-file.js';

const REASON_COLUMNS: readonly Column[] = REASONS.map((name) => ({
  name,
  field: undefined,
  type: '',
  reason: 'of a file of refused rows',
  isJson: false,
}));

/** A source as items, once its beginning has told the columns. */
export interface Items {
  /** The first row of a CSV, as it stands there. */
  readonly header: readonly string[];
  readonly columns: readonly Column[];
  batches(): AsyncGenerator<readonly Item[]>;
}

export function readItems(source: Source, plan: ColumnPlan, emptyCells: EmptyCells): Promise<Items> {
  return source.format === 'csv' ? csvItems(source, plan, emptyCells) : jsonItems(source, plan);
}

async function csvItems(source: Source, plan: ColumnPlan, emptyCells: EmptyCells): Promise<Items> {
  const rows = csvRows(source);
  const [head, ...first] = await firstOf<CsvRow | BrokenRow>(rows, source);
  if (head === undefined || 'problem' in head)
    throw new CommandFailed(`${source.name}, line ${head?.line}: ${head?.problem}`);
  const reasons = reasonsIn(head.cells);
  const columns = [
    ...REASON_COLUMNS.slice(0, reasons),
    ...plan.addAll(head.cells.slice(reasons).map(textOfCell)),
  ];
  const toItem = (row: CsvRow | BrokenRow) => itemOfRow(row, columns, emptyCells);
  return { header: head.cells, columns, batches: () => inBatches(first, rows, toItem) };
}

/** Names that come up later are looked up then; the first records tell what to expect. */
async function jsonItems(source: Source, plan: ColumnPlan): Promise<Items> {
  const records = (source.format === 'json' ? jsonRecords : ndjsonRecords)(source.text);
  const first = await firstOf(records, source);
  const objects = first.map((row) => recordOf(row).record).filter(isObject);
  const names = [...new Set(objects.flatMap((record) => Object.keys(record)))];
  const columns = plan.addAll(names);
  const toItem = (record: JsonRecord) => itemOfText(record, plan);
  return { header: [], columns, batches: () => inBatches(first, records, toItem) };
}

async function firstOf<Row>(
  batches: AsyncGenerator<readonly Row[]>,
  { name }: Source,
): Promise<readonly Row[]> {
  for (;;) {
    const { done, value } = await batches.next();
    if (done) throw new CommandFailed(`${name} holds no records.`);
    if (value.length > 0) return value;
  }
}

async function* inBatches<Row>(
  first: readonly Row[],
  rest: AsyncGenerator<readonly Row[]>,
  toItem: (row: Row) => Item,
): AsyncGenerator<readonly Item[]> {
  yield first.map(toItem);
  for await (const rows of rest) yield rows.map(toItem);
}

/** The rows of CSV, as many at a time as come together. */
export async function* csvRows({
  text,
  delimiter,
  firstLine,
}: Pick<Source, 'text' | 'delimiter' | 'firstLine'>): AsyncGenerator<readonly (CsvRow | BrokenRow)[], void> {
  const reader = new CsvReader(delimiter, undefined, firstLine);
  try {
    for await (const piece of text) {
      const rows = reader.push(piece);
      if (rows.length > 0) yield rows;
    }
    const last = reader.end();
    if (last.length > 0) yield last;
  } catch (error) {
    throw error instanceof BrokenCsv ? new CommandFailed(error.message) : error;
  }
}
