import { textOfCell } from '../../formats/csv-cells.js';
import { BrokenCsv, type BrokenRow, CsvReader, type CsvRow } from '../../formats/csv-reader.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { Column, ColumnPlan } from './column-plan.js';
import {
  countReasonColumns,
  type EmptyCells,
  type ImportItem,
  itemOfRow,
  itemOfText,
  REASON_NAMES,
  recordOf,
} from './items.js';
import { isObject } from './json.js';
import { type JsonRecord, jsonRecords, ndjsonRecords } from './json-records.js';
import type { ImportFile } from './open-import-file.js';

const REASON_COLUMNS: readonly Column[] = REASON_NAMES.map((name) => ({
  name,
  field: undefined,
  type: '',
  reason: 'from a file of rejected rows',
  isJson: false,
}));

/** The items of a file, once its first rows have determined the columns. */
export interface ImportItems {
  /** The first row of a CSV file; empty for JSON. */
  readonly header: readonly string[];
  readonly columns: readonly Column[];
  batches(): AsyncGenerator<readonly ImportItem[]>;
}

export function readItems(
  importFile: ImportFile,
  plan: ColumnPlan,
  emptyCells: EmptyCells,
): Promise<ImportItems> {
  return importFile.format === 'csv' ? csvItems(importFile, plan, emptyCells) : jsonItems(importFile, plan);
}

async function csvItems(
  importFile: ImportFile,
  plan: ColumnPlan,
  emptyCells: EmptyCells,
): Promise<ImportItems> {
  const rows = csvRows(importFile);
  const [head, ...first] = await firstBatch<CsvRow | BrokenRow>(rows, importFile);
  if (head === undefined || 'problem' in head)
    throw new CommandFailed(`${importFile.name}, line ${head?.line}: ${head?.problem}`);
  const reasons = countReasonColumns(head.cells);
  const columns = [
    ...REASON_COLUMNS.slice(0, reasons),
    ...plan.addAll(head.cells.slice(reasons).map(textOfCell)),
  ];
  const toItem = (row: CsvRow | BrokenRow) => itemOfRow(row, columns, emptyCells);
  return { header: head.cells, columns, batches: () => toBatches(first, rows, toItem) };
}

/** The first records determine the shown columns; names that appear later are mapped when they appear. */
async function jsonItems(importFile: ImportFile, plan: ColumnPlan): Promise<ImportItems> {
  const records = (importFile.format === 'json' ? jsonRecords : ndjsonRecords)(importFile.text);
  const first = await firstBatch(records, importFile);
  const objects = first.map((row) => recordOf(row).record).filter(isObject);
  const names = [...new Set(objects.flatMap((record) => Object.keys(record)))];
  const columns = plan.addAll(names);
  const toItem = (record: JsonRecord) => itemOfText(record, plan);
  return { header: [], columns, batches: () => toBatches(first, records, toItem) };
}

async function firstBatch<Row>(
  batches: AsyncGenerator<readonly Row[]>,
  { name }: ImportFile,
): Promise<readonly Row[]> {
  for (;;) {
    const { done, value } = await batches.next();
    if (done) throw new CommandFailed(`${name} contains no records.`);
    if (value.length > 0) return value;
  }
}

async function* toBatches<Row>(
  first: readonly Row[],
  rest: AsyncGenerator<readonly Row[]>,
  toItem: (row: Row) => ImportItem,
): AsyncGenerator<readonly ImportItem[]> {
  yield first.map(toItem);
  for await (const rows of rest) yield rows.map(toItem);
}

/** The rows of a CSV file, in one array for each piece of text. */
export async function* csvRows({
  text,
  delimiter,
  firstLine,
}: Pick<ImportFile, 'text' | 'delimiter' | 'firstLine'>): AsyncGenerator<
  readonly (CsvRow | BrokenRow)[],
  void
> {
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
