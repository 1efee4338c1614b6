import { Command } from 'commander';
import { BadDatabaseUrl } from '../../store/database-url.js';
import { MissingDatabase } from '../../store/errors.js';
import type { CopyStep } from '../../store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../store/maintenance/open-copy-endpoint.js';
import { CommandFailed, type OutputOptions, print, table, withJson } from '../terminal/command-line.js';
import { Progress } from '../terminal/status-line.js';

interface CopyOptions extends OutputOptions {
  readonly from: string;
  readonly to: string;
}

export function copyCommand(): Command {
  return withJson(
    new Command('copy').description('copy all data from one database to an empty one, and compare both'),
  )
    .requiredOption('--from <url>', 'the source database: postgres://… or sqlite:<directory>')
    .requiredOption('--to <url>', 'the target database, in the same form')
    .addHelpText(
      'after',
      '\nStop the servers first. If a copy is interrupted, run the command again: it continues where it stopped.',
    )
    .action(copy);
}

async function copy(options: CopyOptions): Promise<void> {
  const from = await open('--from', options.from, true);
  try {
    const to = await open('--to', options.to, false);
    try {
      const progress = new Progress();
      const show = ({ phase, table, done, total }: CopyStep) =>
        progress.show(`${phase === 'copy' ? 'copying' : 'comparing'} ${table}`, done, total);
      const { copyDatabase } = await import('../../store/maintenance/copy-database.js');
      const copied = await copyDatabase(from, to, show);
      const rows = copied.map((one) => [one.table, String(one.rows), one.checksum.slice(0, 16)]);
      const text = [
        table(['TABLE', 'ROWS', 'CHECKSUM OF BOTH'], rows),
        '',
        `${to.location} now has all data of ${from.location}.`,
      ];
      print(options, { from: from.location, to: to.location, tables: copied }, text.join('\n'));
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function open(option: string, url: string, mustExist: boolean) {
  try {
    return await openCopyEndpoint(url, { mustExist });
  } catch (error) {
    if (error instanceof BadDatabaseUrl) throw new CommandFailed(`${option} ${error.message}.`);
    if (error instanceof MissingDatabase) throw new CommandFailed(`${option}: ${error.message}`);
    throw error;
  }
}
