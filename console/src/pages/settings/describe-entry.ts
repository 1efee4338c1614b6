import type { Json } from '@account-sync/client';
import type { AuditEntry } from '../../api/audit';
import { formatLocalShort } from '../../parts/format';

interface Description {
  /** What was changed. */
  readonly subject: string;
  /** What was done to it; with the subject before it, a sentence. */
  readonly change: string;
}

type Fields = Readonly<Record<string, Json>>;

/** `keyName` gives the label of a key, where it is known. */
export function describeEntry(entry: AuditEntry, keyName: (id: string) => string): Description {
  const { action, subject } = entry;
  const [from, to] = [fieldsOf(entry.from), fieldsOf(entry.to)];
  switch (action) {
    case 'tenant.create':
      return { subject: `Tenant ${subject}`, change: 'created' };
    case 'settings.change':
      return { subject: 'Settings', change: `changed: ${differences(from, to)}` };
    case 'attribute.set':
      return entry.from === null
        ? { subject, change: `declared as ${attributeText(to)}` }
        : { subject, change: `changed: ${differences(from, to) || 'declared again as it was'}` };
    case 'attribute.remove':
      return { subject, change: `no longer declared; it was ${attributeText(from)}` };
    case 'blocked-id.add':
      return { subject, change: 'blocked' };
    case 'blocked-id.remove':
      return { subject, change: 'no longer blocked' };
    case 'key.create':
      return { subject: `Key ${keyName(subject)}`, change: `created for ${text(to.scopes)}; ${endText(to)}` };
    case 'key.rotate':
      return {
        subject: `Key ${keyName(subject)}`,
        change: `replaced by ${text(to.successor)}; works until ${momentText(to.expires_at)}`,
      };
    case 'key.revoke':
      return { subject: `Key ${keyName(subject)}`, change: 'revoked' };
    default:
      return { subject, change: action };
  }
}

function fieldsOf(value: Json): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function attributeText({ type, choices, read_only, indexed }: Fields): string {
  const kind = type === 'choice' ? `choice: ${text(choices)}` : text(type);
  return `${kind}${read_only === true ? '; read-only' : ''}${indexed === true ? '; indexed' : ''}`;
}

function endText({ expires_at }: Fields): string {
  return typeof expires_at === 'string' ? `ends ${momentText(expires_at)}` : 'never ends';
}

function momentText(at: Json | undefined): string {
  return typeof at === 'string' ? formatLocalShort(at) : 'an unknown time';
}

/** Names of the wire in plain words. */
const WORDS: Readonly<Record<string, string>> = {
  account_ids: 'account ids',
  undeclared_fields: 'undeclared fields',
  hosts: 'host names',
  history_days: 'days of history',
  rejection_days: 'days of refusals',
  read_only: 'read-only',
};

/** What it means that nothing is set. */
const UNSET: Readonly<Record<string, string>> = {
  history_days: 'no end',
  rejection_days: 'as many as the server says',
};

function differences(from: Fields, to: Fields): string {
  return Object.keys(to)
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map((name) => `${WORDS[name] ?? name} from ${setting(name, from)} to ${setting(name, to)}`)
    .join('; ');
}

function setting(name: string, fields: Fields): string {
  return fields[name] === null && UNSET[name] !== undefined ? UNSET[name] : text(fields[name]);
}

function text(value: Json | undefined): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(text).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
