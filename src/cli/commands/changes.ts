import type { Change, FieldChange, Json } from '@account-sync/client';
import { Command } from 'commander';
import { firstCharacters, isLongerThan } from '../../domain/text.js';
import {
  connect,
  Outages,
  readServer,
  type ServerOptions,
  withServer,
  withServerErrors,
} from '../client/connect.js';
import { CommandFailed, type OutputOptions, withJson } from '../terminal/command-line.js';
import { printable, printableLines } from '../terminal/printable.js';
import { stopSignal } from '../terminal/signals.js';
import { toStandardOutput } from '../terminal/standard-output.js';

interface ChangesOptions extends ServerOptions, OutputOptions {
  readonly after?: string;
  readonly follow?: boolean;
  readonly run?: string;
  readonly source?: string;
  readonly keyId?: string;
  readonly userId?: string;
  readonly requestId?: string;
}

export function changesCommand(): Command {
  return withServer(withJson(new Command('changes').description('print account changes, oldest first')))
    .option('--after <cursor>', 'print only changes after this cursor; latest prints only new changes')
    .option('--follow', 'keep running and print new changes as they happen')
    .option('--run <id>', 'print only changes of this run')
    .option('--source <name>', 'print only changes of this source')
    .option('--key-id <id>', 'print only changes by this key')
    .option('--user-id <id>', 'print only changes by this user')
    .option('--request-id <id>', 'print only changes of this request')
    .action(withServerErrors(printChanges));
}

async function printChanges(options: ChangesOptions): Promise<void> {
  const { after, follow = false } = options;
  const filter = sentBy(options);
  if (follow && Object.keys(filter).length > 0) {
    throw new CommandFailed(
      '--follow prints all changes: leave out --run, --source, --key-id, --user-id and --request-id.',
    );
  }
  const stop = new AbortController();
  const { signal } = stop;
  let last: string | undefined;
  const lines = async function* (changes: AsyncIterable<Change>) {
    for await (const change of changes) {
      yield `${options.json ? JSON.stringify(change) : describeChange(change)}\n`;
      // The generator resumes only after the line was printed.
      last = change.cursor;
    }
  };
  stopSignal().then(() => stop.abort());
  try {
    const client = await connect(await readServer(options), { outages: new Outages(printMessage) });
    await toStandardOutput(
      lines(client.changes({ ...(after !== undefined && { after }), ...filter, follow, signal })),
      signal,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    if (last !== undefined) printMessage(`Continue with --after ${last}.`);
  } finally {
    // Ends the request if the reader closed the pipe.
    stop.abort();
  }
}

function sentBy({ run, source, keyId, userId, requestId }: ChangesOptions) {
  return {
    ...(run !== undefined && { run }),
    ...(source !== undefined && { source }),
    ...(keyId !== undefined && { keyId }),
    ...(userId !== undefined && { userId }),
    ...(requestId !== undefined && { requestId }),
  };
}

function printMessage(line: string): void {
  process.stderr.write(`${printableLines(line)}\n`);
}

const MAX_FIELDS = 8;
const MAX_LENGTH = 40;

/** A change as one readable line. */
export function describeChange({ cursor, at, source, user, account_id, kind, changes }: Change): string {
  const fields = changes.slice(0, MAX_FIELDS).map(describeField);
  const more = changes.length - MAX_FIELDS;
  if (more > 0) fields.push(`and ${more} more`);
  // An older service sends no user.
  const sender = [source ?? '–', ...(user ? [`(${user.name ?? user.id})`] : [])].join(' ');
  const line = [cursor, at, sender, account_id, kind, fields.join(', ')].join('  ');
  return printable(line.trimEnd());
}

function describeField({ field, from, to }: FieldChange): string {
  return `${shortened(field)} ${describeValue(from)} → ${describeValue(to)}`;
}

export function describeValue(value: Json): string {
  return value === null ? '–' : shortened(JSON.stringify(value));
}

/** So that a line stays readable. */
export function shortened(text: string): string {
  return isLongerThan(text, MAX_LENGTH) ? `${firstCharacters(text, MAX_LENGTH - 1)}…` : text;
}
