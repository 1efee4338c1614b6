import type { AccountRecord, AccountSync } from '@account-sync/client';
import { grouped } from '../../domain/text.js';
import { CommandFailed } from '../terminal/command-line.js';
import { continued } from './input.js';
import type { Item } from './items.js';
import type { ResultTracker } from './result-tracker.js';

/** So many rows that cannot be read are no accident: it is another file than it was taken for. */
const MOST_UNREADABLE = 10_000;

export interface ImportItemsOptions {
  readonly dryRun: boolean;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called when results are in the tracker. */
  readonly onSettled: () => Promise<void>;
}

/** Sends everything, a batch a request, and enters in the tracker what became of it. */
export async function sendItems(
  client: AccountSync,
  batches: AsyncIterable<readonly Item[]>,
  tracker: ResultTracker,
  { dryRun, concurrency, signal, onSettled }: ImportItemsOptions,
): Promise<void> {
  const chunks = chunksOf(batches, tracker);
  if (!dryRun) {
    for await (const results of client.upsertChunks(chunks, { concurrency, signal })) {
      for (const result of results) tracker.settle(result);
      await onSettled();
    }
    return;
  }
  const lines = linesOf(chunks);
  const { value: first, done } = await lines.next();
  // Where no row can be sent, there is nothing to ask: a request without records would be refused.
  if (done) return;
  // One request is the only way to know what a record would do after those before it in the file.
  for await (const result of client.import(continued(first, lines), { dryRun, signal })) {
    tracker.settle(result);
    await onSettled();
  }
}

type Records = (AccountRecord | string)[];

async function* chunksOf(
  batches: AsyncIterable<readonly Item[]>,
  tracker: ResultTracker,
): AsyncGenerator<Records> {
  let unreadable = 0;
  for await (const batch of batches) {
    const records: Records = [];
    for (const item of batch) {
      tracker.expect(item);
      unreadable = item.record === undefined ? unreadable + 1 : 0;
      if (unreadable > MOST_UNREADABLE) throw tooManyUnreadable(item);
      if (item.record !== undefined) records.push(item.record);
    }
    yield records;
  }
}

function tooManyUnreadable({ line, problem }: Item): CommandFailed {
  return new CommandFailed(
    `More than ${grouped(MOST_UNREADABLE)} rows in a row cannot be read, up to line ${grouped(line)}: ${problem} ` +
      'Is it the right file?',
  );
}

async function* linesOf(chunks: AsyncIterable<Records>): AsyncGenerator<string> {
  for await (const records of chunks) if (records.length > 0) yield records.map(lineOf).join('');
}

function lineOf(record: AccountRecord | string): string {
  return `${typeof record === 'string' ? record : JSON.stringify(record)}\n`;
}
