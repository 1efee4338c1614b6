import { authorizeRecord } from './authorize-record.js';
import { canonicalId } from './canonical-id.js';
import type { Definition } from './operation.js';
import { rejectedRecord } from './rejected-record.js';
import { envelope, type ModelResponse, notFound, response } from './responses.js';
import { isObject, type Json } from './stored-value.js';
import type { Call, TenantModel } from './tenant-model.js';
import { type ValidationResult, validateRecord } from './validate-record.js';

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
  send: (client, { text }) => client.request('POST', '/api/v1_1/account', text, JSON_TYPE),
  expect: (model, { text }, call) => {
    const value = parse(text);
    const problem =
      Object.keys(value ?? {}).length === 0 && typeof value === 'object'
        ? 'No data available.'
        : 'Invalid data.';
    if (!isObject(value) || Object.keys(value).length === 0) {
      model.reject('upsert-account', call, { problem });
      return envelope(400, problem);
    }
    const validated = authorizeRecord(model, value, call);
    if (validated.id !== undefined) model.push(validated.id, call);
    if (validated.errors === undefined) {
      const { outcome, kept } = model.upsert(validated.id, validated.patch, call);
      return response(200, SUCCESS, { 'account-sync-result': outcome, ...keptHeader(kept) });
    }
    model.reject('upsert-account', call, rejectedRecord(value, validated, null));
    return response(400, {
      success: false,
      errors: [...validated.errors.values()].flat(),
      errors_by_attributes: [Object.fromEntries(validated.errors)],
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
  send: (client, { text }) => client.request('POST', '/api/v1_1/accounts', text, JSON_TYPE),
  expect: (model, { text }, call) => {
    const records = parse(text);
    if (!Array.isArray(records) || records.length === 0) {
      model.reject('upsert-batch', call, { problem: 'Invalid data.' });
      return envelope(400, 'Invalid data.');
    }
    const areValid = records.every((record) => validateRecord(record, model.rules).errors === undefined);
    // Owners are compared in the write, which a batch with other errors does not reach.
    const validatedRecords = records.map((record) =>
      areValid ? authorizeRecord(model, record, call) : validateRecord(record, model.rules),
    );
    for (const { id } of validatedRecords) if (id !== undefined) model.push(id, call);
    if (validatedRecords.every(({ errors }) => errors === undefined)) {
      const { counts, kept } = storeAll(model, validatedRecords, call);
      const result = Object.entries(counts).map(([outcome, count]) => `${outcome}=${count}`);
      return response(200, SUCCESS, { 'account-sync-result': result.join(', '), ...keptHeader(kept) });
    }
    for (const [i, validated] of validatedRecords.entries())
      if (validated.errors)
        model.reject('upsert-batch', call, rejectedRecord(records[i] ?? null, validated, i));
    const all = validatedRecords.map(({ errors = new Map<string, string[]>() }) => errors);
    return response(400, {
      success: false,
      errors: all.map((errors) => [...errors.values()].flat()),
      errors_by_attributes: all.map((errors) => Object.fromEntries(errors)),
    });
  },
};

function storeAll(model: TenantModel, validatedRecords: readonly ValidationResult[], call: Call) {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  const kept: string[] = [];
  for (const validated of validatedRecords) {
    if (validated.errors) continue;
    const stored = model.upsert(validated.id, validated.patch, call);
    counts[stored.outcome] += 1;
    kept.push(...stored.kept);
  }
  return { counts, kept };
}

/** The fields with the number of kept values, in the order in which they first occur. */
function keptHeader(kept: readonly string[]): Record<string, string> {
  if (kept.length === 0) return {};
  const entries = [...new Set(kept)].map((field) => {
    const values = kept.filter((one) => one === field).length;
    return `${encodeURIComponent(field)}=${values}`;
  });
  return { 'account-sync-kept': entries.join(', ') };
}

export interface Delete {
  readonly kind: 'delete';
  readonly id: string;
}

export const deleteAccount: Definition<Delete> = {
  scope: 'admin',
  send: (client, { id }) => client.request('DELETE', `/api/v2/accounts/${encodeURIComponent(id)}`),
  expect: (model, { id }, call): ModelResponse => {
    const mode = model.rules.account_ids;
    const canonical = canonicalId(id, mode);
    if (!model.accounts.has(canonical)) return notFound(`account ${canonical}`, call);
    model.erase(canonical, call, ({ account_id }) => canonicalId(account_id ?? '', mode) === canonical);
    return response(204);
  },
};
