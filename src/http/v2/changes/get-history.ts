import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { accountIdOf, changeBody } from '../accounts/account-body.js';
import { isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, ChangeSchema, Cursor, DEFAULT_LIMIT, Limit, nullable } from '../schemas.js';

/** Changes that one request scans for those of one field. */
const SCAN_LIMIT = 1_000;

/** PostgreSQL stores revisions as 32-bit integers, and fails on larger values. */
function isRevision(value: unknown): value is number {
  return isNumber(value) && value > 0 && value < 2 ** 31;
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
      `times, request ids and key ids stay. With \`field\`, one request scans at most ${SCAN_LIMIT} changes, so a ` +
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
    const before = cursor === undefined ? undefined : readCursor(listing, cursor, isRevision);
    const range = { before, limit: field === undefined ? limit : SCAN_LIMIT };
    const changes = (await store.history.read(tenant.id, id, range)).reverse();
    if (changes.length === 0 && before === undefined) throw httpError('not_found', `account ${id}`);
    // After reading the page, so that `next` never points to changes that were removed meanwhile.
    const oldest = (await store.history.oldestRevision(tenant.id, id)) ?? 1;
    const matching = changes.filter((change) => field === undefined || Object.hasOwn(change.changes, field));
    const shown = matching.slice(0, limit);
    const last = shown.length < matching.length ? shown.at(-1) : changes.at(-1);
    return {
      data: shown.map(changeBody),
      next: last === undefined || last.revision <= oldest ? null : writeCursor(listing, last.revision),
      is_complete: oldest === 1,
    };
  });
}
