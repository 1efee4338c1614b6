import { Command } from 'commander';
import { readConfig } from '../../config.js';
import { grouped } from '../../domain/text.js';
import { nameDatabase, type OutputOptions, print, withJson } from '../terminal/command-line.js';
import { Progress } from '../terminal/status-line.js';

export function backupCommand(): Command {
  return withJson(
    new Command('backup').description(
      'write everything into one file, beside a running server, and check it',
    ),
  )
    .argument('<file>', 'the file to write; it must not exist yet')
    .action(backup);
}

async function backup(path: string, options: OutputOptions): Promise<void> {
  const { database } = readConfig(process.env);
  // Only here: loading it takes longer than most commands.
  const { writeBackup } = await import('../../store/maintenance/write-backup.js');
  const progress = new Progress();
  const made = await writeBackup(database, path, {
    onOpened: (location) => options.json || nameDatabase(location),
    report: (what, done, total) => progress.show(what, done, total),
  });
  const { file, schemaVersion, tenants, accounts, changes, bytes, sha256 } = made;
  const restore = `account-sync restore ${inShell(file)}`;
  const lines = [
    `File      ${file}`,
    `Tenants   ${grouped(tenants)}`,
    `Accounts  ${grouped(accounts)}`,
    `Changes   ${grouped(changes)}`,
    `Size      ${grouped(bytes)} bytes`,
    `SHA-256   ${sha256}`,
    `Checked   sound, schema version ${schemaVersion}`,
    '',
    `Restore it with: ${restore}`,
  ];
  const data = { file, schema_version: schemaVersion, tenants, accounts, changes, bytes, sha256, restore };
  print(options, data, lines.join('\n'));
}

/** As one word of a shell, whatever it is called. */
function inShell(path: string): string {
  return /^[\w./+@%:,=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
