import type { Change } from '@account-sync/client';
import { Command } from 'commander';
import { type OutputOptions, withJson } from './command-line.js';
import { connect, readServer, type ServerOptions, speaking, withServer } from './connect.js';
import { describeChange } from './describe-change.js';
import { Outages } from './outages.js';
import { printableLines } from './printable.js';
import { toStandardOutput } from './standard-output.js';
import { stopSignal } from './stop-signal.js';

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
