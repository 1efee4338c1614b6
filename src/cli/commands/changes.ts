import type { Change, FieldChange, Json } from '@account-sync/client';
import { Command } from 'commander';
import { firstCharacters, isLongerThan } from '../../domain/text.js';
import { connect, Outages, readServer, type ServerOptions, speaking, withServer } from '../client/connect.js';
import { type OutputOptions, withJson } from '../terminal/command-line.js';
import { printable, printableLines } from '../terminal/printable.js';
import { stopSignal } from '../terminal/signals.js';
import { toStandardOutput } from '../terminal/standard-output.js';

interface ChangesOptions extends ServerOptions, OutputOptions {
  readonly after?: string;
  readonly follow?: boolean;
}

export function changesCommand(): Command {
  return withServer(
    withJson(new Command('changes').description('print the changes of accounts, the oldest first')),
  )
    .option('--after <cursor>', 'only those after this one; latest for what comes from now on')
    .option('--follow', 'stay, and print what is to come')
    .action(speaking(printChanges));
}

async function printChanges(options: ChangesOptions): Promise<void> {
  const { after, follow = false } = options;
  const stop = new AbortController();
  const { signal } = stop;
  let last: string | undefined;
  const lines = async function* (changes: AsyncIterable<Change>) {
    for await (const change of changes) {
      yield `${options.json ? JSON.stringify(change) : describeChange(change)}\n`;
      // Only now it has been printed.
      last = change.cursor;
    }
  };
  stopSignal().then(() => stop.abort());
  try {
    const client = await connect(await readServer(options), { outages: new Outages(say) });
    await toStandardOutput(
      lines(client.changes({ ...(after !== undefined && { after }), follow, signal })),
      signal,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    if (last !== undefined) say(`Go on with --after ${last}.`);
  } finally {
    // A reader that left is told nothing more.
    stop.abort();
  }
}

function say(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

const MAX_FIELDS = 8;
const MAX_LENGTH = 40;

/** A change in one line, for people. */
export function describeChange({ cursor, at, account_id, kind, changes }: Change): string {
  const fields = changes.slice(0, MAX_FIELDS).map(describeField);
  const more = changes.length - MAX_FIELDS;
  if (more > 0) fields.push(`and ${more} more`);
  const line = [cursor, at, account_id, kind, fields.join(', ')].join('  ');
  return printable(line.trimEnd());
}

function describeField({ field, from, to }: FieldChange): string {
  return `${shortened(field)} ${describeValue(from)} → ${describeValue(to)}`;
}

function describeValue(value: Json): string {
  return value === null ? '–' : shortened(JSON.stringify(value));
}

function shortened(text: string): string {
  return isLongerThan(text, MAX_LENGTH) ? `${firstCharacters(text, MAX_LENGTH - 1)}…` : text;
}
