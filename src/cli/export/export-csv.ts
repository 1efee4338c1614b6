import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Attribute } from '@account-sync/client';
import { CommandFailed } from '../terminal/command-line.js';
import { Columns } from './columns.js';
import type { ExportedRecord } from './export-records.js';

/** Without it Excel takes the file for one in another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';
const END = '\r\n';

/**
 * A CSV file in pieces. Its columns are known only after the last record, so the records are kept on disk until then.
 */
export async function* csvOf(
  records: AsyncIterable<ExportedRecord>,
  declared: readonly Attribute[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const directory = await mkdtemp(join(tmpdir(), 'account-sync-export-')).catch(noRoom);
  try {
    const spool = join(directory, 'accounts.ndjson');
    const columns = new Columns(declared);
    await pipeline(gathered(ndjsonOf(noted(records, columns))), createWriteStream(spool), { signal }).catch(
      noRoom,
    );
    const { head, row } = columns.close();
    yield `${BYTE_ORDER_MARK}${head}${END}`;
    for await (const line of linesOf(createReadStream(spool, 'utf8'))) yield `${row(JSON.parse(line))}${END}`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* noted(
  records: AsyncIterable<ExportedRecord>,
  columns: Columns,
): AsyncGenerator<ExportedRecord> {
  for await (const record of records) {
    columns.note(record);
    yield record;
  }
}

function noRoom(error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error;
  const advice = 'Set TMPDIR to a directory with room for all accounts, or export as NDJSON.';
  throw new CommandFailed(
    `The accounts cannot be kept in ${tmpdir()} meanwhile: ${error.message}. ${advice}`,
  );
}

/** The lines of a text that comes in pieces. Not by node:readline, which takes U+2028 inside a value for an end. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const ENOUGH = 65_536;

/** The same text in fewer, larger pieces: writing and compressing cost by the piece. */
export async function* gathered(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < ENOUGH) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

export async function* ndjsonOf(records: AsyncIterable<ExportedRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}
