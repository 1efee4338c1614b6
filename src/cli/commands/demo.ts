import { Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../../config.js';
import { grouped } from '../../domain/text.js';
import type { Store } from '../../store/store.js';
import type { Tenant } from '../../store/tenants/directory.js';
import { DEMO_TENANT as TENANT, urlOf } from '../serve/first-start.js';
import { CommandFailed, type OutputOptions, print, withJson, withStore } from '../terminal/command-line.js';
import { Progress } from '../terminal/status-line.js';
import { removeWithProgress, reportRemoval } from './delete-tenant.js';

/** The label of the first key. A key is never deleted before its tenant, so the label identifies a demo tenant. */
const LABEL = 'account-sync demo';
const MIN_ACCOUNTS = 100;
const MAX_ACCOUNTS = 100_000;

interface DemoOptions extends OutputOptions {
  readonly accounts: number;
  readonly remove?: boolean;
}

export function demoCommand(): Command {
  return withJson(new Command('demo').description(`create the tenant ${TENANT} with sample accounts`))
    .addOption(
      new Option('--accounts <n>', `number of accounts, from ${MIN_ACCOUNTS} to ${MAX_ACCOUNTS}`)
        .default(5_000)
        .argParser(readCount),
    )
    .addOption(new Option('--remove', `remove the tenant ${TENANT} and all its data`).conflicts('accounts'))
    .action((options: DemoOptions) => (options.remove ? removeDemo(options) : makeDemo(options)));
}

async function makeDemo(options: DemoOptions): Promise<void> {
  const config = readConfig(process.env);
  const { accounts } = options;
  const { admin, reader } = await withStore({ ...options, mayCreate: true }, async (store) => {
    await rejectExistingTenant(store);
    // Imported here, because it loads the whole HTTP server.
    const { seed } = await import('../demo/seed.js');
    const progress = new Progress();
    const onProgress = (done: number, total: number) => progress.show('replaying two weeks', done, total);
    return seed(store, {
      tenant: TENANT,
      label: LABEL,
      accounts,
      now: Date.now(),
      onProgress,
    });
  });
  const address = consoleAddress(config);
  const lines = [
    `Tenant    ${TENANT}, ${grouped(accounts)} accounts`,
    `Key       ${admin.key}  (sync, read, admin)`,
    `Read key  ${reader.key}  (read)`,
    `Console   ${address ?? '/console, at the address that the server prints when it starts'}`,
    '',
    'Save the keys now: they are shown only once. A running server accepts them within a second. To start one, run: account-sync serve',
    'To remove the tenant, run: account-sync demo --remove',
  ];
  print(
    options,
    {
      tenant: TENANT,
      accounts,
      console: address,
      admin_key: { ...admin, scopes: ['sync', 'read', 'admin'] },
      read_key: { ...reader, scopes: ['read'] },
    },
    lines.join('\n'),
  );
}

async function removeDemo(options: DemoOptions): Promise<void> {
  await withStore(options, async (store) => {
    const tenant = await store.directory.findTenant({ name: TENANT });
    if (tenant === undefined)
      throw new CommandFailed(`The tenant ${TENANT} does not exist. Nothing was removed.`);
    if (!(await isDemo(store, tenant))) {
      throw new CommandFailed(`The tenant ${TENANT} was not created by this command. Nothing was removed.`);
    }
    const removed = await removeWithProgress(store, tenant);
    reportRemoval(options, tenant, removed, `Removed the tenant ${TENANT}.`);
  });
}

async function rejectExistingTenant(store: Store): Promise<void> {
  const tenant = await store.directory.findTenant({ name: TENANT });
  if (tenant === undefined) return;
  throw new CommandFailed(
    (await isDemo(store, tenant))
      ? `The tenant ${TENANT} already exists. Remove it first: account-sync demo --remove`
      : `The tenant ${TENANT} already exists and was not created by this command. Use another database: set DATABASE_URL or ACCOUNT_SYNC_DATA_DIR.`,
  );
}

async function isDemo({ directory }: Store, { id }: Tenant): Promise<boolean> {
  return (await directory.keys.list(id)).some(({ label }) => label === LABEL);
}

/** Null if the server chooses a free port. */
function consoleAddress({ host, port, tls }: Config): string | null {
  return port === 0 ? null : `${urlOf({ address: host, port }, tls)}/console`;
}

function readCount(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count >= MIN_ACCOUNTS && count <= MAX_ACCOUNTS) return count;
  throw new InvalidArgumentError(`Give a whole number from ${MIN_ACCOUNTS} to ${MAX_ACCOUNTS}.`);
}
