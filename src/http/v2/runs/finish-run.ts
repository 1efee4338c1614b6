import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { RunDetailsSchema, RunIdParams, runDetailsBody } from './run-body.js';

const Body = Type.Object(
  {
    abandon: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'End the run without success: its state is `abandoned`, and its source is still expected.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{}] },
);

export function finishRun(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'sync', {
    id: 'finish-run',
    tag: 'Runs',
    summary: 'Finish a run',
    description:
      'Needs a key of the source of the run. Requests that name the run are rejected from then on, by other processes ' +
      'within a second. Finishing a run that is finished has no effect.',
    schema: { params: RunIdParams, body: Body },
    responses: { 200: { description: 'The run, with its counts.', schema: RunDetailsSchema } },
    errorStatuses: [404, 409],
  });
  // All properties of the body are optional, so the body itself is, too.
  const preValidation = async (request: FastifyRequest) => {
    request.body ??= {};
  };
  app.post('/runs/:id/finish', { ...options, preValidation }, async (request) => {
    const state = request.body.abandon === true ? 'abandoned' : 'finished';
    const principal = principalOf(request);
    const run = await parts.runs.finish(principal, request.params.id, state);
    return runDetailsBody(run, await parts.store.undos.lastOf(principal.tenant.id, run.id));
  });
}
