import { textOfCell } from '../../formats/csv-cells.js';
import { BrokenCsv, type BrokenRow, CsvReader, type CsvRow } from '../../formats/csv-reader.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { Column, ColumnPlan } from './column-plan.js';
import type { Conversions, FileScan } from './file-scan.js';
import type { EmptyCells } from './import-options.js';
import {
  countReasonColumns,
  type ImportItem,
  itemOfRow,
  itemOfText,
  REASON_NAMES,
  recordOf,
} from './items.js';
import { isObject, textOfMember } from './json.js';
import { type JsonRecord, jsonRecords, ndjsonRecords } from './json-records.js';
import type { ImportFile } from './open-import-file.js';
import type { ReadOriginal } from './rejection-reasons.js';

/** Of a CSV file of rejected rows; they are not part of its mapping. */
export const REASON_COLUMNS: readonly Column[] = REASON_NAMES.map((name) => ({
  name,
  field: undefined,
  type: '',
  reason: 'from a file of rejected rows',
  isJson: false,
}));

/** The rows of a file whose columns are known. They can be read several times, but not at the same time. */
export interface ImportRows {
  /** The first row of a CSV file; empty for JSON. */
  readonly header: readonly string[];
  readonly columns: readonly Column[];
  /** Whether the file has the rejected rows of another. */
  readonly isOfRejectedRows: boolean;
  /** Shows all values to the scan. Pauses after each piece of the file. */
  scan(scan: FileScan): AsyncGenerator<void, void>;
  /** The rows as records to send. */
  batches(conversions: Conversions): AsyncGenerator<readonly ImportItem[], void>;
  /** The value of a field as the row has it. */
  readonly original: ReadOriginal;
}

export function openRows(
  importFile: ImportFile,
  plan: ColumnPlan,
  emptyCells: EmptyCells,
): Promise<ImportRows> {
  return importFile.format === 'csv' ? openCsv(importFile, plan, emptyCells) : openJson(importFile, plan);
}

async function openCsv(
  importFile: ImportFile,
  plan: ColumnPlan,
  emptyCells: EmptyCells,
): Promise<ImportRows> {
  const [head] = await firstBatch(csvRows(importFile), importFile);
  if (head === undefined || 'problem' in head)
    throw new CommandFailed(`${importFile.name}, line ${head?.line}: ${head?.problem}`);
  const header = head.cells;
  const reasons = countReasonColumns(header);
  const columns = [
    ...REASON_COLUMNS.slice(0, reasons),
    ...plan.addAll(header.slice(reasons).map(textOfCell)),
  ];
  return {
    header,
    columns,
    isOfRejectedRows: reasons > 0,
    async *scan(scan) {
      const watched = columns.flatMap((column, at) => {
        const collector = scan.collector(column);
        return collector === undefined ? [] : [{ at, collector }];
      });
      for await (const rows of withoutHeader(csvRows(importFile))) {
        scan.records += rows.length;
        for (const row of rows) {
          if ('problem' in row || row.cells.length !== columns.length) continue;
          for (const { at, collector } of watched) {
            const cell = row.cells[at] as string;
            if (cell !== '') collector.add(textOfCell(cell), row.line);
          }
        }
        yield;
      }
    },
    async *batches(conversions) {
      const toItem = itemOfRow(columns, emptyCells, conversions);
      for await (const rows of withoutHeader(csvRows(importFile))) yield rows.map(toItem);
    },
    original: ({ original }, field) => {
      if (typeof original === 'string') return undefined;
      const cell = original[columns.findIndex((column) => column.field === field)];
      // As it is compared with the values of --convert.
      return cell === undefined ? undefined : textOfCell(cell);
    },
  };
}

/** The first records determine the shown columns; names that appear later are mapped when they appear. */
async function openJson(importFile: ImportFile, plan: ColumnPlan): Promise<ImportRows> {
  const read = importFile.format === 'json' ? jsonRecords : ndjsonRecords;
  const first = await firstBatch(read(importFile.text()), importFile);
  const records = first.map(recordOf);
  const objects = records.map(({ record }) => record).filter(isObject);
  const columns = plan.addAll([...new Set(objects.flatMap((record) => Object.keys(record)))]);
  return {
    header: [],
    columns,
    isOfRejectedRows: records.some(({ text }, at) => text !== first[at]?.text),
    async *scan(scan) {
      for await (const records of read(importFile.text())) {
        scan.records += records.length;
        for (const row of records) scanRecord(row, plan, scan);
        yield;
      }
    },
    async *batches(conversions) {
      for await (const records of read(importFile.text())) {
        yield records.map((record) => itemOfText(record, plan, conversions));
      }
    },
    original: ({ original }, field) =>
      textOfMember(original as string, (name) => plan.column(name).field === field),
  };
}

function scanRecord(row: JsonRecord, plan: ColumnPlan, scan: FileScan): void {
  const { record } = recordOf(row);
  if (!isObject(record)) return;
  for (const [name, value] of Object.entries(record)) {
    const collector = scan.collector(plan.column(name));
    if (value !== null) collector?.add(value, row.line);
  }
}

async function firstBatch<Row>(
  batches: AsyncGenerator<readonly Row[], void>,
  { name }: ImportFile,
): Promise<readonly Row[]> {
  for await (const rows of batches) if (rows.length > 0) return rows;
  throw new CommandFailed(`${name} contains no records.`);
}

async function* withoutHeader<Row>(
  batches: AsyncGenerator<readonly Row[], void>,
): AsyncGenerator<readonly Row[], void> {
  let isFirst = true;
  for await (const rows of batches) {
    yield isFirst ? rows.slice(1) : rows;
    isFirst = false;
  }
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
    for await (const piece of text()) {
      const rows = reader.push(piece);
      if (rows.length > 0) yield rows;
    }
    const last = reader.end();
    if (last.length > 0) yield last;
  } catch (error) {
    throw error instanceof BrokenCsv ? new CommandFailed(error.message) : error;
  }
}
