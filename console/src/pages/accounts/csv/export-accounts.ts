import type { Account, AccountSelection, Json } from '@account-sync/client';
import type { Sort } from '../../../api/account-list';
import { client } from '../../../api/call';
import type { Column } from '../columns';
import { csvFile } from './csv-file';

/** The browser holds the whole file in memory. The command line has no such limit. */
export const MAX_ACCOUNTS = 100_000;
const PAGE = 1_000;
const ACCOUNTS_PER_UPDATE = 500;
/** Selected accounts are read one by one, this many at the same time. */
const PARALLEL_READS = 8;

export interface ExportRequest {
  readonly selection: AccountSelection;
  /** Of the accounts that match. */
  readonly sort: Sort | undefined;
  readonly columns: readonly Column[];
}

export interface Exported {
  readonly accounts: number;
  /** False if there are more accounts than the limit. */
  readonly isComplete: boolean;
}

/** Reads the accounts and saves them as a file. */
export async function exportAccounts(
  { selection, sort, columns }: ExportRequest,
  signal: AbortSignal,
  onProgress: (accounts: number) => void,
): Promise<Exported> {
  const rows: Json[][] = [];
  let isComplete = true;
  const accounts =
    'ids' in selection
      ? accountsWithIds(selection.ids, signal)
      : client.list({ ...selection.matching, ...(sort && { sort }), limit: PAGE }, { signal });
  for await (const account of accounts) {
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

/** Skips accounts that do not exist any more. */
async function* accountsWithIds(ids: readonly string[], signal: AbortSignal): AsyncGenerator<Account> {
  for (let start = 0; start < ids.length; start += PARALLEL_READS) {
    const some = ids.slice(start, start + PARALLEL_READS).map((id) => client.get(id, { signal }));
    for (const account of await Promise.all(some)) if (account !== undefined) yield account;
  }
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
