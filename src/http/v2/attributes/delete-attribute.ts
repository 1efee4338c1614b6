import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { AttributeNameParams } from './attribute-body.js';

export function deleteAttribute(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'delete-attribute',
    tag: 'Schema',
    summary: 'Remove the declaration of an attribute',
    description: 'Stored values stay, as undeclared fields.',
    schema: { params: AttributeNameParams },
    responses: { 204: { description: 'No longer declared.' } },
    errorStatuses: [404],
  });
  app.delete('/attributes/:name', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { name } = request.params;
    const removed = await store.directory.attributes.remove(tenant.id, name, actorOf(request, clock()));
    if (!removed) throw httpError('not_found', `attribute ${name} that was declared`);
    return reply.code(204).send();
  });
}
