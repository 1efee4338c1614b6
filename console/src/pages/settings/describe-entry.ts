import type { Json } from '@account-sync/client';
import type { AuditEntry } from '../../api/audit';
import { formatInterval } from '../../components/duration';
import { formatLocalShort, plural } from '../../components/format';

interface Description {
  /** The changed object. */
  readonly subject: string;
  /** The change. Follows the subject in a sentence. */
  readonly change: string;
}

type Fields = Readonly<Record<string, Json>>;

/** Describes an audit entry. `keyName` returns the label of a key, or its id. */
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
        : {
            subject,
            change: `changed: ${differences(withOwnerText(from), withOwnerText(to)) || 'declared again without a change'}`,
          };
    case 'attribute.remove':
      return { subject, change: `no longer declared (was ${attributeText(from)})` };
    case 'blocked-id.add':
      return { subject, change: 'blocked' };
    case 'blocked-id.remove':
      return { subject, change: 'no longer blocked' };
    case 'key.create':
      return {
        subject: `Key ${keyName(subject)}`,
        change: `created with scopes ${text(to.scopes)}${sourceText(to)}; ${expiryText(to)}`,
      };
    case 'key.rotate':
      return {
        subject: `Key ${keyName(subject)}`,
        change: `replaced by ${text(to.successor)}; works until ${timeText(to.expires_at)}`,
      };
    case 'key.revoke':
      return { subject: `Key ${keyName(subject)}`, change: 'revoked' };
    case 'key.source':
      return {
        subject: `Key ${keyName(subject)}`,
        change: `moved from source ${text(entry.from)} to ${text(entry.to)}`,
      };
    case 'source.set':
      return entry.from === null
        ? { subject: `Source ${subject}`, change: `created as ${sourceDescription(to)}` }
        : {
            subject: `Source ${subject}`,
            change: `changed: ${differences(from, to) || 'saved again without a change'}`,
          };
    case 'source.remove':
      return { subject: `Source ${subject}`, change: `removed (was ${sourceDescription(from)})` };
    case 'invitation.remove':
      return { subject: `Invitation of ${subject}`, change: `removed (was as ${text(from.role)})` };
    default:
      if (action.startsWith('user.')) return { subject, change: userChange(entry, from, to) };
      return action.startsWith('webhook.')
        ? { subject: `Webhook ${subject}`, change: webhookChange(action, from, to) }
        : { subject, change: action };
  }
}

/** The subject is an e-mail address. */
function userChange({ action, ...entry }: AuditEntry, from: Fields, to: Fields): string {
  switch (action) {
    case 'user.invite':
      return `invited as ${text(to.role)}; the link works until ${timeText(to.expires_at)}`;
    case 'user.join':
      return `joined as ${text(to.role)}`;
    case 'user.change':
      return memberChange(from, to);
    case 'user.remove':
      return `removed (was ${text(from.role)}${from.disabled === true ? ', disabled' : ''})`;
    case 'user.password':
      return 'has a new password';
    case 'user.password-link':
      return `got a link to set a new password; it works until ${timeText(to.expires_at)}`;
    case 'user.rename':
      return `renamed from ${text(entry.from)} to ${text(entry.to)}`;
    case 'user.end-sessions':
      return `signed out of ${plural(Number(to.sessions), 'session')}`;
    default:
      return action;
  }
}

function memberChange(from: Fields, to: Fields): string {
  const parts = [
    from.role !== to.role && `role changed from ${text(from.role)} to ${text(to.role)}`,
    from.disabled !== to.disabled && (to.disabled === true ? 'disabled' : 'enabled'),
  ];
  return parts.filter((part) => part !== false).join('; ');
}

