import type { Definition } from './operation.js';
import { rejectedRecord, shownId } from './rejected-record.js';
import { problemResponse, response } from './responses.js';
import type { Json } from './stored-value.js';
import type { Call, TenantModel } from './tenant-model.js';
import { validateRecord } from './validate-record.js';

export interface Import {
  readonly kind: 'import';
  readonly form: 'lines' | 'array';
  /** Records as JSON, or texts that are not valid JSON. */
  readonly texts: readonly string[];
  readonly isDryRun: boolean;
}

export const importAccounts: Definition<Import> = {
  scope: 'sync',
  syncs: 'import-accounts',
  send: async (client, { form, texts, isDryRun }) => {
    const url = `/api/v2/accounts/import?dry_run=${isDryRun}`;
    const [body, type] =
      form === 'lines'
        ? [texts.join('\n'), 'application/x-ndjson']
        : [`[${texts.join(',')}]`, 'application/json'];
    return client.request('POST', url, body, { 'content-type': type });
  },
  expect: (stored, { form, texts, isDryRun }, call) => {
    const model = isDryRun ? stored.fork() : stored;
    if (form === 'lines' && texts.length === 0) {
      model.reject('import-accounts', call, { problem: 'No data available.' });
      return problemResponse(400, 'no_data', 'No data available.', call);
    }
    const summary = { records: texts.length, created: 0, updated: 0, unchanged: 0, failed: 0 };
    const lines = texts.map((text, index) => {
      const line = lineOf(model, text, index, call);
      summary[line.status] += 1;
      return line;
    });
    const end = { dry_run: isDryRun, is_complete: true, problem: null };
    return response(200, [...lines, { summary: { ...summary, ...end } }]);
  },
};

function lineOf(model: TenantModel, text: string, index: number, call: Call) {
  let record: Json;
  try {
    record = JSON.parse(text);
  } catch {
    const problem = `The record is not valid JSON: unexpected end at line 1, column ${text.length + 1}.`;
    model.reject('import-accounts', call, { index, problem });
    return { index, account_id: null, status: 'failed' as const, problem };
  }
  const validated = validateRecord(record, model.rules);
  if (validated.id !== undefined) model.push(validated.id, call);
  if (validated.errors === undefined) {
    const { outcome, changed } = model.upsert(validated.id, validated.patch, call);
    return { index, account_id: validated.id, status: outcome, changed };
  }
  model.reject('import-accounts', call, rejectedRecord(record, validated, index));
  const errors = Object.fromEntries(validated.errors);
  return { index, account_id: shownId(record), status: 'failed' as const, errors };
}
