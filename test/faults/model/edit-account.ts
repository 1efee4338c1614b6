import { authorizeRecord } from './authorize-record.js';
import { canonicalId } from './canonical-id.js';
import { accountBody } from './matching-accounts.js';
import type { Definition } from './operation.js';
import { invalid, notFound, problemResponse, response } from './responses.js';
import type { Json } from './stored-value.js';
import { SOME_RUN } from './tenant-model.js';
import { validateRecord } from './validate-record.js';

export interface EditAccount {
  readonly kind: 'edit';
  readonly id: string;
  /** That of `If-Match`; null for any. */
  readonly revision: number | null;
  readonly isDryRun: boolean;
  readonly edit: {
    readonly name?: Json;
    readonly parent_account_id?: Json;
    readonly fields?: Readonly<Record<string, Json>>;
    readonly archived?: boolean;
  };
}

const OWN_PROPERTIES = ['name', 'parent_account_id'];

/** One pointer per message. */
function pointers(errors: ReadonlyMap<string, readonly string[]>): string[] {
  return [...errors].flatMap(([field, messages]) => {
    const own = OWN_PROPERTIES.includes(field) ? `/body/${field}` : `/body/fields/${field}`;
    return messages.map(() => (field === 'account_id' ? '/path/id' : own));
  });
}

export const editAccount: Definition<EditAccount> = {
  scope: 'sync',
  send: (client, { id, revision, isDryRun, edit }) =>
    client.request('PATCH', `/api/v2/accounts/${encodeURIComponent(id)}?dry_run=${isDryRun}`, edit, {
      'if-match': revision === null ? '*' : `"${revision}"`,
    }),
  expect: (stored, { id: spelled, revision, isDryRun, edit }, call, { headers: { etag = 'none' } }) => {
    if (!call.key.scopes.includes('read'))
      return problemResponse(403, 'scope_missing', 'This key lacks the scope read.', call);
    const id = canonicalId(spelled, stored.rules.account_ids);
    if (!stored.accounts.has(id)) return notFound(`account ${id}`, call);
    const current = stored.changesOf(id).length;
    if (revision !== null && revision !== current) {
      const detail = `Account ${id} has changed since: you have revision ${revision}, and it is at ${current}. Read it again.`;
      const { status, body } = problemResponse(412, 'revision_changed', detail, call);
      return response(status, body, { etag });
    }
    const { fields, archived, ...own } = edit;
    const values = { ...fields, ...own };
    const record = { ...values, account_id: id };
    const hasValues = Object.keys(values).length > 0;
    const validated = validateRecord(record, stored.rules);
    if (hasValues && validated.errors !== undefined) return invalid(...pointers(validated.errors));
    const model = isDryRun ? stored.fork() : stored;
    model.push(id, call);
    const authorized = authorizeRecord(model, record, call);
    if (hasValues && authorized.errors !== undefined) return invalid(...pointers(authorized.errors));
    const patch = hasValues && authorized.errors === undefined ? authorized.patch : new Map<string, Json>();
    const { outcome, changes, kept } = model.edit(id, patch, archived, call);
    const body = {
      outcome,
      account: accountBody(model, id),
      changes,
      kept,
      run_id: isDryRun ? null : SOME_RUN,
      dry_run: isDryRun,
    };
    return response(200, body, isDryRun ? {} : { etag });
  },
};
