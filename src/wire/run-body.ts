import Type, { type Static } from 'typebox';
import { WRITE_MODES } from '../domain/account.js';
import {
  MISSING_ACTIONS,
  type MissingState,
  type NamedRun,
  RUN_KINDS,
  RUN_STATES,
  type Run,
  type RunState,
  type UndoState,
} from '../store/runs/run.js';
import { isoTime, nullable, Timestamp } from './schemas.js';
import { BY_KEY, SENDER_PROPERTIES, senderBody } from './sender-body.js';

export const RUN = {
  id: '12',
  source: 'crm',
  kind: 'explicit' as const,
  mode: 'upsert' as const,
  state: 'finished' as const,
  ...BY_KEY,
  started_at: '2027-02-01T02:00:00.000Z',
  ended_at: '2027-02-01T02:03:20.000Z',
  last_request_at: '2027-02-01T02:03:19.500Z',
  requests: 25,
  failed_requests: 1,
  created: 40,
  updated: 160,
  archived: 0,
  restored: 0,
  unchanged: 4600,
  skipped: 0,
  kept: 0,
  rejected: 200,
  undo: null,
  missing: null,
};

const UndoSchema = Type.Object(
  {
    run_id: Type.String({ description: 'The run that it takes back.' }),
    request_id: nullable(Type.String({ description: 'Null if it takes back the whole run.' })),
    force: Type.Boolean({ description: 'Whether it overwrites what was changed since.' }),
    changes: Type.Integer({ description: 'How many changes there are to take back.' }),
    examined: Type.Integer({ description: 'How many of these have been examined.' }),
    conflicts: Type.Integer({ description: 'Fields and accounts that it has left as they are.' }),
  },
  { description: 'Null unless the run is an undo.' },
);

export const ModeSchema = Type.Enum([...WRITE_MODES], {
  default: 'upsert',
  description:
    '`update-only` skips records for accounts that do not exist, `create-only` those for accounts that do.',
});

const MissingSchema = Type.Object(
  {
    action: Type.Enum([...MISSING_ACTIONS], {
      description:
        '`archive`: missing accounts are archived when the run is finished. `report`: they are counted.',
    }),
    accounts: nullable(
      Type.Integer({
        description:
          'How many accounts the source had pushed before, and not since the run was opened; null before it is finished.',
      }),
    ),
    of: nullable(Type.Integer({ description: 'How many accounts the source has pushed in all.' })),
  },
  { description: 'Null if the run does not ask which accounts are missing.' },
);

export const RunSchema = Type.Object(
  {
    id: Type.String(),
    source: Type.String(),
    kind: Type.Enum([...RUN_KINDS], {
      description:
        '`explicit` if it was opened by a request, `implicit` if it began with its first write, `undo` if it takes ' +
        'back another run.',
    }),
    mode: ModeSchema,
    state: Type.Enum([...RUN_STATES], {
      description:
        '`abandoned`: it was ended as such, or had no request for 24 hours and was never finished.',
    }),
    ...SENDER_PROPERTIES,
    started_at: Timestamp,
    ended_at: nullable(Timestamp),
    last_request_at: Timestamp,
    requests: Type.Integer(),
    failed_requests: Type.Integer({ description: 'Requests that were rejected as a whole, or failed.' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    archived: Type.Integer(),
    restored: Type.Integer({
      description: 'Archived accounts that were sent again, or restored by an undo.',
    }),
    unchanged: Type.Integer(),
    skipped: Type.Integer({ description: 'Records that do not fit the mode of the run or import.' }),
    kept: Type.Integer({
      description: 'Values that were left as they are, because another source owns the field.',
    }),
    rejected: Type.Integer({
      description:
        'Records that were not stored: all records of a rejected request, single ones of an import.',
    }),
    undo: nullable(UndoSchema),
    missing: nullable(MissingSchema),
  },
  { title: 'Run', examples: [RUN] },
);

export const RunDetailsSchema = Type.Object(
  {
    ...RunSchema.properties,
    undone_by: nullable(
      Type.String({ description: 'The latest run that takes it back, or a request of it.' }),
    ),
    fields: Type.Array(Type.Object({ field: Type.String(), changes: Type.Integer() }), {
      description: 'How often each field was changed, most often first; at most 500 fields are counted.',
    }),
  },
  {
    title: 'RunDetails',
    examples: [{ ...RUN, undone_by: null, fields: [{ field: 'licenses', changes: 120 }] }],
  },
);

export const RunIdParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of the run.', examples: [RUN.id] }),
});

export function runBody(run: NamedRun): Static<typeof RunSchema> {
  return {
    id: String(run.id),
    source: run.source,
    kind: run.kind,
    mode: run.mode,
    state: run.state,
    ...senderBody(run),
    started_at: isoTime(run.startedAt),
    ended_at: run.endedAt === null ? null : isoTime(run.endedAt),
    last_request_at: isoTime(run.lastAt),
    requests: run.requests,
    failed_requests: run.failedRequests,
    created: run.created,
    updated: run.updated,
    archived: run.archived,
    restored: run.restored,
    unchanged: run.unchanged,
    skipped: run.skipped,
    kept: run.kept,
    rejected: run.rejected,
    undo: run.undo && undoBody(run.undo),
    missing: run.missing && missingBody(run.missing, run.state),
  };
}

/** A run that was interrupted at its end has counts before it is finished. */
function missingBody({ action, found }: MissingState, state: RunState) {
  const { accounts = null, of = null } = state === 'finished' ? (found ?? {}) : {};
  return { action, accounts, of };
}

function undoBody({ runId, requestId, isForced, toExamine, examined, conflicts }: UndoState) {
  return {
    run_id: String(runId),
    request_id: requestId,
    force: isForced,
    changes: toExamine,
    examined,
    conflicts,
  };
}

export function runDetailsBody(run: NamedRun, undoneBy: Run | undefined): Static<typeof RunDetailsSchema> {
  const fields = Object.entries(run.fields).map(([field, changes]) => ({ field, changes }));
  fields.sort((a, b) => b.changes - a.changes || (a.field < b.field ? -1 : 1));
  return { ...runBody(run), undone_by: undoneBy === undefined ? null : String(undoneBy.id), fields };
}
