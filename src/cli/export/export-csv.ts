import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Attribute } from '@account-sync/client';
import { CommandFailed } from '../terminal/command-line.js';
import { Columns } from './columns.js';
import type { ExportedRecord } from './export-records.js';

/** Without it, Excel does not recognise UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
const LINE_END = '\r\n';

/** A CSV file in pieces. Its columns are known only after the last record, so the records are spooled to disk first. */
export async function* csvOf(
  records: AsyncIterable<ExportedRecord>,
  declared: readonly Attribute[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  const directory = await mkdtemp(join(tmpdir(), 'account-sync-export-')).catch(spoolError);
  try {
    const spool = join(directory, 'accounts.ndjson');
    const columns = new Columns(declared);
    await pipeline(joinPieces(ndjsonOf(collectColumns(records, columns))), createWriteStream(spool), {
      signal,
    }).catch(spoolError);
    const { head, row } = columns.close();
    yield `${BYTE_ORDER_MARK}${head}${LINE_END}`;
    for await (const line of linesOf(createReadStream(spool, 'utf8')))
      yield `${row(JSON.parse(line))}${LINE_END}`;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function* collectColumns(
  records: AsyncIterable<ExportedRecord>,
  columns: Columns,
): AsyncGenerator<ExportedRecord> {
  for await (const record of records) {
    columns.add(record);
    yield record;
  }
}

function spoolError(error: NodeJS.ErrnoException): never {
  if (error.syscall === undefined) throw error;
  const advice = 'Set TMPDIR to a directory with space for all accounts, or export as NDJSON.';
  throw new CommandFailed(`Cannot write temporary files to ${tmpdir()}: ${error.message}. ${advice}`);
}

/** The lines of a text that arrives in pieces. `node:readline` is unusable, because it also splits at U+2028. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const MIN_PIECE_CHARACTERS = 65_536;

/** Joins pieces into larger ones, because writing and compressing have a cost per piece. */
export async function* joinPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < MIN_PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

export async function* ndjsonOf(records: AsyncIterable<ExportedRecord>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}
