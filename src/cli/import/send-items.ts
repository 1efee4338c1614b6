import type { AccountRecord, AccountSync, WriteMode } from '@account-sync/client';
import { grouped } from '../../domain/text.js';
import { CommandFailed } from '../terminal/command-line.js';
import { prepend } from './input.js';
import type { ImportItem } from './items.js';
import type { ResultTracker } from './result-tracker.js';

/** More consecutive unreadable rows mean that the file is not what the user assumes. */
const MAX_UNREADABLE = 10_000;

interface SendOptions {
  readonly dryRun: boolean;
  readonly mode?: WriteMode | undefined;
  /** The run to which the records belong; none for a dry run. */
  readonly run: string | undefined;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Called after results were added to the tracker. */
  readonly onSettled: () => Promise<void>;
}

/** Sends all batches, one request each, and records the results in the tracker. A dry run sends a single request. */
export async function sendItems(
  client: AccountSync,
  batches: AsyncIterable<readonly ImportItem[]>,
  tracker: ResultTracker,
  { dryRun, mode, run, concurrency, signal, onSettled }: SendOptions,
): Promise<void> {
  const chunks = chunksOf(batches, tracker);
  if (!dryRun) {
    for await (const results of client.upsertChunks(chunks, {
      concurrency,
      signal,
      ...(run !== undefined && { run }),
    })) {
      for (const result of results) tracker.settle(result);
      await onSettled();
    }
    return;
  }
  const lines = linesOf(chunks);
  const { value: first, done } = await lines.next();
  // The server rejects a request without records, so none is sent if no row can be sent.
  if (done) return;
  // A single request, because the result of a record depends on the earlier records of the file.
  for await (const result of client.import(prepend(first, lines), {
    dryRun,
    ...(mode !== undefined && { mode }),
    signal,
  })) {
    tracker.settle(result);
    await onSettled();
  }
}

type Records = (AccountRecord | string)[];

async function* chunksOf(
  batches: AsyncIterable<readonly ImportItem[]>,
  tracker: ResultTracker,
): AsyncGenerator<Records> {
  let unreadable = 0;
  for await (const batch of batches) {
    const records: Records = [];
    for (const item of batch) {
      tracker.expect(item);
      unreadable = item.record === undefined ? unreadable + 1 : 0;
      if (unreadable > MAX_UNREADABLE) throw tooManyUnreadable(item);
      if (item.record !== undefined) records.push(item.record);
    }
    yield records;
  }
}

function tooManyUnreadable({ line, problem }: ImportItem): CommandFailed {
  return new CommandFailed(
    `More than ${grouped(MAX_UNREADABLE)} consecutive rows cannot be read, up to line ${grouped(line)}: ${problem} ` +
      'Is this the right file?',
  );
}

async function* linesOf(chunks: AsyncIterable<Records>): AsyncGenerator<string> {
  for await (const records of chunks) if (records.length > 0) yield records.map(lineOf).join('');
}

function lineOf(record: AccountRecord | string): string {
  return `${typeof record === 'string' ? record : JSON.stringify(record)}\n`;
}
