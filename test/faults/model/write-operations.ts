import { type Answer, answer, envelope, notFound, refusal } from './answers.js';
import { canonicalId, sentId } from './canonical-id.js';
import type { Definition } from './operation.js';
import type { Json } from './stored-value.js';
import type { Call, Refused, TenantModel } from './tenant-model.js';
import { type Verdict, verdictOn } from './verdict.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const LINES_TYPE = { 'content-type': 'application/x-ndjson' };
const DEPRECATED = {
  deprecation: '@1622419200',
  link: '</api/v2/accounts/import>; rel="successor-version"',
};
const SUCCESS = { success: true };

const parse = (text: string): Json => (text.trim() === '' ? null : JSON.parse(text));
const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const first191 = (text: string) => [...text].slice(0, 191).join('');
const idOf = (record: Json) => (isObject(record) ? sentId(record.account_id) : undefined) || null;
/** What no database keeps is shown by a sign in its place. */
const shown = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');

/** As it is found among the rejections. */
function refused(record: Json, { errors = new Map() }: Verdict, index: number | null): Partial<Refused> {
  const id = idOf(record);
  const texts = [...errors].map(([field, messages]) => [shown(field), messages.map(shown)]);
  return { index, account_id: id && shown(first191(id)), errors: Object.fromEntries(texts), record };
}

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
    model.refuse('upsert-account', call, refused(value, verdict, null));
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
      if (verdict.errors) model.refuse('upsert-batch', call, refused(records[i] ?? null, verdict, i));
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

export interface Import {
  readonly kind: 'import';
  readonly form: 'lines' | 'array';
  /** Records as JSON, or what is none. */
  readonly texts: readonly string[];
  readonly isDryRun: boolean;
}

export const importAccounts: Definition<Import> = {
  scope: 'sync',
  syncs: 'import-accounts',
  send: async (client, { form, texts, isDryRun }) => {
    const url = `/api/v2/accounts/import?dry_run=${isDryRun}`;
    const [body, type] =
      form === 'lines' ? [texts.join('\n'), LINES_TYPE] : [`[${texts.join(',')}]`, JSON_TYPE];
    return client.ask('POST', url, body, type);
  },
  expect: (stored, { form, texts, isDryRun }, call) => {
    const model = isDryRun ? stored.fork() : stored;
    if (form === 'lines' && texts.length === 0) {
      model.refuse('import-accounts', call, { problem: 'No data available.' });
      return refusal(400, 'No data available.', call);
    }
    const summary = { records: texts.length, created: 0, updated: 0, unchanged: 0, failed: 0 };
    const lines = texts.map((text, index) => {
      const line = lineOf(model, text, index, call);
      summary[line.status] += 1;
      return line;
    });
    const end = { dry_run: isDryRun, is_complete: true, problem: null };
    return answer(200, [...lines, { summary: { ...summary, ...end } }]);
  },
};

function lineOf(model: TenantModel, text: string, index: number, call: Call) {
  let record: Json;
  try {
    record = JSON.parse(text);
  } catch {
    const problem = `The record is not valid JSON: unexpected end at line 1, column ${text.length + 1}.`;
    model.refuse('import-accounts', call, { index, problem });
    return { index, account_id: null, status: 'failed' as const, problem };
  }
  const verdict = verdictOn(record, model.rules);
  if (verdict.errors === undefined) {
    const { outcome, changed } = model.upsert(verdict.id, verdict.patch, call);
    return { index, account_id: verdict.id, status: outcome, changed };
  }
  model.refuse('import-accounts', call, refused(record, verdict, index));
  const id = idOf(record);
  const errors = Object.fromEntries(verdict.errors);
  return { index, account_id: id && first191(id), status: 'failed' as const, errors };
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
