import { SourceNameParams } from '../../../wire/source-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';

export function deleteSource(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'delete-source',
    tag: 'Sources',
    summary: 'Remove a source',
    description: 'Its runs and changes stay. A source with a live key is not removed.',
    schema: { params: SourceNameParams },
    responses: { 204: { description: 'Removed.' } },
    errorStatuses: [404, 409],
  });
  app.delete('/sources/:name', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { name } = request.params;
    const isRemoved = await store.directory.sources.remove(tenant.id, name, actorOf(request, clock()));
    if (!isRemoved) throw httpError('not_found', `source ${name}`);
    return reply.code(204).send();
  });
}
