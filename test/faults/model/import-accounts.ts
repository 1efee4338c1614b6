import { authorizeRecord } from './authorize-record.js';
import type { Definition } from './operation.js';
import { rejectedRecord, shownId } from './rejected-record.js';
import { problemResponse, response } from './responses.js';
import type { Json } from './stored-value.js';
import type { Call, Outcome, TenantModel } from './tenant-model.js';

export interface Import {
  readonly kind: 'import';
  readonly form: 'lines' | 'array';
  /** Records as JSON, or texts that are not valid JSON. */
  readonly texts: readonly string[];
  readonly isDryRun: boolean;
  readonly mode?: 'upsert' | 'update-only' | 'create-only' | undefined;
}

export const importAccounts: Definition<Import> = {
  scope: 'sync',
  syncs: 'import-accounts',
  send: async (client, { form, texts, isDryRun, mode }) => {
    const url = `/api/v2/accounts/import?dry_run=${isDryRun}${mode === undefined ? '' : `&mode=${mode}`}`;
    const [body, type] =
      form === 'lines'
        ? [texts.join('\n'), 'application/x-ndjson']
        : [`[${texts.join(',')}]`, 'application/json'];
    return client.request('POST', url, body, { 'content-type': type });
  },
  expect: (stored, { form, texts, isDryRun, mode }, call) => {
    const model = isDryRun ? stored.fork() : stored;
    if (form === 'lines' && texts.length === 0) {
      model.reject('import-accounts', call, { problem: 'No data available.' });
      return problemResponse(400, 'no_data', 'No data available.', call);
    }
    const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };
    const summary = { records: texts.length, ...counts, kept: 0 };
    const lines = texts.map((text, index) => {
      const line = lineOf(model, text, index, call, mode);
      summary[line.status] += 1;
      summary.kept += line.kept?.length ?? 0;
      return line;
    });
    const end = { dry_run: isDryRun, is_complete: true, problem: null };
    return response(200, [...lines, { summary: { ...summary, ...end } }]);
  },
};

interface Line {
  readonly index: number;
  readonly account_id: string | null;
  readonly status: Outcome | 'skipped' | 'failed';
  readonly changed?: string[];
  readonly kept?: string[];
  readonly errors?: unknown;
  readonly problem?: string;
}

function lineOf(model: TenantModel, text: string, index: number, call: Call, mode: Import['mode']): Line {
  let record: Json;
  try {
    record = JSON.parse(text);
  } catch {
    const problem = `The record is not valid JSON: unexpected end at line 1, column ${text.length + 1}.`;
    model.reject('import-accounts', call, { index, problem });
    return { index, account_id: null, status: 'failed', problem };
  }
  const validated = authorizeRecord(model, record, call);
  if (validated.id !== undefined) model.push(validated.id, call);
  if (validated.errors === undefined) {
    const account_id = validated.id;
    if (mode === (model.accounts.has(account_id) ? 'create-only' : 'update-only'))
      return { index, account_id, status: 'skipped', changed: [] };
    const { outcome, changed, kept } = model.upsert(account_id, validated.patch, call);
    return { index, account_id, status: outcome, changed, ...(kept.length > 0 && { kept }) };
  }
  model.reject('import-accounts', call, rejectedRecord(record, validated, index));
  const errors = Object.fromEntries(validated.errors);
  return { index, account_id: shownId(record), status: 'failed', errors };
}
