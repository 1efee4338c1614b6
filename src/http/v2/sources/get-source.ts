import { RECENT_RUNS, SourceNameParams, SourceSchema, sourceBody } from '../../../wire/source-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

export function getSource(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'read', {
    id: 'get-source',
    tag: 'Sources',
    summary: 'Read one source with its latest runs',
    schema: { params: SourceNameParams },
    responses: { 200: { description: 'The source.', schema: SourceSchema } },
    errorStatuses: [404],
  });
  app.get('/sources/:name', options, async (request) => {
    const { tenant } = principalOf(request);
    const { name } = request.params;
    const source = await store.directory.sources.find(tenant.id, name);
    if (source === undefined) throw httpError('not_found', `source ${name}`);
    const runs = await store.runs.page(tenant.id, { source: name, limit: RECENT_RUNS });
    return sourceBody(source, await store.runs.withUsers(tenant.id, runs), clock());
  });
}
