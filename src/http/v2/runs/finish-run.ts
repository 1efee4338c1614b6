import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { RunDetailsSchema, RunIdParams, runDetailsBody } from '../../../wire/run-body.js';
import { principalOf } from '../../auth/authenticate.js';
import type { MissingAccounts } from '../../runs/missing-accounts.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

/** More missing accounts are rather a mistake than gone. */
const DEFAULT_MAX_MISSING_PERCENT = 10;

const Body = Type.Object(
  {
    abandon: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'End the run without success: its state is `abandoned`, its source is still expected, and no missing ' +
          'account is archived.',
      }),
    ),
    max_missing_percent: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        default: DEFAULT_MAX_MISSING_PERCENT,
        description:
          'If the run archives missing accounts: the largest share of all accounts that the source has pushed. With ' +
          'more, none is archived, and the run stays open: 409 and the code `too_many_missing`.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{}] },
);

export function finishRun(app: V2App, parts: V2Parts, missing: MissingAccounts): void {
  const options = operation(parts, 'sync', {
    id: 'finish-run',
    tag: 'Runs',
    summary: 'Finish a run',
    description:
      'Needs a key of the source of the run. Requests that name the run are rejected from then on, by other processes ' +
      'within a second. Finishing a run that is finished has no effect. If the run asks for missing accounts, they are ' +
      'counted and archived first; if the response is lost meanwhile, send the request again, and it goes on.',
    schema: { params: RunIdParams, body: Body },
    responses: { 200: { description: 'The run, with its counts.', schema: RunDetailsSchema } },
    errorStatuses: [404, 409],
  });
  // All properties of the body are optional, so the body itself is, too.
  const preValidation = async (request: FastifyRequest) => {
    request.body ??= {};
  };
  app.post('/runs/:id/finish', { ...options, preValidation }, async (request) => {
    const { abandon, max_missing_percent: maxMissingPercent = DEFAULT_MAX_MISSING_PERCENT } = request.body;
    const principal = principalOf(request);
    const end = { tenantId: principal.tenant.id, senderId: principal.senderId, requestId: request.id };
    const run = abandon
      ? await parts.runs.finish(principal, request.params.id, 'abandoned')
      : await parts.runs.finish(principal, request.params.id, 'finished', (open) =>
          missing.settle(open, { ...end, maxMissingPercent }),
        );
    const { runs, undos } = parts.store;
    const undoneBy = await undos.lastOf(end.tenantId, run.id);
    return runDetailsBody(await runs.withUser(end.tenantId, run), undoneBy);
  });
}
