import { Command } from 'commander';
import { attributeCommand } from './cli/commands/attribute.js';
import { backupCommand } from './cli/commands/backup.js';
import { blockCommand } from './cli/commands/block.js';
import { changesCommand } from './cli/commands/changes.js';
import { copyCommand } from './cli/commands/copy.js';
import { demoCommand } from './cli/commands/demo.js';
import { doctorCommand } from './cli/commands/doctor.js';
import { exportCommand } from './cli/commands/export.js';
import { healthCommand } from './cli/commands/health.js';
import { importCommand } from './cli/commands/import.js';
import { keyCommand } from './cli/commands/key.js';
import { restoreCommand } from './cli/commands/restore.js';
import { serveCommand } from './cli/commands/serve.js';
import { tenantCommand } from './cli/commands/tenant.js';
import { verifyCommand } from './cli/commands/verify.js';
import { CommandFailed } from './cli/terminal/command-line.js';
import { printableLines } from './cli/terminal/printable.js';
import { BadConfig } from './config.js';
import { BadCertificate } from './http/connection/certificate.js';
import { MissingDatabase, StoreUnusable, Taken, TooManyAttributes } from './store/errors.js';
import { VERSION } from './version.js';

const program = new Command('account-sync')
  .description('Keeps the accounts of a customer-success platform in step with the systems they come from.')
  .version(VERSION)
  .showHelpAfterError('Add --help for how to use it.')
  .addHelpText(
    'after',
    `
import, export and changes speak to a server over HTTP, from anywhere: ACCOUNT_SYNC_URL and ACCOUNT_SYNC_KEY.
All others but health work on the machine of the server, on the database that DATABASE_URL or ACCOUNT_SYNC_DATA_DIR names
(without them, in the directory data of the current directory); copy names its own.
serve makes the database where there is none.`,
  )
  .addCommand(serveCommand())
  .addCommand(tenantCommand())
  .addCommand(keyCommand())
  .addCommand(attributeCommand())
  .addCommand(blockCommand())
  .addCommand(importCommand())
  .addCommand(copyCommand())
  .addCommand(exportCommand())
  .addCommand(changesCommand())
  .addCommand(demoCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(verifyCommand())
  .addCommand(doctorCommand())
  .addCommand(healthCommand());

const WHERE_TO_LOOK =
  'Run the command in the directory in which the service runs, or set ACCOUNT_SYNC_DATA_DIR or DATABASE_URL as there. ' +
  'The first account-sync serve makes a new database.';

try {
  await program.parseAsync();
} catch (error) {
  const { message, stack = message, exitStatus = 1 } = error as Error & { exitStatus?: number };
  process.exitCode = exitStatus;
  const advice = adviceOn(error);
  if (process.argv.includes('--json')) {
    const code = error instanceof TooManyAttributes ? { code: error.code } : {};
    process.stderr.write(`${JSON.stringify({ error: advice ?? message, ...code })}\n`);
  } else {
    process.stderr.write(`${printableLines(advice ?? stack)}\n`);
  }
}

/** What an operator can mend needs a sentence; everything else is ours to mend, and needs the stack. */
function adviceOn(error: unknown): string | undefined {
  const { message } = error as Error;
  if (error instanceof MissingDatabase) return `${message} ${WHERE_TO_LOOK}`;
  const expected = [CommandFailed, BadConfig, BadCertificate, StoreUnusable, Taken, TooManyAttributes];
  if (expected.some((kind) => error instanceof kind)) return message;
  // Of the system, or of SQLite.
  if (!/^ENOSPC|^EDQUOT|^database or disk is full/.test(message)) return undefined;
  return `There is no space left on the disk: ${message}. Free some, and try again.`;
}
