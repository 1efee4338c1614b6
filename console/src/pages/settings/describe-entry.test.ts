import type { Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { formatLocalShort } from '../../components/format';
import { describeEntry } from './describe-entry';

const AT = '2027-01-31T12:00:00.000Z';
const text = { type: 'text', choices: [], read_only: false, indexed: false };
const owned = { ...text, owner: 'billing', others: 'reject' };
const unowned = { ...text, owner: null, others: null };
const presentation = { label: null, description: null, unit: null, position: null, group: null };
const choice = { type: 'choice', choices: ['gold', 'silver'], read_only: true, indexed: true };
const settings = {
  account_ids: 'any',
  undeclared_fields: 'keep',
  hosts: [],
  history_days: null,
  rejection_days: null,
};
const unexpected = { label: 'CRM', expect_every_seconds: null, grace_seconds: 0, is_tracked: false };
const daily = { label: 'CRM', expect_every_seconds: 86_400, grace_seconds: 7_200, is_tracked: false };
const webhook = {
  url: 'https://a.test/',
  description: '',
  events: ['account.created'],
  filter: { sources: [], fields: [], values: {} },
  batch_size: 100,
  state: 'active',
  cursor: '0~512',
};
const tracked = { ...unexpected, is_tracked: true };

function sentence(action: string, subject: string, from: Json, to: Json): string {
  const entry = {
    id: '1',
    at: AT,
    via: 'api',
    key_id: 'ops',
    user: null,
    request_id: 'r',
    action,
    subject,
    from,
    to,
  } as const;
  const described = describeEntry(entry, (id) => `label of ${id}`);
  return `${described.subject} ${described.change}`;
}

describe('describeEntry', () => {
  it.each<[string, string, Json, Json, string]>([
    ['tenant.create', 'acme', null, settings, 'Tenant acme created'],
    [
      'settings.change',
      'settings',
      settings,
      { ...settings, account_ids: 'domain', hosts: ['a.test', 'b.test'] },
      'Settings changed: account ids from any to domain; host names from none to a.test, b.test',
    ],
    [
      'settings.change',
      'settings',
      { ...settings, rejection_days: 30 },
      { ...settings, history_days: 365 },
      'Settings changed: days of history from no limit to 365; days of rejections from 30 to server default',
    ],
    ['attribute.set', 'custom_X', null, text, 'custom_X declared as text'],
    [
      'attribute.set',
      'custom_X',
      null,
      choice,
      'custom_X declared as choice: gold, silver; read-only; indexed',
    ],
    [
      'attribute.set',
      'custom_X',
      text,
      choice,
      'custom_X changed: type from text to choice; choices from none to gold, silver; read-only from no to yes; indexed from no to yes',
    ],
    ['attribute.set', 'custom_X', text, text, 'custom_X changed: declared again without a change'],
    [
      'attribute.set',
      'custom_X',
      null,
      owned,
      'custom_X declared as text; owned by billing (others: rejected)',
    ],
    [
      'attribute.set',
      'custom_X',
      unowned,
      owned,
      'custom_X changed: owner from every source to billing (others: rejected)',
    ],
    [
      'attribute.set',
      'custom_X',
      owned,
      { ...owned, others: 'keep' },
      'custom_X changed: owner from billing (others: rejected) to billing (others: kept)',
    ],
    ['attribute.set', 'custom_X', text, unowned, 'custom_X changed: declared again without a change'],
    [
      'attribute.set',
      'custom_X',
      null,
      { ...unowned, ...presentation, label: 'X' },
      'custom_X declared as text; shown as X',
    ],
    [
      'attribute.set',
      'custom_X',
      unowned,
      { ...unowned, ...presentation },
      'custom_X changed: declared again without a change',
    ],
    [
      'attribute.set',
      'custom_X',
      { ...unowned, ...presentation, position: 0 },
      { ...unowned, ...presentation, label: 'X', group: 'Money' },
      'custom_X changed: label from none to X; position from 0 to none; group from none to Money',
    ],
    ['attribute.remove', 'custom_X', text, null, 'custom_X no longer declared (was text)'],
    ['blocked-id.add', '*.test', null, '*.test', '*.test blocked'],
    ['blocked-id.remove', '*.test', '*.test', null, '*.test no longer blocked'],
    [
      'key.create',
      'k1',
      null,
      { scopes: ['sync', 'read'], label: 'crm', expires_at: null },
      'Key label of k1 created with scopes sync, read; never expires',
    ],
    [
      'key.create',
      'k1',
      null,
      { scopes: ['sync'], label: 'crm', expires_at: AT },
      `Key label of k1 created with scopes sync; expires ${formatLocalShort(AT)}`,
    ],
    [
      'key.rotate',
      'k1',
      null,
      { successor: 'k2', expires_at: AT },
      `Key label of k1 replaced by k2; works until ${formatLocalShort(AT)}`,
    ],
    ['key.revoke', 'k1', null, null, 'Key label of k1 revoked'],
    [
      'key.create',
      'k1',
      null,
      { scopes: ['sync'], label: 'CRM', source: 'crm', expires_at: null },
      'Key label of k1 created with scopes sync for source crm; never expires',
    ],
    ['key.source', 'k1', 'crm', 'billing', 'Key label of k1 moved from source crm to billing'],
    ['key.source', 'k1', null, 'billing', 'Key label of k1 moved from source none to billing'],
    ['source.set', 'crm', null, unexpected, 'Source crm created as CRM; not expected regularly'],
    ['source.set', 'crm', null, daily, 'Source crm created as CRM; expected every 1 day, 2 hours grace'],
    [
      'source.set',
      'crm',
      unexpected,
      { ...daily, label: 'Salesforce' },
      'Source crm changed: label from CRM to Salesforce; expected interval from none to 1 day; grace from 0 minutes to 2 hours',
    ],
    [
      'source.set',
      'crm',
      null,
      tracked,
      'Source crm created as CRM; not expected regularly; accounts remembered',
    ],
    ['source.set', 'crm', unexpected, tracked, 'Source crm changed: accounts remembered from no to yes'],
    ['source.set', 'crm', daily, daily, 'Source crm changed: saved again without a change'],
    [
      'source.remove',
      'crm',
      daily,
      null,
      'Source crm removed (was CRM; expected every 1 day, 2 hours grace)',
    ],
    ['webhook.create', 'wh_1', null, webhook, 'Webhook wh_1 created for https://a.test/'],
    [
      'webhook.change',
      'wh_1',
      webhook,
      { ...webhook, description: 'CRM', events: ['account.created', 'account.deleted'], batch_size: 1 },
      'Webhook wh_1 changed: description from none to CRM; events from account.created to account.created, account.deleted; batch size from 100 to 1',
    ],
    ['webhook.change', 'wh_1', webhook, webhook, 'Webhook wh_1 changed: saved again without a change'],
    ['webhook.pause', 'wh_1', webhook, { ...webhook, state: 'paused' }, 'Webhook wh_1 paused'],
    ['webhook.resume', 'wh_1', { ...webhook, state: 'paused' }, webhook, 'Webhook wh_1 resumed'],
    [
      'webhook.replay',
      'wh_1',
      webhook,
      { ...webhook, cursor: '0~7' },
      'Webhook wh_1 replayed: gets everything after 0~7 again',
    ],
    ['webhook.rotate', 'wh_1', webhook, webhook, 'Webhook wh_1 got a new secret'],
    ['webhook.remove', 'wh_1', webhook, null, 'Webhook wh_1 removed (was for https://a.test/)'],
    [
      'webhook.paused',
      'wh_1',
      null,
      { reason: 'It has taken nothing for three days.' },
      'Webhook wh_1 paused: It has taken nothing for three days.',
    ],
    [
      'webhook.disabled',
      'wh_1',
      null,
      { reason: 'It answered 410: it is gone.' },
      'Webhook wh_1 disabled: It answered 410: it is gone.',
    ],
    [
      'user.invite',
      'kim@a.test',
      null,
      { role: 'editor', expires_at: AT },
      `kim@a.test invited as editor; the link works until ${formatLocalShort(AT)}`,
    ],
    ['user.join', 'kim@a.test', null, { role: 'editor' }, 'kim@a.test joined as editor'],
    [
      'user.change',
      'kim@a.test',
      { role: 'editor', disabled: false },
      { role: 'viewer', disabled: false },
      'kim@a.test role changed from editor to viewer',
    ],
    [
      'user.change',
      'kim@a.test',
      { role: 'viewer', disabled: false },
      { role: 'viewer', disabled: true },
      'kim@a.test disabled',
    ],
    [
      'user.change',
      'kim@a.test',
      { role: 'viewer', disabled: true },
      { role: 'admin', disabled: false },
      'kim@a.test role changed from viewer to admin; enabled',
    ],
    [
      'user.remove',
      'kim@a.test',
      { role: 'viewer', disabled: true },
      null,
      'kim@a.test removed (was viewer, disabled)',
    ],
    ['user.remove', 'kim@a.test', { role: 'admin', disabled: false }, null, 'kim@a.test removed (was admin)'],
    ['user.password', 'kim@a.test', null, null, 'kim@a.test has a new password'],
    [
      'user.password-link',
      'kim@a.test',
      null,
      { expires_at: AT },
      `kim@a.test got a link to set a new password; it works until ${formatLocalShort(AT)}`,
    ],
    ['user.rename', 'kim@a.test', 'Kim', 'Kim Poe', 'kim@a.test renamed from Kim to Kim Poe'],
    ['user.end-sessions', 'kim@a.test', null, { sessions: 1 }, 'kim@a.test signed out of 1 session'],
    ['user.end-sessions', 'kim@a.test', null, { sessions: 2 }, 'kim@a.test signed out of 2 sessions'],
    ['user.new', 'kim@a.test', null, null, 'kim@a.test user.new'],
    [
      'invitation.remove',
      'kim@a.test',
      { role: 'editor' },
      null,
      'Invitation of kim@a.test removed (was as editor)',
    ],
    ['webhook.new', 'wh_1', null, null, 'Webhook wh_1 webhook.new'],
    ['something.new', 'x', { a: 1 }, [2], 'x something.new'],
  ])('describes %s %s', (action, subject, from, to, expected) => {
    expect(sentence(action, subject, from, to)).toBe(expected);
  });
});
