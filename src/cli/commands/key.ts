import { Command, InvalidArgumentError, Option } from 'commander';
import { type ApiKey, keyState, SCOPES, type Scope } from '../../domain/api-key.js';
import { readDate, readDateTime } from '../../domain/calendar.js';
import type { KeyRecord } from '../../store/tenants/keys.js';
import { issueKey, type NewKey } from '../../store/tenants/keys.js';
import {
  CommandFailed,
  isoTime,
  type OutputOptions,
  print,
  shortTime,
  table,
  withJson,
  withTenant,
} from '../terminal/command-line.js';

const HOUR_MS = 3_600_000;

interface CreateOptions extends OutputOptions {
  readonly scope: readonly Scope[];
  readonly expires?: number;
  readonly label: string;
  readonly source?: string;
}

interface RotateOptions extends OutputOptions {
  readonly overlap: number;
  readonly expires?: number;
}

export function keyCommand(): Command {
  const command = new Command('key').description('create, list, change, rotate and revoke API keys');
  withJson(command.command('create <tenant>').description('create a key; it is shown once'))
    .addOption(
      new Option('--scope <scope...>', 'what the key allows: push accounts, read, or manage the tenant')
        .choices(SCOPES)
        .default(['sync']),
    )
    .addOption(expiry())
    .option('--label <text>', 'what the key is for', '')
    .option('--source <name>', 'the source it belongs to (default: one that is named after the label)')
    .action(createKey);
  withJson(command.command('list <tenant>').description('list the keys of a tenant')).action(listKeys);
  withJson(command.command('set <tenant> <key-id>').description('give a key another source'))
    .requiredOption('--source <name>', 'the source it belongs to from now on')
    .action(setSource);
  withJson(
    command
      .command('revoke <tenant> <key-id>')
      .description('revoke a key; servers reject it within a second'),
  ).action(revokeKey);
  withJson(
    command
      .command('rotate <tenant> <key-id>')
      .description('replace a key; the old one keeps working for a while'),
  )
    .option('--overlap <hours>', 'how long the old key keeps working', readHours, 24)
    .addOption(expiry())
    .action(rotateKey);
  return command;
}

function expiry(): Option {
  return new Option(
    '--expires <date>',
    'when it expires: a day (UTC) such as 2027-01-31, or a time',
  ).argParser(readExpiry);
}

async function createKey(name: string, options: CreateOptions): Promise<void> {
  const { label, expires: expiresAt = null } = options;
  const scopes = [...new Set(options.scope)];
  await withTenant(name, options, async ({ directory }, { id }) => {
    let { source } = options;
    const key = { tenantId: id, scopes, label, source, expiresAt };
    const issued = await issueKey(async (one) => {
      source = await directory.keys.add(one);
    }, key);
    showOnce(options, name, issued, { ...key, source });
  });
}

async function listKeys(name: string, options: OutputOptions): Promise<void> {
  const keys = await withTenant(name, options, ({ directory }, { id }) => directory.keys.list(id));
  const now = Date.now();
  const head = ['KEY', 'STATE', 'SCOPES', 'CREATED', 'LAST USED', 'EXPIRES', 'SOURCE', 'LABEL'];
  const rows = keys.map((key) => [
    key.id,
    keyState(key, now),
    key.scopes.join(', '),
    shortTime(key.createdAt),
    shortTime(key.lastUsedAt),
    shortTime(key.expiresAt),
    key.source,
    key.label,
  ]);
  const text =
    rows.length > 0 ? table(head, rows) : `No keys yet. Create one with: account-sync key create ${name}`;
  print(
    options,
    keys.map((key) => asJson(key, now)),
    text,
  );
}

async function setSource(
  name: string,
  keyId: string,
  options: OutputOptions & { readonly source: string },
): Promise<void> {
  const { source } = options;
  await withTenant(name, options, async ({ directory }, { id }) => {
    requireLive(await directory.keys.list(id), name, keyId);
    await directory.keys.moveTo(id, keyId, source);
  });
  print(options, { id: keyId, source }, `The key ${keyId} belongs to the source ${source} from now on.`);
}

async function revokeKey(name: string, keyId: string, options: OutputOptions): Promise<void> {
  await withTenant(name, options, async ({ directory }, { id }) => {
    requireLive(await directory.keys.list(id), name, keyId);
    await directory.keys.revoke(id, keyId, Date.now());
  });
  print(
    options,
    { id: keyId, state: 'revoked' },
    `Revoked ${keyId}. A running server rejects it within a second.`,
  );
}

async function rotateKey(name: string, keyId: string, options: RotateOptions): Promise<void> {
  await withTenant(name, options, async ({ directory }, { id }) => {
    const old = requireLive(await directory.keys.list(id), name, keyId);
    const until = Math.min(Date.now() + options.overlap * HOUR_MS, old.expiresAt ?? Number.POSITIVE_INFINITY);
    const { scopes, label, source } = old;
    const expiresAt = options.expires ?? old.expiresAt;
    const successor = { tenantId: id, scopes, label, source, expiresAt };
    const issued = await issueKey((key) => directory.keys.rotate(keyId, until, key), successor);
    showOnce(options, name, issued, successor, { id: keyId, expires_at: isoTime(until) });
  });
}

function showOnce(
  options: OutputOptions,
  tenant: string,
  { id, key }: ApiKey,
  { scopes, source, expiresAt }: Pick<NewKey, 'scopes' | 'source' | 'expiresAt'>,
  replaced?: { readonly id: string; readonly expires_at: string | null },
): void {
  const lines = [
    `Key      ${key}`,
    `Id       ${id}`,
    `Tenant   ${tenant}`,
    `Source   ${source}`,
    `Scopes   ${scopes.join(', ')}`,
    `Expires  ${shortTime(expiresAt)}`,
    '',
    'Save it now: it is shown only once.',
  ];
  if (replaced) lines.push(`The old key ${replaced.id} works until ${replaced.expires_at}.`);
  const expires_at = isoTime(expiresAt);
  print(
    options,
    { id, key, tenant, source, scopes, expires_at, ...(replaced && { replaced }) },
    lines.join('\n'),
  );
}

function requireLive(keys: readonly KeyRecord[], tenant: string, keyId: string): KeyRecord {
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) {
    throw new CommandFailed(
      `The tenant ${tenant} has no key ${keyId}. List its keys with: account-sync key list ${tenant}`,
    );
  }
  const state = keyState(key, Date.now());
  if (state !== 'live') throw new CommandFailed(`The key ${keyId} is already ${state}.`);
  return key;
}

function asJson(key: KeyRecord, now: number) {
  return {
    id: key.id,
    state: keyState(key, now),
    scopes: key.scopes,
    label: key.label,
    source: key.source,
    created_at: isoTime(key.createdAt),
    last_used_at: isoTime(key.lastUsedAt),
    expires_at: isoTime(key.expiresAt),
    revoked_at: isoTime(key.revokedAt),
  };
}

function readExpiry(text: string): number {
  // A day includes its last millisecond.
  const time = readDate(text) === undefined ? readDateTime(text) : `${text}T23:59:59.999Z`;
  if (time === undefined)
    throw new InvalidArgumentError('Give a day such as 2027-01-31, or a time such as 2027-01-31T12:00Z.');
  const at = Date.parse(time);
  if (at <= Date.now()) throw new InvalidArgumentError('That time is in the past.');
  return at;
}

function readHours(text: string): number {
  const hours = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(hours <= 8760)) throw new InvalidArgumentError('Give hours from 0 to 8760.');
  return hours;
}
