import Type from 'typebox';
import { accountIdsOf } from '../../../domain/identifier.js';
import { type AccountIdMode, canonicalFor, oldestKept } from '../../../domain/tenant.js';
import type { RejectionFilter } from '../../../store/changes/rejections.js';
import { isoTime, Json, nullable, Timestamp } from '../../../wire/schemas.js';
import { BY_KEY, SENDER_PROPERTIES, senderBody } from '../../../wire/sender-body.js';
import { principalOf } from '../../auth/authenticate.js';
import { invalidRequest } from '../../errors.js';
import { isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { readTimestamp } from '../request-validation.js';
import { Cursor, DEFAULT_LIMIT, Limit, pageOf } from '../schemas.js';
import { readSentBy, SentByQuery, sentByValues } from './sent-by-query.js';

const Query = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    ...SentByQuery.properties,
    operation: Type.Optional(
      Type.Enum(['upsert-account', 'upsert-batch', 'import-accounts'], {
        description: 'Only requests of this operation.',
        examples: ['upsert-batch'],
      }),
    ),
    account_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 191,
        description: 'Only records of this account, case-insensitive.',
        examples: ['acme'],
      }),
    ),
    since: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Start of the time range, inclusive.',
        examples: ['2027-01-31T00:00:00Z'],
      }),
    ),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'End of the time range, exclusive.',
        examples: ['2027-02-01T00:00:00Z'],
      }),
    ),
  },
  { additionalProperties: false },
);

const Rejection = Type.Object(
  {
    id: Type.String(),
    at: Timestamp,
    request_id: Type.String(),
    ...SENDER_PROPERTIES,
    source: nullable(Type.String()),
    run_id: nullable(Type.String()),
    operation: Type.String(),
    status: Type.Integer(),
    index: nullable(Type.Integer({ description: 'Index of the record in its batch or import, from 0.' })),
    account_id: nullable(Type.String()),
    errors: nullable(Type.Record(Type.String(), Type.Array(Type.String()))),
    problem: nullable(Type.String({ description: 'The message, if it is not about one attribute.' })),
    record: Json,
  },
  {
    title: 'Rejection',
    examples: [
      {
        id: '17',
        at: '2027-02-01T09:30:00.250Z',
        request_id: 'job-7:1',
        ...BY_KEY,
        source: 'crm',
        run_id: '12',
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
    summary: 'List rejected records and requests, newest first',
    description: 'Keeps rejections for `rejection_days` of the settings.',
    schema: { querystring: Query },
    responses: { 200: { description: 'A page of rejections.', schema: pageOf(Rejection) } },
  });
  app.get('/rejections', options, async (request) => {
    const { tenant } = principalOf(request);
    const { query } = request;
    const { limit = DEFAULT_LIMIT, cursor, operation, account_id, since, until } = query;
    const listing = [
      'rejections',
      ...sentByValues(query),
      ...[operation, account_id, since, until].map((one) => one ?? null),
    ];
    const kept = oldestKept(clock(), tenant.rejectionDays ?? config.rejectionDays);
    const found = await store.rejections.page(tenant.id, {
      before: cursor === undefined ? undefined : readCursor(listing, cursor, isNumber),
      limit,
      oldest: Math.max(kept, readTimestamp(since, '/query/since') ?? kept),
      until: readTimestamp(until, '/query/until'),
      ...readSentBy(query),
      operation,
      isAccount: accountTest(account_id, tenant.rules.accountIds),
    });
    return {
      data: found.map(({ id, at, requestId, runId, place, accountId, ...rejection }) => ({
        id: String(id),
        at: isoTime(at),
        request_id: requestId,
        ...senderBody(rejection),
        source: rejection.source,
        run_id: runId === null ? null : String(runId),
        operation: rejection.operation,
        status: rejection.status,
        index: place,
        account_id: accountId,
        errors: rejection.errors as Record<string, string[]> | null,
        problem: rejection.problem,
        record: rejection.record,
      })),
      next: found.length < limit ? null : writeCursor(listing, found.at(-1)?.id ?? 0),
    };
  });
}

/** Tests whether a rejected record belongs to the account, comparing canonical ids. */
function accountTest(wanted: string | undefined, mode: AccountIdMode): RejectionFilter['isAccount'] {
  if (wanted === undefined) return undefined;
  const id = canonicalFor(mode, wanted);
  if (id === '') throw invalidRequest([{ pointer: '/query/account_id', detail: 'must not be blank' }]);
  return (sent) => accountIdsOf(sent).includes(id);
}
