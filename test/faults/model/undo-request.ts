import type { Definition } from './operation.js';
import { problemResponse, response } from './responses.js';
import type { Json } from './stored-value.js';
import { SOME_RUN, sourceOf, type TenantModel, type UndoConflict } from './tenant-model.js';

/** Takes back one earlier request that has changed something: an upsert, a batch, an import or an undo. */
export interface UndoRequest {
  readonly kind: 'undo-request';
  /** An index of these requests, modulo their number. */
  readonly which: number;
  readonly force: boolean;
  readonly isDryRun: boolean;
}

const UNKNOWN = 'no-such-request';

const sortKey = ({ account_id, field, reason }: UndoConflict) => `${account_id} ${field} ${reason}`;
const sorted = (conflicts: readonly UndoConflict[]) =>
  conflicts.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));

interface UndoBody {
  /** Of the request that is undone. */
  readonly run: string | undefined;
  readonly lines: readonly Json[];
}

export const undoRequest: Definition<UndoRequest> = {
  scope: 'sync',
  send: async (client, operation, model) => {
    const request = requestOf(model, operation);
    const run = await client.runOf(request);
    const { status, headers, body } = await client.request('POST', `/api/v2/runs/${run ?? 0}/undo`, {
      request_id: request,
      force: operation.force,
      dry_run: operation.isDryRun,
    });
    if (status !== 200) return { status, headers, body: withoutRunIds(body) };
    const lines = body as { conflict?: UndoConflict }[];
    const conflicts = sorted(lines.flatMap(({ conflict }) => conflict ?? []));
    const others = lines.filter(({ conflict }) => conflict === undefined);
    return { status, headers, body: { run, lines: others, conflicts } };
  },
  expect: (stored, operation, call, { body }) => {
    const request = requestOf(stored, operation);
    if (request === UNKNOWN) return problemResponse(404, 'run_not_found', 'There is no run 0.', call);
    const source = stored.changes.find(({ request_id }) => request_id === request)?.source ?? '';
    const own = sourceOf(call.key);
    if (source !== own && !call.key.scopes.includes('admin')) {
      const detail =
        `Run N belongs to the source ${source}, and this key to ${own}. Undo it with a key of ${source}, or with ` +
        'one that has the scope admin.';
      return problemResponse(403, 'undo_of_other_source', detail, call);
    }
    const { run } = body as UndoBody;
    const model = operation.isDryRun ? stored.fork() : stored;
    const changes = stored.changes.filter(({ request_id }) => request_id === request).length;
    const { counts, conflicts } = model.undo(request, operation.force, String(run), call);
    const ids = { run_id: operation.isDryRun ? null : SOME_RUN, undoes: SOME_RUN };
    const progress = { ...ids, changes, examined: 0, conflicts: 0 };
    return response(200, {
      run,
      conflicts: sorted(conflicts),
      lines: [
        { progress },
        { progress: { ...progress, examined: changes, conflicts: conflicts.length } },
        {
          summary: {
            ...ids,
            changes,
            ...counts,
            conflicts: conflicts.length,
            dry_run: operation.isDryRun,
            is_complete: true,
            code: null,
            problem: null,
          },
        },
      ],
    });
  },
};

/** Deletions belong to no run. */
function requestOf({ changes }: TenantModel, { which }: UndoRequest): string {
  const requests = new Set(
    changes.filter(({ kind }) => kind !== 'deleted').map(({ request_id }) => request_id),
  );
  return [...requests][which % requests.size] ?? UNKNOWN;
}

function withoutRunIds(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replace(/Run \d+ /g, 'Run N '));
}
