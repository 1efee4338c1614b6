import Type from 'typebox';
import { principalOf } from '../authenticate.js';
import { DAY_MS } from '../rejection-log.js';
import { isoTime } from './account-body.js';
import { isNumber, readCursor, writeCursor } from './cursor.js';
import { operation, type V2App, type V2Parts } from './operation.js';
import { DEFAULT_LIMIT, Json, Moment, nullable, PageQuery, pageOf } from './schemas.js';

const Rejection = Type.Object(
  {
    id: Type.String(),
    at: Moment,
    request_id: Type.String(),
    key_id: Type.String(),
    operation: Type.String(),
    status: Type.Integer(),
    index: nullable(Type.Integer({ description: 'place of the record in its batch or import' })),
    account_id: nullable(Type.String()),
    errors: nullable(Type.Record(Type.String(), Type.Array(Type.String()))),
    problem: nullable(Type.String({ description: 'the message, where it is about no attribute' })),
    record: Json,
  },
  {
    title: 'Rejection',
    examples: [
      {
        id: '17',
        at: '2027-02-01T09:30:00.250Z',
        request_id: 'job-7:1',
        key_id: 'crm',
        operation: 'upsert-account',
        status: 400,
        index: null,
        account_id: 'acme',
        errors: { licenses: ['Account acme, licenses has invalid integer value.'] },
        problem: null,
        record: { account_id: 'acme', licenses: 'many' },
      },
    ],
  },
);

export function listRejections(app: V2App, parts: V2Parts): void {
  const { store, clock, config } = parts;
  const options = operation(parts, 'read', {
    id: 'list-rejections',
    tag: 'Changes',
    summary: 'List what was refused in the last days, newest first',
    schema: { querystring: PageQuery },
    answers: { 200: { description: 'A page of refusals', schema: pageOf(Rejection) } },
  });
  app.get('/rejections', options, async (request) => {
    const { tenant } = principalOf(request);
    const { limit = DEFAULT_LIMIT, cursor } = request.query;
    const before = cursor === undefined ? undefined : readCursor('rejections', cursor, isNumber);
    const oldest = clock() - config.rejectionDays * DAY_MS;
    const found = await store.rejections.page(tenant.id, { before, limit, oldest });
    return {
      data: found.map(({ id, at, requestId, keyId, place, accountId, ...rejection }) => ({
        id: String(id),
        at: isoTime(at),
        request_id: requestId,
        key_id: keyId,
        operation: rejection.operation,
        status: rejection.status,
        index: place,
        account_id: accountId,
        errors: rejection.errors as Record<string, string[]> | null,
        problem: rejection.problem,
        record: rejection.record,
      })),
      next: found.length < limit ? null : writeCursor('rejections', found.at(-1)?.id ?? 0),
    };
  });
}
