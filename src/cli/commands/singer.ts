import { Command, Option } from 'commander';
import { withServer, withServerErrors } from '../client/connect.js';
import type { SingerOptions } from '../singer/run-singer.js';
import { readPercent } from '../terminal/percent.js';
import { collect, integer } from './import.js';

export function singerCommand(): Command {
  return withServer(
    new Command('singer').description('send the records of a Singer tap on standard input to a server'),
  )
    .option(
      '--mapping <file>',
      'a JSON file: {"streams": {"stream": {"property": "field", "ignored": null}}}',
    )
    .addOption(
      new Option(
        '--stream <name>',
        'instead of a mapping: send a stream whose properties are named like fields',
      )
        .argParser(collect)
        .conflicts('mapping'),
    )
    .option('--rejects <file>', 'the file to which rejected records are added', 'singer.rejects.ndjson')
    .option(
      '--max-rejected <percent>',
      'stop if more than this share of the first thousand records is rejected',
      readPercent,
      50,
    )
    .addOption(
      new Option(
        '--mode <mode>',
        'which accounts to write: records for others are skipped (default: upsert)',
      ).choices(['upsert', 'update-only', 'create-only']),
    )
    .option('--concurrency <n>', 'the number of concurrent requests', integer(1, 16), 4)
    .option('--json', 'print the summary as a line of JSON, on standard error')
    .option('--quiet', 'print nothing but states unless a record is rejected or the command fails')
    .addHelpText(
      'after',
      '\nExit status: 0 if all records were stored, 1 if some records were rejected, 2 if the input could not be read to its end.',
    )
    .action(
      withServerErrors(async (options: SingerOptions) => {
        const { runSinger } = await import('../singer/run-singer.js');
        await runSinger(options);
      }),
    );
}
