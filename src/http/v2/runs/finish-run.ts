import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { RunDetailsSchema, RunIdParams, runDetailsBody } from './run-body.js';

export function finishRun(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'sync', {
    id: 'finish-run',
    tag: 'Runs',
    summary: 'Finish a run',
    description:
      'Needs a key of the source of the run. Requests that name the run are rejected from then on, by other processes ' +
      'within a second.',
    schema: { params: RunIdParams },
    responses: { 200: { description: 'The run, with its counts.', schema: RunDetailsSchema } },
    errorStatuses: [404, 409],
  });
  app.post('/runs/:id/finish', options, async (request) =>
    runDetailsBody(await parts.runs.finish(principalOf(request), request.params.id)),
  );
}
