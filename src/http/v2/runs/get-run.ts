import { RunDetailsSchema, RunIdParams, runDetailsBody } from '../../../wire/run-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { findRun } from '../../runs/find-run.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

export function getRun(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-run',
    tag: 'Runs',
    summary: 'Read one run',
    description: 'Counts are about a second old while the run is open.',
    schema: { params: RunIdParams },
    responses: { 200: { description: 'The run.', schema: RunDetailsSchema } },
    errorStatuses: [404],
  });
  app.get('/runs/:id', options, async (request) => {
    const tenantId = principalOf(request).tenant.id;
    const run = await findRun(store, tenantId, request.params.id);
    const undoneBy = await store.undos.lastOf(tenantId, run.id);
    return runDetailsBody(await store.runs.withUser(tenantId, run), undoneBy);
  });
}
