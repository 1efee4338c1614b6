import Type from 'typebox';
import type { Account } from '../../../domain/account.js';
import type { UpsertRequest } from '../../../store/requests.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { RunningStreams } from '../stream-lines.js';
import { BYTES_PER_EDIT } from './account-edit.js';
import { SELECTION_PROPERTIES } from './account-selection.js';
import { eraseAccounts } from './erase-accounts.js';
import { manyResponse } from './many-response.js';
import { streamManyAccounts } from './stream-many-accounts.js';

const Body = Type.Object(SELECTION_PROPERTIES, {
  additionalProperties: false,
  examples: [{ ids: ['acme'], dry_run: true }],
});

export function deleteAccounts(app: V2App, parts: V2Parts): void {
  const streams = new RunningStreams(app);
  const access = 'admin';
  const options = operation(parts, access, {
    id: 'delete-accounts',
    tag: 'Accounts',
    summary: 'Erase many accounts and the values in their histories',
    description:
      'Erases the accounts with these `ids`, or all that match, as `DELETE /accounts/{id}` does; try it with `dry_run` ' +
      'first. It cannot be undone. An account that matches and is changed at the same moment is rejected as `changed`. ' +
      'Unless the last line is a summary with `is_complete: true`, send the request again for the rest.',
    schema: { body: Body },
    responses: { 200: manyResponse('deleted') },
  });
  app.post('/accounts/delete', options, (request, reply) => {
    const { ids } = request.body;
    const plan = ({ accountId, revision }: Account) => {
      const edit = ids === undefined ? { revision } : {};
      return { patch: { accountId, fields: {}, erase: true, edit } } as const;
    };
    const write = (upsert: UpsertRequest) => eraseAccounts(parts.store, upsert);
    const work = {
      what: 'deletion of many accounts',
      access,
      hasRun: false,
      plan,
      bytesPerPatch: BYTES_PER_EDIT,
      write,
    } as const;
    return streamManyAccounts(streams, request, reply, work, parts);
  });
}
