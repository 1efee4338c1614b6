import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';

const Params = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of the invitation.', examples: ['3f9a2b7c'] }),
});

export function removeInvitation(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'remove-invitation',
    tag: 'Users',
    summary: 'Take an invitation back',
    description: 'Its link is not valid any more.',
    schema: { params: Params },
    responses: { 204: { description: 'Removed.' } },
    errorStatuses: [404],
  });
  app.delete('/invitations/:id', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { id } = request.params;
    const isRemoved = await store.directory.links.removeInvitation(tenant.id, id, actorOf(request, clock()));
    if (!isRemoved) throw httpError('not_found', `invitation ${id}`);
    return reply.code(204).send();
  });
}
