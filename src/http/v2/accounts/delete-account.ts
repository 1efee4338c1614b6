import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams } from '../schemas.js';
import { findAccount } from './account-body.js';

export function deleteAccount(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'delete-account',
    tag: 'Accounts',
    summary: 'Erase an account and the values in its history',
    description:
      'The feed of changes tells of it, so that those who follow can do the same. A later upsert creates it anew.',
    schema: { params: AccountIdParams },
    answers: { 204: { description: 'Erased' } },
    refusals: [404, 503],
  });
  app.delete('/accounts/:id', options, async (request, reply) => {
    const { keyId, tenant } = principalOf(request);
    const { accountId } = await findAccount(store, request);
    await store.jobs.eraseTraces(tenant.id, accountId);
    const { deleted } = await store.upsert({
      tenantId: tenant.id,
      keyId,
      requestId: request.id,
      at: clock(),
      patches: [{ accountId, fields: {}, erase: true }],
      bytes: 0,
    });
    if (deleted === 0) throw httpError('not_found', `account ${accountId}`);
    // What was written since: from now on a refusal of before is not.
    await store.jobs.forgetRejections(tenant.id, accountId);
    return reply.code(204).send();
  });
}
