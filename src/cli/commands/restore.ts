import { Command } from 'commander';
import { readConfig } from '../../config.js';
import { grouped } from '../../domain/text.js';
import { type OutputOptions, print, withJson } from '../terminal/command-line.js';
import { Progress } from '../terminal/status-line.js';

interface RestoreCommandOptions extends OutputOptions {
  readonly replace?: boolean;
  readonly pauseWebhooks?: boolean;
}

export function restoreCommand(): Command {
  return withJson(
    new Command('restore').description('restore a backup into the database that the settings name'),
  )
    .argument('<file>', 'a file made by backup, or an automatic backup made before a migration')
    .option('--replace', 'replace an existing database, and keep it among the backups (SQLite)')
    .option('--pause-webhooks', 'pause all webhooks: a copy for tests must not send to their receivers')
    .addHelpText('after', '\nStop the servers first.')
    .action(restore);
}

async function restore(path: string, options: RestoreCommandOptions): Promise<void> {
  const { database } = readConfig(process.env);
  // Imported here, because loading it takes longer than most commands run.
  const { restoreBackup } = await import('../../store/maintenance/restore-backup.js');
  const progress = new Progress();
  const { location, contents, checksums, kept } = await restoreBackup(database, path, {
    replace: options.replace === true,
    pauseWebhooks: options.pauseWebhooks === true,
    now: Date.now(),
    report: (what, done, total) => progress.show(what, done, total),
  });
  const { schemaVersion, tenants, accounts, changes } = contents;
  const lines = [
    `Tenants   ${grouped(tenants)}`,
    `Accounts  ${grouped(accounts)}`,
    `Changes   ${grouped(changes)}`,
    `Checked   no damage found, ${checksums === undefined ? 'no checksums' : 'checksums match'}`,
    ...(kept === null ? [] : [`Previous  kept in ${kept}`]),
    '',
    `${location} now has the data of ${path}. Start the server with: account-sync serve`,
    'Keys revoked, users removed and accounts deleted after that backup exist again.',
  ];
  const data = {
    location,
    schema_version: schemaVersion,
    tenants,
    accounts,
    changes,
    checksums: checksums !== undefined,
    kept,
  };
  print(options, data, lines.join('\n'));
}
