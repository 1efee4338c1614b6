import { LastAdminKey } from '../../../store/tenants/keys.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { KeyIdParams, requireLive } from './key-body.js';

export function revokeKey(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'revoke-key',
    tag: 'Keys',
    summary: 'Revoke a key',
    description:
      'Takes effect in every process within a second. The last key with the scope `admin` cannot be revoked.',
    schema: { params: KeyIdParams },
    responses: { 204: { description: 'Revoked.' } },
    errorStatuses: [404, 409],
  });
  app.delete('/keys/:id', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { keys } = store.directory;
    const now = clock();
    const { id } = requireLive(await keys.list(tenant.id), request.params.id, now);
    try {
      await keys.revoke(tenant.id, id, now, { by: actorOf(request, now), keepAdmin: true });
    } catch (error) {
      if (!(error instanceof LastAdminKey)) throw error;
      throw httpError('last_admin_key', id);
    }
    return reply.code(204).send();
  });
}
