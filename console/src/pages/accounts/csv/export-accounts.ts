import type { Json } from '@account-sync/client';
import { type AccountFilter, parametersOf, type Sort } from '../../../api/account-list';
import { client } from '../../../api/call';
import type { Column } from '../columns';
import { csvFile } from './csv-file';

/** A browser keeps the whole file in memory; the command line has no such bound. */
export const MAX_ACCOUNTS = 100_000;
const PAGE = 1_000;
const ACCOUNTS_PER_NOTICE = 500;

export interface ExportRequest {
  readonly filter: AccountFilter;
  readonly sort: Sort | undefined;
  readonly columns: readonly Column[];
}

export interface Exported {
  readonly accounts: number;
  /** Otherwise there are more than fit. */
  readonly isWhole: boolean;
}

/** Reads all that match, page by page, and saves them as a file. */
export async function exportAccounts(
  { filter, sort, columns }: ExportRequest,
  signal: AbortSignal,
  onProgress: (accounts: number) => void,
): Promise<Exported> {
  const rows: Json[][] = [];
  const list = { ...parametersOf(filter, Date.now()), ...(sort && { sort }), limit: PAGE };
  let isWhole = true;
  for await (const account of client.list(list, { signal })) {
    if (rows.length === MAX_ACCOUNTS) {
      isWhole = false;
      break;
    }
    rows.push(columns.map((column) => column.valueOf(account)));
    if (rows.length % ACCOUNTS_PER_NOTICE === 0) onProgress(rows.length);
  }
  save(csvFile(columns, rows));
  return { accounts: rows.length, isWhole };
}

function save(pieces: string[]): void {
  const url = URL.createObjectURL(new Blob(pieces, { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `accounts-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  // Not at once: some browsers begin to read it later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
