import { Command } from 'commander';
import { readConfig } from '../../config.js';
import { grouped } from '../../domain/text.js';
import { type OutputOptions, print, printDatabase, withJson } from '../terminal/command-line.js';
import { Progress } from '../terminal/status-line.js';

export function backupCommand(): Command {
  return withJson(
    new Command('backup').description(
      'write the whole database to one file while servers run, and verify the file',
    ),
  )
    .argument('<file>', 'the file to create; it must not exist')
    .action(backup);
}

async function backup(path: string, options: OutputOptions): Promise<void> {
  const { database } = readConfig(process.env);
  // Imported here, because loading it takes longer than most commands run.
  const { writeBackup } = await import('../../store/maintenance/write-backup.js');
  const progress = new Progress();
  const made = await writeBackup(database, path, {
    onOpened: (location) => options.json || printDatabase(location),
    report: (what, done, total) => progress.show(what, done, total),
  });
  const { file, schemaVersion, tenants, accounts, changes, bytes, sha256 } = made;
  const restore = `account-sync restore ${shellWord(file)}`;
  const lines = [
    `File      ${file}`,
    `Tenants   ${grouped(tenants)}`,
    `Accounts  ${grouped(accounts)}`,
    `Changes   ${grouped(changes)}`,
    `Size      ${grouped(bytes)} bytes`,
    `SHA-256   ${sha256}`,
    `Checked   no damage found, schema version ${schemaVersion}`,
    '',
    `Restore it with: ${restore}`,
  ];
  const data = { file, schema_version: schemaVersion, tenants, accounts, changes, bytes, sha256, restore };
  print(options, data, lines.join('\n'));
}

/** Quotes a path as one shell word. */
function shellWord(path: string): string {
  return /^[\w./+@%:,=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
