import type { AccountRecord, AccountSync, ImportResult } from '@account-sync/client';
import { CommandFailed } from '../command-line.js';
import { grouped } from '../status-line.js';
import type { Item } from './items.js';
import type { Ledger } from './ledger.js';

/** So many rows that cannot be read are no accident: it is another file than it was taken for. */
const MOST_UNREADABLE = 10_000;

export interface ImportItemsOptions {
  readonly dryRun: boolean;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called when a result is in the ledger; what it gives is awaited. */
  readonly onSettled: () => Promise<void> | undefined;
}

/** Sends everything, and enters in the ledger what became of it. */
export async function importItems(
  client: AccountSync,
  batches: AsyncIterable<readonly Item[]>,
  ledger: Ledger,
  { dryRun, concurrency, signal, onSettled }: ImportItemsOptions,
): Promise<void> {
  for await (const result of results()) {
    ledger.settle(result);
    await onSettled();
  }

  /** One request is the only way to know what a record would do after those before it in the file. */
  function results(): AsyncIterable<ImportResult> {
    const records = recordsOf(batches, ledger);
    if (dryRun) return client.import(linesOf(records), { dryRun, signal });
    return client.upsertMany(records, { concurrency, signal });
  }
}

async function* recordsOf(
  batches: AsyncIterable<readonly Item[]>,
  ledger: Ledger,
): AsyncGenerator<AccountRecord | string> {
  let unreadable = 0;
  for await (const batch of batches) {
    for (const item of batch) {
      ledger.expect(item);
      unreadable = item.record === undefined ? unreadable + 1 : 0;
      if (item.record !== undefined) yield item.record;
      else if (unreadable > MOST_UNREADABLE) {
        throw new CommandFailed(
          `More than ${grouped(MOST_UNREADABLE)} rows in a row cannot be read, up to line ${grouped(item.line)}: ${item.problem} Is it the right file?`,
        );
      }
    }
  }
}

async function* linesOf(records: AsyncIterable<AccountRecord | string>): AsyncGenerator<string> {
  for await (const record of records) {
    const text = typeof record === 'string' ? record.replace(/[\r\n]+/g, ' ') : JSON.stringify(record);
    yield `${text}\n`;
  }
}
