import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { firstCharacters } from '../../../domain/text.js';
import type { Run } from '../../../store/runs/run.js';
import { RUN, RunIdParams } from '../../../wire/run-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { findRun } from '../../runs/find-run.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { RunningStreams, streamLines } from '../stream-lines.js';
import { UndoResponse } from './undo-response.js';

/** Limits memory and work. */
const MAX_UNDOS_PER_TENANT = 5;
/** Characters of a request id that an error repeats. */
const MAX_ECHOED = 40;

const Body = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Store nothing, and return what an undo would do.' }),
    ),
    force: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Take back also what was changed since: such changes are overwritten.',
      }),
    ),
    request_id: Type.Optional(
      Type.String({ minLength: 1, description: 'Undo only this request of the run.', examples: ['job-7:1'] }),
    ),
  },
  { additionalProperties: false, examples: [{ dry_run: true }] },
);

const PROGRESS = { run_id: '13', undoes: RUN.id, changes: 200, examined: 200, conflicts: 1 };
const CONFLICT = {
  account_id: 'acme',
  field: 'licenses',
  reason: 'changed',
  before: 20,
  left: 25,
  now: 30,
};
const SUMMARY = {
  run_id: '13',
  undoes: RUN.id,
  changes: 200,
  updated: 159,
  archived: 40,
  restored: 0,
  conflicts: 1,
  dry_run: false,
  is_complete: true,
  code: null,
  problem: null,
};
const EXAMPLE = [
  { progress: { ...PROGRESS, examined: 0, conflicts: 0 } },
  { conflict: CONFLICT },
  { progress: PROGRESS },
  { summary: SUMMARY },
]
  .map((value) => `${JSON.stringify(value)}\n`)
  .join('');

export function undoRun(app: V2App, parts: V2Parts): void {
  const undos = new RunningStreams(app);
  const { onRequest, ...options } = operation(parts, 'sync', {
    id: 'undo-run',
    tag: 'Runs',
    summary: 'Undo a run',
    description:
      'Takes back what a run has changed, or one request of it. A field returns to its value before the run if it ' +
      'still has the value that the run left; otherwise it is a conflict, and stays as it is. An account that the ' +
      'run created is archived if it was not changed since. The undo is itself a run, so it can be undone. Needs a ' +
      'key of the source of the run, a user, or the scope `admin`. If the response ends without a summary with ' +
      '`is_complete: true`, send the request again: the undo continues where it was.',
    schema: { params: RunIdParams, body: Body },
    responses: {
      200: {
        description:
          'A line for each step with its progress, one per conflict, and a summary as the last line.',
        content: {
          'application/x-ndjson': {
            schema: Type.String({ description: 'One JSON object per line.' }),
            examples: { ok: { value: EXAMPLE } },
          },
        },
      },
    },
    errorStatuses: [404, 409],
  });
  // All properties of the body are optional, so the body itself is, too.
  const preValidation = async (request: FastifyRequest) => {
    request.body ??= {};
  };
  app.post('/runs/:id/undo', { ...options, onRequest, preValidation }, async (request, reply) => {
    const { tenant } = principalOf(request);
    if (undos.countOf(tenant.id) >= MAX_UNDOS_PER_TENANT)
      throw httpError('too_many_undos', MAX_UNDOS_PER_TENANT);
    await undos.run(tenant.id, async () => {
      const { dry_run: isDryRun = false, force: isForced = false, request_id: requestId } = request.body;
      const run = await findUndoable(parts, request, request.params.id);
      const wanted = { tenantId: tenant.id, runId: run.id, requestId };
      const changes = await countStored(parts, run, wanted);
      const start = { isForced, requestId: requestId ?? null, toExamine: changes };
      const undo = isDryRun ? undefined : await beginOrContinue(parts, request, run, start);
      const response = new UndoResponse({
        request,
        options: { ...wanted, isForced, undoId: undo?.id, before: undo?.undo?.position ?? undefined },
        changes: undo?.undo?.toExamine ?? changes,
        undo,
        stopping: undos.stopping,
        parts,
      });
      await streamLines(request, reply, 'undo', response.lines());
    });
    return reply;
  });
}

/** A run that has ended, or of which one request is to be undone. */
async function findUndoable(
  { store, runs }: V2Parts,
  request: FastifyRequest<{ Body: Static<typeof Body> }>,
  name: string,
): Promise<Run> {
  const { tenant, source, scopes, user } = principalOf(request);
  // So that the counts and positions of the run are up to date.
  if (!(await runs.countChanges(tenant.id))) throw httpError('undo_not_ready');
  const run = await findRun(store, tenant.id, name);
  // Users have no source of their own: a user who may change accounts may undo the changes of any source.
  const isAllowed = run.source === source || user !== undefined || scopes.includes('admin');
  if (!isAllowed) throw httpError('undo_of_other_source', run.id, run.source, source);
  const isOpen = run.state === 'open' && (run.undo !== null || request.body.request_id === undefined);
  if (isOpen) throw httpError('run_open', run.id);
  return run;
}

/** The number of changes to take back. Throws if some of the run's changes are not stored any more. */
async function countStored(
  { store }: V2Parts,
  { id, created, updated, archived, restored }: Run,
  wanted: { tenantId: number; runId: number; requestId: string | undefined },
): Promise<number> {
  const all = created + updated + archived + restored;
  const found = await store.undo.count({ ...wanted, requestId: undefined });
  if (found < all) throw httpError('history_removed', id, found, all);
  if (wanted.requestId === undefined) return found;
  const ofRequest = await store.undo.count(wanted);
  if (ofRequest === 0)
    throw httpError('request_not_found', id, firstCharacters(wanted.requestId, MAX_ECHOED));
  return ofRequest;
}

/** Opens a run for the undo, or continues one that was interrupted. */
async function beginOrContinue(
  { store, clock }: V2Parts,
  request: FastifyRequest,
  { id }: Run,
  start: { isForced: boolean; requestId: string | null; toExamine: number },
): Promise<Run> {
  const { senderId, tenant, source } = principalOf(request);
  const by = { tenantId: tenant.id, source, senderId };
  for (;;) {
    const opened = await store.undos.open({ ...by, at: clock(), runId: id, ...start });
    if (opened !== undefined) return opened;
    const running = await store.undos.lastOf(tenant.id, id);
    if (running?.state !== 'open') continue;
    const { undo } = running;
    if (undo?.isForced !== start.isForced || undo.requestId !== start.requestId)
      throw httpError('undo_unfinished', id, running.id);
    const continued = await store.undos.continue(tenant.id, running.id, clock());
    if (continued !== undefined) return continued;
    // It has ended meanwhile.
  }
}
