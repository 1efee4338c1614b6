import { parseJson } from './connection.js';
import { UnavailableError } from './errors.js';
import type { ImportResult, ImportSummary } from './wire.js';

export const IMPORT_PATH = 'api/v2/accounts/import';
export const NDJSON = 'application/x-ndjson';

/** A line of the answer: a record's result, or at the end the summary. */
export type ImportLine = ImportResult | { readonly summary: ImportSummary };

export function parseImportLine(text: string): ImportLine {
  return parseJson(text, `POST /${IMPORT_PATH}`);
}

/** What the last line has to be: an answer without it was cut off. */
export function summaryOf(line: ImportLine | undefined): ImportSummary {
  if (line !== undefined && 'summary' in line) return line.summary;
  throw new UnavailableError('The answer to the import was cut off before its summary.');
}
