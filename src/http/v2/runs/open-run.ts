import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { MISSING_ACTIONS, type MissingAction } from '../../../store/runs/run.js';
import { ModeSchema, RunDetailsSchema, runDetailsBody } from '../../../wire/run-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { untilTracked } from '../../runs/until-tracked.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';

const Body = Type.Object(
  {
    mode: Type.Optional(ModeSchema),
    missing: Type.Optional(
      Type.Enum([...MISSING_ACTIONS, 'ignore'], {
        description:
          'What happens at the end to accounts that the source has pushed before, and not since the run was opened: ' +
          '`archive` archives them, `report` counts them. Both make the service remember which accounts the source ' +
          'pushes. Default: `report` if it does already and the mode is `upsert`, else `ignore`.',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ missing: 'archive' }] },
);

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
    schema: { body: Body },
    responses: { 201: { description: 'The run.', schema: RunDetailsSchema } },
  });
  // All properties of the body are optional, so the body itself is, too.
  const preValidation = async (request: FastifyRequest) => {
    request.body ??= {};
  };
  app.post('/runs', { ...options, preValidation }, async (request, reply) => {
    const { senderId, tenant, source } = principalOf(request);
    const { missing: wanted, mode = 'upsert' } = request.body;
    const missing = await missingAction(parts, request, wanted ?? (mode === 'upsert' ? undefined : 'ignore'));
    const start = { tenantId: tenant.id, source, senderId, at: clock() };
    const run = await store.runs.open(start, { missing, mode });
    return reply.code(201).send(runDetailsBody(await store.runs.withUser(tenant.id, run), undefined));
  });
}

/** Begins to track the source, if that is necessary. */
async function missingAction(
  { store, clock, refresh }: V2Parts,
  request: FastifyRequest,
  wanted: MissingAction | 'ignore' | undefined,
): Promise<MissingAction | null> {
  if (wanted === 'ignore') return null;
  const { tenant, source } = principalOf(request);
  const { sources } = store.directory;
  let { trackedSince = null } = (await sources.find(tenant.id, source)) ?? {};
  if (trackedSince === null) {
    if (wanted === undefined) return null;
    ({ trackedSince } = await sources.set(tenant.id, source, { isTracked: true }, actorOf(request, clock())));
    refresh();
  }
  await untilTracked(store, trackedSince ?? 0, clock());
  return wanted ?? 'report';
}
