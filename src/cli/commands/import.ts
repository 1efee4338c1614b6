import { Command, InvalidArgumentError, Option } from 'commander';
import { speaking, withServer } from '../client/connect.js';
import type { ImportOptions } from '../import/import-options.js';
import { withJson } from '../terminal/command-line.js';

export function importCommand(): Command {
  return withJson(
    withServer(new Command('import').description('send a file of accounts to a server: CSV, NDJSON or JSON')),
  )
    .argument('<file>', 'what to send, compressed by gzip or not; - for standard input')
    .addOption(
      new Option('--format <format>', 'what the file is, where it is not recognised').choices([
        'csv',
        'ndjson',
        'json',
      ]),
    )
    .option('--encoding <name>', 'how the text is encoded, where it is neither UTF-8 nor UTF-16')
    .option(
      '--map <column=field>',
      'send a column as a field; * for all others under their own names',
      gather,
    )
    .option('--mapping <file>', 'the same in a file, as JSON: {"column": "field", "other column": null}')
    .option('--ignore <column>', 'do not send a column; * for all that are not known', gather)
    .addOption(
      new Option('--empty <what>', 'what an empty cell of a CSV does with a stored value')
        .choices(['clear', 'keep'])
        .default('clear'),
    )
    .option('--dry-run', 'say what would happen, and store nothing')
    .option('--rejects <file>', 'where refused rows go; beside the file where it is not given')
    .option('--resume', 'go on where an earlier run was broken off')
    .option('--concurrency <n>', 'how many requests at a time', integer(1, 16), 4)
    .option('--limit <n>', 'send only so many records', integer(1, Number.MAX_SAFE_INTEGER))
    .option('--quiet', 'say nothing unless something is refused or fails')
    .addHelpText(
      'after',
      '\nEnds with 0 where everything is stored, 1 where some records were refused, 2 where it could not run to its end.',
    )
    .action(
      speaking(async (file: string, options: ImportOptions) => {
        const { runImport } = await import('../import/run-import.js');
        await runImport(file, options);
      }),
    );
}

function gather(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Give a whole number from ${min}${max > 1e9 ? ' on' : ` to ${max}`}.`);
  };
}
