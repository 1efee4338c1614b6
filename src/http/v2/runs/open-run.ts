import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { RunDetailsSchema, runDetailsBody } from './run-body.js';

export function openRun(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'sync', {
    id: 'open-run',
    tag: 'Runs',
    summary: 'Open a run',
    description:
      'The run belongs to the source of the key. Send its id in the header `Account-Sync-Run` of every upsert, batch ' +
      'and import, and finish it at the end. Without the header, requests belong to a run that begins with the ' +
      'first of them and ends after some minutes without one.',
    schema: {},
    responses: { 201: { description: 'The run.', schema: RunDetailsSchema } },
  });
  app.post('/runs', options, async (request, reply) => {
    const { keyId, tenant, source } = principalOf(request);
    const run = await store.runs.open({ tenantId: tenant.id, source, keyId, at: clock() });
    return reply.code(201).send(runDetailsBody(run, undefined));
  });
}
