import { Command, InvalidArgumentError, Option } from 'commander';
import { canonicalHost, isHostName } from '../../domain/host-name.js';
import {
  ACCOUNT_ID_MODES,
  type DayRange,
  HISTORY_DAYS,
  isTenantName,
  REJECTION_DAYS,
  readDays,
  UNDECLARED_FIELD_MODES,
} from '../../domain/tenant.js';
import type { Tenant, TenantChanges } from '../../store/tenants/directory.js';
import {
  CommandFailed,
  isoTime,
  type OutputOptions,
  print,
  requireTenant,
  table,
  withJson,
  withStore,
  withTenant,
} from '../terminal/command-line.js';
import { deleteTenantCommand } from './delete-tenant.js';

interface SettingOptions extends OutputOptions {
  readonly accountIds?: Tenant['accountIds'];
  readonly undeclaredFields?: Tenant['undeclaredFields'];
  /** False for `--no-host`. */
  readonly host?: readonly string[] | false;
  readonly historyDays?: number | 'keep';
  readonly rejectionDays?: number | 'default';
}

export function tenantCommand(): Command {
  const command = new Command('tenant').description(
    'create and delete tenants, show and change their settings',
  );
  withSettings(command.command('create <tenant>').description('create a tenant')).action(createTenant);
  withJson(command.command('list').description('list all tenants')).action(listTenants);
  withJson(command.command('show <tenant>').description('show the settings of a tenant')).action(showTenant);
  withSettings(command.command('set <tenant>').description('change the settings of a tenant')).action(
    setTenant,
  );
  command.addCommand(deleteTenantCommand());
  return command;
}

function withSettings(command: Command): Command {
  return withJson(command)
    .addOption(
      new Option('--account-ids <mode>', 'what an account_id may be: any text, or a domain name').choices(
        ACCOUNT_ID_MODES,
      ),
    )
    .addOption(
      new Option(
        '--undeclared-fields <mode>',
        'whether fields without a declared type are kept or rejected',
      ).choices(UNDECLARED_FIELD_MODES),
    )
    .option('--host <name...>', 'host names that accept only keys of this tenant (replaces the list)')
    .option('--no-host', 'remove all host names')
    .option(
      '--history-days <n|keep>',
      'days to keep changes; the last change of each account is always kept',
      daysOr('keep', HISTORY_DAYS),
    )
    .option(
      '--rejection-days <n|default>',
      'days to keep rejections; default uses the server setting',
      daysOr('default', REJECTION_DAYS),
    );
}

async function createTenant(name: string, options: SettingOptions): Promise<void> {
  if (!isTenantName(name)) {
    throw new CommandFailed(
      `${JSON.stringify(name)} is not a valid tenant name: use at most 63 lower-case letters, digits and hyphens.`,
    );
  }
  const settings = settingsOf(options);
  const tenant = await withStore(options, async (store) => {
    await store.directory.createTenant(name, settings, Date.now());
    return requireTenant(store, name);
  });
  report(tenant, options, `Created. Create a key for it with: account-sync key create ${name}`);
}

async function listTenants(options: OutputOptions): Promise<void> {
  const tenants = await withStore(options, async ({ directory }) => {
    const names = await directory.tenantNames();
    return Promise.all(names.map((name) => directory.findTenant({ name })));
  });
  const found = tenants.filter((tenant) => tenant !== undefined);
  const rows = found.map((tenant) => [
    tenant.name,
    tenant.accountIds,
    tenant.undeclaredFields,
    historyText(tenant),
    tenant.hosts.join(', ') || '–',
  ]);
  const head = ['TENANT', 'ACCOUNT IDS', 'UNDECLARED FIELDS', 'HISTORY', 'HOSTS'];
  const text =
    rows.length > 0
      ? table(head, rows)
      : 'No tenants yet. Create one with: account-sync tenant create <name>';
  print(options, found.map(asJson), text);
}

async function showTenant(name: string, options: OutputOptions): Promise<void> {
  report(await withTenant(name, options, async (_store, found) => found), options);
}

async function setTenant(name: string, options: SettingOptions): Promise<void> {
  const settings = settingsOf(options);
  if (Object.values(settings).every((value) => value === undefined)) {
    throw new CommandFailed(
      'Nothing to change: give --account-ids, --undeclared-fields, --host, --history-days or --rejection-days.',
    );
  }
  const tenant = await withTenant(name, options, async (store, { id }) => {
    await store.directory.changeTenant(id, settings);
    return requireTenant(store, name);
  });
  const note =
    (settings.accountIds === 'domain' ? ' Accounts stored under other ids stay unchanged.' : '') +
    (settings.historyDays ? ' It starts to remove older changes within a minute.' : '');
  report(tenant, options, `Changed. A running server applies this within a second.${note}`);
}

function settingsOf({ host, ...options }: SettingOptions): TenantChanges {
  const { accountIds, undeclaredFields, historyDays, rejectionDays } = options;
  const hosts = host === false ? [] : host?.map(readHost);
  return {
    accountIds,
    undeclaredFields,
    hosts: hosts && [...new Set(hosts)],
    historyDays: historyDays === 'keep' ? null : historyDays,
    rejectionDays: rejectionDays === 'default' ? null : rejectionDays,
  };
}

/** Reads a number of days, or a word that means null: commander turns a null value into an empty text. */
function daysOr<Word extends string>(word: Word, range: DayRange): (text: string) => number | Word {
  return (text) => {
    const days = text === word ? word : readDays(text, range);
    if (days !== undefined) return days;
    throw new InvalidArgumentError(`Give a whole number from ${range.min} to ${range.max}, or ${word}.`);
  };
}

function readHost(text: string): string {
  const host = canonicalHost(text);
  if (isHostName(host)) return host;
  throw new CommandFailed(
    `${JSON.stringify(text)} is not a host name: give a name without scheme, port and path.`,
  );
}

function report(tenant: Tenant, options: OutputOptions, done?: string): void {
  const lines = [
    `Tenant             ${tenant.name}`,
    `Account ids        ${tenant.accountIds}`,
    `Undeclared fields  ${tenant.undeclaredFields}`,
    `Hosts              ${tenant.hosts.join(', ') || '–'}`,
    `History            ${historyText(tenant)}`,
    `Rejections         ${tenant.rejectionDays === null ? 'server default' : daysText(tenant.rejectionDays)}`,
    `Attributes         ${tenant.attributes.length} declared`,
    `Blocked ids        ${tenant.blockedPatterns.length}`,
  ];
  print(options, asJson(tenant), [...lines, ...(done ? ['', done] : [])].join('\n'));
}

function historyText({ historyDays }: Tenant): string {
  return historyDays === null ? 'kept' : daysText(historyDays);
}

function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

function asJson(tenant: Tenant) {
  return {
    name: tenant.name,
    account_ids: tenant.accountIds,
    undeclared_fields: tenant.undeclaredFields,
    hosts: tenant.hosts,
    history_days: tenant.historyDays,
    rejection_days: tenant.rejectionDays,
    attributes: tenant.attributes.length,
    blocked_ids: tenant.blockedPatterns.length,
    created_at: isoTime(tenant.createdAt),
  };
}
