import Type from 'typebox';
import { RUN_STATES } from '../../../store/runs/run.js';
import { RunSchema, runBody } from '../../../wire/run-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { readTimestamp } from '../request-validation.js';
import { Cursor, DEFAULT_LIMIT, Limit, pageOf } from '../schemas.js';

const Query = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    source: Type.Optional(Type.String({ description: 'Only runs of this source.', examples: ['crm'] })),
    state: Type.Optional(Type.Enum([...RUN_STATES], { description: 'Only runs in this state.' })),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only runs that started at this time or later.',
        examples: ['2027-01-31T00:00:00Z'],
      }),
    ),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only runs that started before this time.',
        examples: ['2027-02-01T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);

type RunKey = readonly [startedAt: number, id: number];

function isRunKey(value: unknown): value is [number, number] {
  return Array.isArray(value) && value.length === 2 && value.every(isNumber);
}

export function listRuns(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'list-runs',
    tag: 'Runs',
    summary: 'List runs, newest first',
    description: 'Counts of open runs are about a second old.',
    schema: { querystring: Query },
    responses: { 200: { description: 'A page of runs.', schema: pageOf(RunSchema) } },
  });
  app.get('/runs', options, async (request) => {
    const { tenant } = principalOf(request);
    const { limit = DEFAULT_LIMIT, cursor, source, state, since, until } = request.query;
    const listing = ['runs', ...[source, state, since, until].map((one) => one ?? null)];
    const key: RunKey | undefined = cursor === undefined ? undefined : readCursor(listing, cursor, isRunKey);
    const found = await store.runs.page(tenant.id, {
      source,
      state,
      since: readTimestamp(since, '/query/since'),
      until: readTimestamp(until, '/query/until'),
      after: key && { startedAt: key[0], id: key[1] },
      limit,
    });
    const last = found.length < limit ? undefined : found.at(-1);
    return {
      data: (await store.runs.withUsers(tenant.id, found)).map(runBody),
      next: last === undefined ? null : writeCursor(listing, [last.startedAt, last.id]),
    };
  });
}