/** The last two are made by the service itself. */
function webhookChange(action: string, from: Fields, to: Fields): string {
  switch (action) {
    case 'webhook.create':
      return `created for ${text(to.url)}`;
    case 'webhook.change':
      return `changed: ${differences(from, to) || 'saved again without a change'}`;
    case 'webhook.pause':
      return 'paused';
    case 'webhook.resume':
      return 'resumed';
    case 'webhook.replay':
      return `replayed: gets everything after ${text(to.cursor)} again`;
    case 'webhook.rotate':
      return 'got a new secret';
    case 'webhook.remove':
      return `removed (was for ${text(from.url)})`;
    case 'webhook.paused':
      return `paused: ${text(to.reason)}`;
    case 'webhook.disabled':
      return `disabled: ${text(to.reason)}`;
    default:
      return action;
  }
}

function fieldsOf(value: Json): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function attributeText({ type, choices, read_only, indexed, label, ...ownership }: Fields): string {
  const parts = [
    type === 'choice' ? `choice: ${text(choices)}` : text(type),
    read_only === true && 'read-only',
    indexed === true && 'indexed',
    typeof ownership.owner === 'string' && `owned by ${ownerText(ownership)}`,
    typeof label === 'string' && `shown as ${label}`,
  ];
  return parts.filter((part) => part !== false).join('; ');
}

/** The owner, and what happens to values of others, as one member. */
function withOwnerText({ others, ...fields }: Fields): Fields {
  return { ...fields, owner: ownerText({ others: others ?? null, ...fields }) };
}

/** Entries of earlier versions have no owner. */
function ownerText({ owner, others }: Fields): string {
  if (typeof owner !== 'string') return 'every source';
  return `${owner} (others: ${others === 'keep' ? 'kept' : 'rejected'})`;
}

function expiryText({ expires_at }: Fields): string {
  return typeof expires_at === 'string' ? `expires ${timeText(expires_at)}` : 'never expires';
}

/** Keys that were created before there were sources have none in their entry. */
function sourceText({ source }: Fields): string {
  return typeof source === 'string' ? ` for source ${source}` : '';
}

function sourceDescription({ label, is_tracked, ...expectation }: Fields): string {
  const tracking = is_tracked === true ? '; accounts remembered' : '';
  return `${text(label)}; ${expectationText(expectation)}${tracking}`;
}

function expectationText({ expect_every_seconds: every, grace_seconds: grace }: Fields): string {
  if (typeof every !== 'number') return 'not expected regularly';
  return `expected every ${intervalText(every)}, ${intervalText(grace)} grace`;
}

function intervalText(seconds: Json | undefined): string {
  return typeof seconds === 'number' ? formatInterval(seconds) : text(seconds);
}

function timeText(at: Json | undefined): string {
  return typeof at === 'string' ? formatLocalShort(at) : 'an unknown time';
}

/** Display names of API fields. */
const DISPLAY_NAMES: Readonly<Record<string, string>> = {
  account_ids: 'account ids',
  undeclared_fields: 'undeclared fields',
  hosts: 'host names',
  history_days: 'days of history',
  rejection_days: 'days of rejections',
  batch_size: 'batch size',
  read_only: 'read-only',
  expect_every_seconds: 'expected interval',
  grace_seconds: 'grace',
  is_tracked: 'accounts remembered',
};

/** Meaning of null. */
const UNSET: Readonly<Record<string, string>> = {
  history_days: 'no limit',
  rejection_days: 'server default',
};

/** Entries of earlier versions lack later fields, which were not set then. */
function differences(from: Fields, to: Fields): string {
  return Object.keys(to)
    .filter((name) => JSON.stringify(from[name] ?? null) !== JSON.stringify(to[name] ?? null))
    .map((name) => `${DISPLAY_NAMES[name] ?? name} from ${setting(name, from)} to ${setting(name, to)}`)
    .join('; ');
}

function setting(name: string, fields: Fields): string {
  if (fields[name] === null && UNSET[name] !== undefined) return UNSET[name];
  return name.endsWith('_seconds') ? intervalText(fields[name]) : text(fields[name]);
}

function text(value: Json | undefined): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value === null || value === undefined || value === '') return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(text).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
