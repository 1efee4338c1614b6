import { CommandFailed } from '../command-line.js';
import { BrokenCsv, type BrokenRow, CsvReader, type CsvRow } from '../csv/csv-reader.js';
import type { Source } from './open-source.js';

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
