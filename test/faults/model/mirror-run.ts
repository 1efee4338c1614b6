import { compare } from './matching-accounts.js';
import type { Definition } from './operation.js';
import { response } from './responses.js';
import { sourceOf } from './tenant-model.js';
import { batch } from './write-operations.js';

/** A run that asks for missing accounts, with one batch. Any share of the accounts may be missing. */
export interface MirrorRun {
  readonly kind: 'mirror-run';
  readonly missing: 'archive' | 'report';
  /** The batch. */
  readonly text: string;
}

interface Listed {
  readonly data: readonly { readonly account_id: string }[];
}

export const mirrorRun: Definition<MirrorRun> = {
  scope: 'sync',
  send: async (client, { missing: action, text }) => {
    const opened = await client.request('POST', '/api/v2/runs', { missing: action });
    if (opened.status !== 201) return opened;
    const { id } = opened.body as { id: string };
    const json = { 'content-type': 'application/json', 'account-sync-run': id };
    const sent = await client.request('POST', '/api/v1_1/accounts', text, json);
    const finished = await client.request('POST', `/api/v2/runs/${id}/finish`, { max_missing_percent: 100 });
    const { state, archived, missing } = finished.body as Record<string, unknown>;
    const listed = await client.request('GET', `/api/v2/runs/${id}/missing`);
    return response(finished.status, {
      sent: { status: sent.status, body: sent.body },
      finished: { state, archived, missing },
      // A key without the scope read cannot list them.
      listed:
        listed.status === 200
          ? (listed.body as Listed).data.map(({ account_id }) => account_id)
          : listed.status,
    });
  },
  expect: (model, { missing: action, text }, call) => {
    const source = sourceOf(call.key);
    const earlier = model.pushed.get(source) ?? new Set<string>();
    const sinceOpened = new Set<string>();
    model.pushed.set(source, sinceOpened);
    const { status, body } = batch.expect(model, { kind: 'batch', text }, call, response(0));
    if (!model.seeded.has(source)) for (const id of model.createdBy(source)) earlier.add(id);
    model.seeded.add(source);
    const listed = new Set(model.listed);
    const missing = [...earlier].filter((id) => listed.has(id) && !sinceOpened.has(id)).toSorted(compare);
    const all = new Set([...earlier, ...sinceOpened]);
    const of = [...all].filter((id) => listed.has(id)).length;
    const archived = action === 'archive' ? missing : [];
    for (const id of archived) {
      model.archiveMissing(id, call);
      all.delete(id);
    }
    model.pushed.set(source, all);
    return response(200, {
      sent: { status, body },
      finished: {
        state: 'finished',
        archived: archived.length,
        missing: { action, accounts: missing.length, of },
      },
      listed: !call.key.scopes.includes('read') ? 403 : action === 'archive' ? [] : missing,
    });
  },
};
