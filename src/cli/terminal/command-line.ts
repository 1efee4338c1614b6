import type { Command } from 'commander';
import { readConfig } from '../../config.js';
import type { Store } from '../../store/store.js';
import type { Tenant } from '../../store/tenants/directory.js';
import { printableLines } from './printable.js';
import { Progress } from './status-line.js';

/** Ends a command with a message that states the problem and what to do. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly exitStatus = 1,
  ) {
    super(message);
  }
}

interface StoreOptions extends OutputOptions {
  /** Whether the command creates a missing database. */
  readonly mayCreate?: boolean;
}

/** Opens the store, also while a server runs, prints its location, and closes it after the work. */
export async function withStore<T>(
  { json, mayCreate = false }: StoreOptions,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  // Imported here, because loading it takes longer than most commands run.
  const { openStore } = await import('../../store/open-store.js');
  const progress = new Progress();
  const store = await openStore({
    database: readConfig(process.env).database,
    mustExist: !mayCreate,
    onMigration: ({ done, total }) => progress.show('Migrating the database: changes', done, total),
  });
  try {
    if (!json) printDatabase(store.location);
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Writes to standard error, because standard output is for results. */
export function printDatabase(location: string): void {
  process.stderr.write(`${printableLines(`Database: ${location}`)}\n`);
}

export function withTenant<T>(
  name: string,
  options: OutputOptions,
  work: (store: Store, tenant: Tenant) => Promise<T>,
): Promise<T> {
  return withStore(options, async (store) => work(store, await requireTenant(store, name)));
}

export async function requireTenant({ directory }: Store, name: string): Promise<Tenant> {
  const tenant = await directory.findTenant({ name });
  if (tenant !== undefined) return tenant;
  const names = await directory.tenantNames();
  const known = names.length === 0 ? 'No tenant exists yet.' : `Existing tenants: ${names.join(', ')}.`;
  throw new CommandFailed(
    `The tenant ${name} does not exist. ${known} Create it with: account-sync tenant create ${name}`,
  );
}

export interface OutputOptions {
  readonly json?: boolean;
}

export function withJson(command: Command): Command {
  return command.option('--json', 'print the result as JSON');
}

/** Prints `data` as JSON with `--json`, and `text` otherwise. */
export function print({ json }: OutputOptions, data: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(data, null, 2) : printableLines(text)}\n`);
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

export function shortTime(at: number | null): string {
  return at === null ? '–' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
