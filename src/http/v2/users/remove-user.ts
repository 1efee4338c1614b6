import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { rejectOwnUser, UserIdParams } from './user-body.js';

export function removeUser(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'remove-user',
    tag: 'Users',
    summary: 'Remove a user from the tenant',
    description:
      'Ends the sessions of the user in the tenant. The history goes on naming the user, who can be invited again. ' +
      'A user who leaves the last tenant loses the password.',
    schema: { params: UserIdParams },
    responses: { 204: { description: 'Removed.' } },
    errorStatuses: [404, 409],
  });
  app.delete('/users/:id', options, async (request, reply) => {
    const principal = principalOf(request);
    const { id } = request.params;
    rejectOwnUser(principal, id);
    const isRemoved = await store.directory.users.remove(principal.tenant.id, id, actorOf(request, clock()));
    if (!isRemoved) throw httpError('not_found', `user ${id}`);
    return reply.code(204).send();
  });
}
