import { parseJson } from './connection.js';
import { UnavailableError, UnexpectedAnswerError } from './errors.js';
import type { ImportResult, ImportSummary, WriteMode } from './wire.js';

export const IMPORT_PATH = 'api/v2/accounts/import';
export const NDJSON = 'application/x-ndjson';

/** A line of the response: the result of a record or, as the last line, the summary. */
export type ImportLine = ImportResult | { readonly summary: ImportSummary };

export interface ImportQuery {
  readonly dryRun: boolean;
  /** Default: the mode of the run. */
  readonly mode?: WriteMode | undefined;
}

export function importQuery({ dryRun, mode }: ImportQuery) {
  return { dry_run: dryRun ? true : undefined, mode };
}

const STATUSES: readonly unknown[] = ['created', 'updated', 'unchanged', 'skipped', 'failed'];

export function parseImportLine(text: string): ImportLine {
  const line = parseJson(text, `POST /${IMPORT_PATH}`);
  if (line?.summary !== undefined || STATUSES.includes(line?.status)) return line;
  throw new UnexpectedAnswerError(`The import returned a line of an unknown form: ${text.slice(0, 200)}`);
}

/** The summary in the last line. A response without a summary is incomplete. */
export function summaryOf(line: ImportLine | undefined): ImportSummary {
  if (line !== undefined && 'summary' in line) return line.summary;
  throw new UnavailableError('The import response ended before its summary.');
}
