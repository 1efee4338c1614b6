import type { ListFilter } from '@account-sync/client';
import { Command, Option } from 'commander';
import { connect, Outages, readServer, type ServerOptions, speaking, withServer } from '../client/connect.js';
import { csvOf, gathered, ndjsonOf } from '../export/export-csv.js';
import { FORMATS, type Format, formatOf, writeWhole } from '../export/export-file.js';
import { Count } from '../export/export-records.js';
import { readFilter } from '../export/read-filter.js';
import { CommandFailed, type OutputOptions, print, withJson } from '../terminal/command-line.js';
import { stopSignal } from '../terminal/signals.js';
import { toStandardOutput } from '../terminal/standard-output.js';
import { StatusLine } from '../terminal/status-line.js';

interface ExportOptions extends ServerOptions, OutputOptions {
  readonly format?: Format;
  readonly out?: string;
  readonly filter?: ListFilter;
  readonly quiet?: boolean;
}

/** The most that the server gives. */
const PAGE = 1_000;

export function exportCommand(): Command {
  return withServer(withJson(new Command('export').description('write all accounts of a server into a file')))
    .addOption(new Option('--format <format>', 'else by the name of the file, else CSV').choices(FORMATS))
    .option('--out <file>', 'else standard output; compressed where it ends in .gz')
    .option(
      '--filter <name=value>',
      'only these: id_prefix, name_prefix, parent, attribute=<name>:<value> or updated_since',
      readFilter,
    )
    .option('--quiet', 'tell of failures only')
    .action(speaking(exportAccounts));
}

async function exportAccounts(options: ExportOptions): Promise<void> {
  const { out, quiet = false } = options;
  if (options.json && out === undefined) {
    throw new CommandFailed('--json needs --out: standard output is the export itself.');
  }
  const line = new StatusLine({ isQuiet: quiet });
  const stop = new AbortController();
  const outcome = out === undefined ? 'the export is not whole' : `nothing was written to ${out}`;
  stopSignal().then((name) => stop.abort(new CommandFailed(`Ended by ${name}: ${outcome}.`)));
  try {
    await exportThrough(line, options, stop.signal);
  } finally {
    line.clear();
    // What is still being read is wanted no more.
    stop.abort();
  }
}

async function exportThrough(line: StatusLine, options: ExportOptions, signal: AbortSignal): Promise<void> {
  const { out, filter, format = formatOf(out ?? '') } = options;
  const outages = new Outages((said) => line.say(said));
  const client = await connect(await readServer(options), { outages });
  const { data } = await client.attributes({ signal });
  const leftOut = data.filter(({ read_only }) => read_only).map(({ name }) => name);
  const count = new Count(line, out !== undefined || !process.stdout.isTTY);
  const records = count.recordsOf(client.list({ ...filter, limit: PAGE }, { signal }), new Set(leftOut));
  const declared = data.filter(({ read_only }) => !read_only);
  const pieces = gathered(format === 'csv' ? csvOf(records, declared, signal) : ndjsonOf(records));
  if (out !== undefined) await writeWhole(out, pieces, signal);
  else if (!(await toStandardOutput(pieces, signal))) return;
  if (options.json) return print(options, { accounts: count.accounts, out, format, left_out: leftOut }, '');
  if (leftOut.length > 0) {
    const those = leftOut.length === 1 ? 'it' : 'them';
    line.say(`Left out, because the server takes no values for ${those}: ${leftOut.join(', ')}.`);
  }
  line.say(`${count} exported${out === undefined ? '' : ` to ${out}`}.`);
}
