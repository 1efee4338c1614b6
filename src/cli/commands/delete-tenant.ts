import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { keyState } from '../../domain/api-key.js';
import { grouped } from '../../domain/text.js';
import type { Store } from '../../store/store.js';
import type { Tenant } from '../../store/tenants/directory.js';
import type { RemovedRows } from '../../store/tenants/remove-tenant.js';
import { isFirstStart } from '../serve/first-start.js';
import {
  CommandFailed,
  type OutputOptions,
  print,
  table,
  withJson,
  withTenant,
} from '../terminal/command-line.js';
import { printable } from '../terminal/printable.js';
import { Progress } from '../terminal/status-line.js';

interface DeleteOptions extends OutputOptions {
  readonly yes?: boolean;
}

export function deleteTenantCommand(): Command {
  return withJson(
    new Command('delete').description('delete a tenant with all its accounts, their history and its keys'),
  )
    .argument('<tenant>')
    .option('--yes', 'do not ask for confirmation; required without a terminal')
    .addHelpText(
      'after',
      '\nDeletion cannot be undone: make a backup first. Servers keep running and reject the keys of the tenant from the start.\n' +
        'If the deletion is interrupted, run the same command again to continue.',
    )
    .action(deleteTenant);
}

async function deleteTenant(name: string, options: DeleteOptions): Promise<void> {
  await withTenant(name, options, async (store, tenant) => {
    if (!options.yes) await confirm(tenant, await describe(store, tenant), options);
    const removed = await removeWithProgress(store, tenant);
    const next = (await isFirstStart(store.directory))
      ? ' No tenant is left: the next server start creates the tenant default with a new key.'
      : '';
    reportRemoval(options, tenant, removed, `Deleted the tenant ${name}.${next}`);
  });
}

/** Also continues an interrupted removal. */
export function removeWithProgress({ directory }: Store, { id }: Tenant): Promise<RemovedRows> {
  const progress = new Progress();
  return directory.removeTenant(id, (rows, done, total) => progress.show(`removing ${rows}`, done, total));
}

export function reportRemoval(
  options: OutputOptions,
  { name }: Tenant,
  removed: RemovedRows,
  done: string,
): void {
  const rows = Object.entries(removed).map(([name, count]) => [name, String(count)]);
  const text = [table(['TABLE', 'ROWS REMOVED'], rows), '', done];
  print(options, { tenant: name, removed }, text.join('\n'));
}

async function describe({ directory, accounts }: Store, { id, name, hosts }: Tenant): Promise<string> {
  const keys = await directory.keys.list(id);
  const now = Date.now();
  const live = keys.filter((key) => keyState(key, now) === 'live').length;
  const parts = [
    `${counted(await accounts.count(id), 'account')} with all history`,
    `${counted(keys.length, 'key')} (${live} in use)`,
    hosts.length === 0 ? 'no hosts' : `${counted(hosts.length, 'host')} (${hosts.join(', ')})`,
  ];
  return `This permanently deletes the tenant ${name}: ${parts.join(', ')}.`;
}

function counted(number: number, what: string): string {
  return `${grouped(number)} ${what}${number === 1 ? '' : 's'}`;
}

async function confirm({ name }: Tenant, what: string, { json }: DeleteOptions): Promise<void> {
  const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
  if (json || !isTerminal) throw new CommandFailed(`${what} Nothing was deleted. Add --yes to delete it.`);
  const answer = await ask(`${printable(what)}\nType the name of the tenant to delete it: `);
  if (answer.trim() !== name) throw new CommandFailed('The name does not match. Nothing was deleted.');
}

/** Resolves with an empty text if the terminal is closed or Ctrl-C is pressed. */
function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once('close', () => {
      // Ends the line of the question, so that the next message starts a new line.
      process.stderr.write('\n');
      resolve('');
    });
    terminal.question(question, (answer) => {
      terminal.removeAllListeners('close').close();
      resolve(answer);
    });
  });
}
