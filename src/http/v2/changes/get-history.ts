import Type from 'typebox';
import type { AccountChange } from '../../../store/changes/account-history.js';
import { ChangeSchema, changeBody } from '../../../wire/change-body.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { accountIdOf } from '../accounts/account-body.js';
import { isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, Cursor, DEFAULT_LIMIT, Limit } from '../schemas.js';

/** Changes that one request scans for those of one field. */
const SCAN_LIMIT = 1_000;

/** Where a change is stored. PostgreSQL stores places as 32-bit integers, and fails on larger values. */
type HistoryKey = readonly [seq: number, place: number];

function isHistoryKey(value: unknown): value is HistoryKey {
  if (!Array.isArray(value) || value.length !== 2 || !value.every(isNumber)) return false;
  const [seq, place] = value as [number, number];
  return seq > 0 && place >= 0 && place < 2 ** 31 - 2;
}

const Query = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    field: Type.Optional(
      Type.String({ description: 'Only changes that include this field.', examples: ['licenses'] }),
    ),
  },
  { additionalProperties: false },
);

const HistoryPage = Type.Object({
  data: Type.Array(ChangeSchema),
  next: nullable(Type.String()),
  is_complete: Type.Boolean({
    description:
      'False if older changes of the account were removed, because of `history_days` in the settings.',
    examples: [true],
  }),
});

export function getHistory(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-history',
    tag: 'Changes',
    summary: 'List the changes of one account, newest first',
    description:
      'Reads the history of one account, newest change first. Of a deleted account, the values are erased; the ' +
      `times, request ids and senders stay. With \`field\`, one request scans at most ${SCAN_LIMIT} changes, so a ` +
      'page may be short or empty although it has a `next`; changes with erased values still match their fields. If ' +
      'the tenant limits its history, older changes are missing, except the last one.',
    schema: { params: AccountIdParams, querystring: Query },
    responses: { 200: { description: 'A page of changes.', schema: HistoryPage } },
    errorStatuses: [404],
  });
  app.get('/accounts/:id/history', options, async (request) => {
    const { tenant } = principalOf(request);
    const id = accountIdOf(request);
    const { limit = DEFAULT_LIMIT, cursor, field } = request.query;
    const listing = ['history', id, ...(field === undefined ? [] : [field])];
    const key = cursor === undefined ? undefined : readCursor(listing, cursor, isHistoryKey);
    const from = key === undefined ? null : { seq: key[0], place: key[1] };
    const page = await store.history.page(tenant.id, id, {
      from,
      limit: field === undefined ? limit : SCAN_LIMIT,
    });
    const { changes, pointers } = page;
    if (changes.length === 0 && from === null) throw httpError('not_found', `account ${id}`);
    const matching = changes.flatMap((change, i) =>
      field === undefined || Object.hasOwn(change.changes, field) ? [i] : [],
    );
    const shown = matching.slice(0, limit);
    const last = shown.length < matching.length ? shown.at(-1) : undefined;
    const next = last === undefined ? page.next : pointers[last + 1];
    return {
      data: shown.map((i) => changeBody(changes[i] as AccountChange)),
      next: next ? writeCursor(listing, [next.seq, next.place]) : null,
      is_complete: await store.history.isComplete(tenant.id, id),
    };
  });
}
