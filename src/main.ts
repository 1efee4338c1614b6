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
import { runCommand } from './cli/commands/run.js';
import { serveCommand } from './cli/commands/serve.js';
import { singerCommand } from './cli/commands/singer.js';
import { sourceCommand } from './cli/commands/source.js';
import { tenantCommand } from './cli/commands/tenant.js';
import { undoCommand } from './cli/commands/undo.js';
import { userCommand } from './cli/commands/user.js';
import { verifyCommand } from './cli/commands/verify.js';
import { webhookCommand } from './cli/commands/webhook.js';
import { CommandFailed } from './cli/terminal/command-line.js';
import { printableLines } from './cli/terminal/printable.js';
import { BadConfig } from './config.js';
import { BadCertificate } from './http/connection/certificate.js';
import {
  AlreadyMember,
  MissingDatabase,
  NameTaken,
  SourceInUse,
  StoreUnusable,
  TooManyAttributes,
  TooManySources,
  TooManyUsers,
  UnknownSource,
} from './store/errors.js';
import { VERSION } from './version.js';

const program = new Command('account-sync')
  .description('Keeps the accounts of a customer-success platform in step with the systems they come from.')
  .version(VERSION)
  .showHelpAfterError('Run the command with --help for its usage.')
  .addHelpText(
    'after',
    `
import, singer, export, changes, run, undo and webhook connect to a server over HTTP, from any machine. Set
ACCOUNT_SYNC_URL and ACCOUNT_SYNC_KEY.
The other commands, except health, open the database that DATABASE_URL or ACCOUNT_SYNC_DATA_DIR names (default: ./data).
copy names its databases with options. serve creates the database if it does not exist.`,
  )
  .addCommand(serveCommand())
  .addCommand(tenantCommand())
  .addCommand(keyCommand())
  .addCommand(userCommand())
  .addCommand(sourceCommand())
  .addCommand(attributeCommand())
  .addCommand(blockCommand())
  .addCommand(importCommand())
  .addCommand(singerCommand())
  .addCommand(copyCommand())
  .addCommand(exportCommand())
  .addCommand(changesCommand())
  .addCommand(runCommand())
  .addCommand(undoCommand())
  .addCommand(webhookCommand())
  .addCommand(demoCommand())
  .addCommand(backupCommand())
  .addCommand(restoreCommand())
  .addCommand(verifyCommand())
  .addCommand(doctorCommand())
  .addCommand(healthCommand());

const HOW_TO_FIND_DATABASE =
  'Run the command in the directory where the server runs, or set ACCOUNT_SYNC_DATA_DIR or DATABASE_URL to the server’s values. ' +
  'The first account-sync serve creates a new database.';

try {
  await program.parseAsync();
} catch (error) {
  const { message, stack = message, exitStatus = 1 } = error as Error & { exitStatus?: number };
  process.exitCode = exitStatus;
  const advice = adviceFor(error);
  if (process.argv.includes('--json')) {
    const code = error instanceof TooManyAttributes ? { code: error.code } : {};
    process.stderr.write(`${JSON.stringify({ error: advice ?? message, ...code })}\n`);
  } else {
    process.stderr.write(`${printableLines(advice ?? stack)}\n`);
  }
}

/** The message for errors that an operator can fix; `undefined` for bugs, which are printed with their stack. */
function adviceFor(error: unknown): string | undefined {
  const { message } = error as Error;
  if (error instanceof MissingDatabase) return `${message} ${HOW_TO_FIND_DATABASE}`;
  const expected = [
    ...[CommandFailed, BadConfig, BadCertificate, StoreUnusable, NameTaken, TooManyAttributes],
    ...[TooManySources, UnknownSource, SourceInUse, TooManyUsers, AlreadyMember],
  ];
  if (expected.some((kind) => error instanceof kind)) return message;
  // ENOSPC and EDQUOT come from the operating system, the third message from SQLite.
  if (!/^ENOSPC|^EDQUOT|^database or disk is full/.test(message)) return undefined;
  return `The disk is full: ${message}. Free some space and try again.`;
}
