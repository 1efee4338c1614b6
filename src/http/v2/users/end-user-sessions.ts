import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { EndedSchema } from '../sessions/end-other-sessions.js';
import { UserIdParams } from './user-body.js';

export function endUserSessions(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'end-user-sessions',
    tag: 'Users',
    summary: 'End all sessions of a user in the tenant',
    description: 'Takes effect in every process within a second. The user can sign in again.',
    schema: { params: UserIdParams },
    responses: { 200: { description: 'Ended.', schema: EndedSchema } },
    errorStatuses: [404],
  });
  app.delete('/users/:id/sessions', options, async (request) => {
    const { tenant } = principalOf(request);
    const { id } = request.params;
    const { users } = store.directory;
    if ((await users.member(tenant.id, id)) === undefined) throw httpError('not_found', `user ${id}`);
    return { ended: await users.endSessions(tenant.id, id, actorOf(request, clock())) };
  });
}
