import { parseJson } from './connection.js';
import { UnavailableError, UnexpectedAnswerError } from './errors.js';
import type { ImportResult, ImportSummary } from './wire.js';

export const IMPORT_PATH = 'api/v2/accounts/import';
export const NDJSON = 'application/x-ndjson';

/** A line of the answer: a record's result, or at the end the summary. */
export type ImportLine = ImportResult | { readonly summary: ImportSummary };

const STATUSES: readonly unknown[] = ['created', 'updated', 'unchanged', 'failed'];

export function parseImportLine(text: string): ImportLine {
  const line = parseJson(text, `POST /${IMPORT_PATH}`);
  if (line?.summary !== undefined || STATUSES.includes(line?.status)) return line;
  throw new UnexpectedAnswerError(`A record was answered in a form that is not known: ${text.slice(0, 200)}`);
}

/** What the last line has to be: an answer without it was cut off. */
export function summaryOf(line: ImportLine | undefined): ImportSummary {
  if (line !== undefined && 'summary' in line) return line.summary;
  throw new UnavailableError('The answer to the import was cut off before its summary.');
}
