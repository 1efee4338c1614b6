import Type from 'typebox';
import { RECENT_RUNS, SourceSchema, sourceBody } from '../../../wire/source-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

const ResponseBody = Type.Object({ data: Type.Array(SourceSchema) });

export function listSources(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'read', {
    id: 'list-sources',
    tag: 'Sources',
    summary: 'List the sources with their latest runs',
    description: 'A tenant has at most 200 sources.',
    schema: {},
    responses: { 200: { description: 'All sources, by name.', schema: ResponseBody } },
  });
  app.get('/sources', options, async (request) => {
    const { tenant } = principalOf(request);
    const sources = await store.directory.sources.list(tenant.id);
    const now = clock();
    const data = [];
    for (const source of sources) {
      const runs = await store.runs.page(tenant.id, { source: source.name, limit: RECENT_RUNS });
      data.push(sourceBody(source, await store.runs.withUsers(tenant.id, runs), now));
    }
    return { data };
  });
}
