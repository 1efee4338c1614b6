import type { Json } from '@account-sync/client';
import { type AccountFilter, parametersOf, type Sort } from '../../../api/account-list';
import { client } from '../../../api/call';
import type { Column } from '../columns';
import { csvFile } from './csv-file';

/** The browser holds the whole file in memory. The command line has no such limit. */
export const MAX_ACCOUNTS = 100_000;
const PAGE = 1_000;
const ACCOUNTS_PER_UPDATE = 500;

export interface ExportRequest {
  readonly filter: AccountFilter;
  readonly sort: Sort | undefined;
  readonly columns: readonly Column[];
}

export interface Exported {
  readonly accounts: number;
  /** False if there are more accounts than the limit. */
  readonly isComplete: boolean;
}

/** Reads all matching accounts page by page and saves them as a file. */
export async function exportAccounts(
  { filter, sort, columns }: ExportRequest,
  signal: AbortSignal,
  onProgress: (accounts: number) => void,
): Promise<Exported> {
  const rows: Json[][] = [];
  const list = { ...parametersOf(filter, Date.now()), ...(sort && { sort }), limit: PAGE };
  let isComplete = true;
  for await (const account of client.list(list, { signal })) {
    if (rows.length === MAX_ACCOUNTS) {
      isComplete = false;
      break;
    }
    rows.push(columns.map((column) => column.valueOf(account)));
    if (rows.length % ACCOUNTS_PER_UPDATE === 0) onProgress(rows.length);
  }
  save(csvFile(columns, rows));
  return { accounts: rows.length, isComplete };
}

function save(pieces: string[]): void {
  const url = URL.createObjectURL(new Blob(pieces, { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `accounts-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  // Delayed, because some browsers start to read the file later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
