import { type Answer, answer, envelope, notFound } from './answers.js';
import { canonicalId } from './canonical-id.js';
import type { Definition } from './operation.js';
import { refusedRecord } from './refused-record.js';
import { isObject, type Json } from './stored-value.js';
import type { Call, TenantModel } from './tenant-model.js';
import { type Verdict, verdictOn } from './verdict.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const DEPRECATED = {
  deprecation: '@1622419200',
  link: '</api/v2/accounts/import>; rel="successor-version"',
};
const SUCCESS = { success: true };

const parse = (text: string): Json => (text.trim() === '' ? null : JSON.parse(text));

export interface Upsert {
  readonly kind: 'upsert';
  readonly text: string;
}

export const upsert: Definition<Upsert> = {
  scope: 'sync',
  syncs: 'upsert-account',
  isContract: true,
  send: (client, { text }) => client.ask('POST', '/api/v1_1/account', text, JSON_TYPE),
  expect: (model, { text }, call) => {
    const value = parse(text);
    const problem =
      Object.keys(value ?? {}).length === 0 && typeof value === 'object'
        ? 'No data available.'
        : 'Invalid data.';
    if (!isObject(value) || Object.keys(value).length === 0) {
      model.refuse('upsert-account', call, { problem });
      return envelope(400, problem);
    }
    const verdict = verdictOn(value, model.rules);
    if (verdict.errors === undefined) {
      const { outcome } = model.upsert(verdict.id, verdict.patch, call);
      return answer(200, SUCCESS, { 'account-sync-result': outcome });
    }
    model.refuse('upsert-account', call, refusedRecord(value, verdict, null));
    return answer(400, {
      success: false,
      errors: [...verdict.errors.values()].flat(),
      errors_by_attributes: [Object.fromEntries(verdict.errors)],
    });
  },
};

export interface Batch {
  readonly kind: 'batch';
  readonly text: string;
}

export const batch: Definition<Batch> = {
  scope: 'sync',
  syncs: 'upsert-batch',
  isContract: true,
  headers: DEPRECATED,
  send: (client, { text }) => client.ask('POST', '/api/v1_1/accounts', text, JSON_TYPE),
  expect: (model, { text }, call) => {
    const records = parse(text);
    if (!Array.isArray(records) || records.length === 0) {
      model.refuse('upsert-batch', call, { problem: 'Invalid data.' });
      return envelope(400, 'Invalid data.');
    }
    const verdicts = records.map((record) => verdictOn(record, model.rules));
    if (verdicts.every(({ errors }) => errors === undefined)) {
      const counts = storeAll(model, verdicts, call);
      const result = Object.entries(counts).map(([outcome, count]) => `${outcome}=${count}`);
      return answer(200, SUCCESS, { 'account-sync-result': result.join(', ') });
    }
    for (const [i, verdict] of verdicts.entries())
      if (verdict.errors) model.refuse('upsert-batch', call, refusedRecord(records[i] ?? null, verdict, i));
    const all = verdicts.map(({ errors = new Map<string, string[]>() }) => errors);
    return answer(400, {
      success: false,
      errors: all.map((errors) => [...errors.values()].flat()),
      errors_by_attributes: all.map((errors) => Object.fromEntries(errors)),
    });
  },
};

function storeAll(model: TenantModel, verdicts: readonly Verdict[], call: Call) {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const verdict of verdicts)
    if (!verdict.errors) counts[model.upsert(verdict.id, verdict.patch, call).outcome] += 1;
  return counts;
}

export interface Delete {
  readonly kind: 'delete';
  readonly id: string;
}

export const deleteAccount: Definition<Delete> = {
  scope: 'admin',
  send: (client, { id }) => client.ask('DELETE', `/api/v2/accounts/${encodeURIComponent(id)}`),
  expect: (model, { id }, call): Answer => {
    const mode = model.rules.account_ids;
    const canonical = canonicalId(id, mode);
    if (!model.accounts.has(canonical)) return notFound(`account ${canonical}`, call);
    model.erase(canonical, call, ({ account_id }) => canonicalId(account_id ?? '', mode) === canonical);
    return answer(204);
  },
};
