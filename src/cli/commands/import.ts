import { Command, InvalidArgumentError, Option } from 'commander';
import { withServer, withServerErrors } from '../client/connect.js';
import type { ImportOptions } from '../import/import-options.js';
import { withJson } from '../terminal/command-line.js';
import { readPercent } from '../terminal/percent.js';

export function importCommand(): Command {
  return withJson(
    withServer(new Command('import').description('send a file of accounts to a server: CSV, NDJSON or JSON')),
  )
    .argument('<file>', 'the file to send, optionally compressed by gzip; - for standard input')
    .addOption(
      new Option('--format <format>', 'the format of the file (default: detected)').choices([
        'csv',
        'ndjson',
        'json',
      ]),
    )
    .option('--encoding <name>', 'the text encoding, if it is neither UTF-8 nor UTF-16')
    .option(
      '--map <column=field>',
      'send a column as a field; * sends all other columns under their own names',
      collect,
    )
    .option('--mapping <file>', 'a JSON file with the mapping: {"column": "field", "ignored column": null}')
    .option('--ignore <column>', 'do not send a column; * ignores all unknown columns', collect)
    .addOption(
      new Option(
        '--from <system>',
        'the system that has written the file (default: recognised by its columns)',
      ).choices(['salesforce', 'hubspot', 'stripe', 'pipedrive', 'none']),
    )
    .option('--save-mapping <file>', 'write the mapping of this file, for --mapping')
    .addOption(new Option('--dates <order>', 'how to read dates such as 3/4/2015').choices(['dmy', 'mdy']))
    .option(
      '--convert <field=form>',
      'how the values of a field are written: mdy, dmy, excel, 1.000,00 …; or from:to replaces one value',
      collect,
    )
    .option(
      '--declare',
      'declare an attribute for each new column; needs a key with the scopes read and admin',
    )
    .option('--type <field=type>', 'the type of an attribute that --declare declares', collect)
    .addOption(
      new Option('--empty <what>', 'what an empty CSV cell does to the stored value')
        .choices(['clear', 'keep'])
        .default('clear'),
    )
    .option('--dry-run', 'show what would happen, and store nothing')
    .option(
      '--max-rejected <percent>',
      'store nothing if more of the first thousand records would be rejected; 100 does not check',
      readPercent,
      50,
    )
    .option('--rejects <file>', 'the file for rejected rows (default: next to the imported file)')
    .addOption(
      new Option(
        '--mode <mode>',
        'which accounts to write: records for others are skipped (default: upsert)',
      ).choices(['upsert', 'update-only', 'create-only']),
    )
    .addOption(
      new Option(
        '--missing <what>',
        'what happens to accounts that this source has pushed before, and that the file does not have ' +
          '(default: report, if the source has used it before)',
      ).choices(['archive', 'report', 'ignore']),
    )
    .option(
      '--max-missing <percent>',
      'the largest share of missing accounts to archive (default: 10)',
      readPercent,
    )
    .option('--resume', 'continue an interrupted import')
    .option('--concurrency <n>', 'the number of concurrent requests', integer(1, 16), 4)
    .option('--limit <n>', 'send at most this many records', integer(1, Number.MAX_SAFE_INTEGER))
    .option('--quiet', 'print nothing unless a record is rejected or the import fails')
    .addHelpText(
      'after',
      '\nExit status: 0 if all records were stored, 1 if some records were rejected, 2 if the import could not finish.',
    )
    .action(
      withServerErrors(async (file: string, options: ImportOptions) => {
        const { runImport } = await import('../import/run-import.js');
        await runImport(file, options);
      }),
    );
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(
      `Give a whole number ${max > 1e9 ? `of at least ${min}` : `from ${min} to ${max}`}.`,
    );
  };
}
