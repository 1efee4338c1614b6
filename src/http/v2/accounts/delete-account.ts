import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams } from '../schemas.js';
import { findAccount } from './account-body.js';
import { eraseAccounts } from './erase-accounts.js';

export function deleteAccount(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'delete-account',
    tag: 'Accounts',
    summary: 'Erase an account and the values in its history',
    description:
      'The change feed reports the deletion, so that its readers can delete the account, too. A later upsert creates ' +
      'a new account.',
    schema: { params: AccountIdParams },
    responses: { 204: { description: 'Erased.' } },
    errorStatuses: [404, 503],
  });
  app.delete('/accounts/:id', options, async (request, reply) => {
    const { senderId, tenant } = principalOf(request);
    const { accountId } = await findAccount(store, request);
    const { deleted } = await eraseAccounts(store, {
      tenantId: tenant.id,
      senderId,
      requestId: request.id,
      at: clock(),
      patches: [{ accountId, fields: {}, erase: true }],
      bytes: 0,
    });
    if (deleted === 0) throw httpError('not_found', `account ${accountId}`);
    return reply.code(204).send();
  });
}
