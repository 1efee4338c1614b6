import type { ListFilter } from '@account-sync/client';
import { Command, Option } from 'commander';
import {
  connect,
  Outages,
  readServer,
  type ServerOptions,
  withServer,
  withServerErrors,
} from '../client/connect.js';
import { csvOf, joinPieces, ndjsonOf } from '../export/export-csv.js';
import { FORMATS, type Format, formatOf, writeAtomically } from '../export/export-file.js';
import { ExportCounter } from '../export/export-records.js';
import { readFilter } from '../export/read-filter.js';
import { CommandFailed, type OutputOptions, print, withJson } from '../terminal/command-line.js';
import { stopSignal } from '../terminal/signals.js';
import { toStandardOutput } from '../terminal/standard-output.js';
import { StatusLine } from '../terminal/status-line.js';

interface ExportOptions extends ServerOptions, OutputOptions {
  readonly format?: Format;
  readonly out?: string;
  readonly filter?: ListFilter;
  readonly archived: NonNullable<ListFilter['archived']>;
  readonly quiet?: boolean;
}

/** The maximum page size of the server. */
const PAGE_SIZE = 1_000;

export function exportCommand(): Command {
  return withServer(
    withJson(new Command('export').description('write all accounts to a file or to standard output')),
  )
    .addOption(
      new Option('--format <format>', 'the format (default: by the file name, else CSV)').choices(FORMATS),
    )
    .option('--out <file>', 'the file to write, compressed if it ends in .gz (default: standard output)')
    .option(
      '--filter <name=value>',
      'export only matching accounts: id_prefix, name_prefix, parent, attribute=<name>:<value> or updated_since',
      readFilter,
    )
    .addOption(
      new Option('--archived <which>', 'whether archived accounts are exported')
        .choices(['exclude', 'include', 'only'])
        .default('exclude'),
    )
    .option('--quiet', 'report only failures')
    .action(withServerErrors(exportAccounts));
}

async function exportAccounts(options: ExportOptions): Promise<void> {
  const { out, quiet = false } = options;
  if (options.json && out === undefined) {
    throw new CommandFailed('--json requires --out, because standard output carries the export.');
  }
  const line = new StatusLine({ isQuiet: quiet });
  const stop = new AbortController();
  const outcome = out === undefined ? 'the export is incomplete' : `nothing was written to ${out}`;
  stopSignal().then((name) => stop.abort(new CommandFailed(`Stopped by ${name}: ${outcome}.`)));
  try {
    await writeExport(line, options, stop.signal);
  } finally {
    line.clear();
    // Ends the request if the export failed.
    stop.abort();
  }
}

async function writeExport(line: StatusLine, options: ExportOptions, signal: AbortSignal): Promise<void> {
  const { out, filter, archived, format = formatOf(out ?? '') } = options;
  const outages = new Outages((message) => line.log(message));
  const client = await connect(await readServer(options), { outages });
  const { data } = await client.attributes({ signal });
  const leftOut = data.filter(({ read_only }) => read_only).map(({ name }) => name);
  const counter = new ExportCounter(line, out !== undefined || !process.stdout.isTTY);
  const records = counter.recordsOf(
    client.list({ ...filter, archived, limit: PAGE_SIZE }, { signal }),
    new Set(leftOut),
  );
  const declared = data.filter(({ read_only }) => !read_only);
  const pieces = joinPieces(format === 'csv' ? csvOf(records, declared, signal) : ndjsonOf(records));
  if (out !== undefined) await writeAtomically(out, pieces, signal);
  else if (!(await toStandardOutput(pieces, signal))) return;
  if (options.json) return print(options, { accounts: counter.accounts, out, format, left_out: leftOut }, '');
  if (leftOut.length > 0) line.log(`Not exported, because read-only: ${leftOut.join(', ')}.`);
  line.log(`${counter} exported${out === undefined ? '' : ` to ${out}`}.`);
}
