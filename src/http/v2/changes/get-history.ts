import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { accountIdOf, changeBody } from '../accounts/account-body.js';
import { isNumber, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, ChangeSchema, Cursor, DEFAULT_LIMIT, Limit, nullable } from '../schemas.js';

/** How many changes are looked at for those of one field. */
const LOOKED_AT = 1_000;

/** PostgreSQL counts them in 32 bits, and fails over more. */
function isRevision(value: unknown): value is number {
  return isNumber(value) && value > 0 && value < 2 ** 31;
}

const Query = Type.Object(
  {
    limit: Limit,
    cursor: Cursor,
    field: Type.Optional(
      Type.String({ description: 'only changes of this field, whole', examples: ['licenses'] }),
    ),
  },
  { additionalProperties: false },
);

const HistoryPage = Type.Object({
  data: Type.Array(ChangeSchema),
  next: nullable(Type.String()),
  is_complete: Type.Boolean({
    description:
      'false where older changes of the account were removed, as `history_days` of the settings says',
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
      'What is left of a deleted account: that it changed, when, by which request and key. With `field`, a page shows ' +
      `those among at most ${LOOKED_AT} changes: it may be short, or empty, and have a \`next\`. Changes whose values ` +
      'were erased still count as changes of their fields. Where a tenant keeps its history for some days only, older ' +
      'changes are gone, but for the last one.',
    schema: { params: AccountIdParams, querystring: Query },
    answers: { 200: { description: 'A page of its changes', schema: HistoryPage } },
    refusals: [404],
  });
  app.get('/accounts/:id/history', options, async (request) => {
    const { tenant } = principalOf(request);
    const id = accountIdOf(request);
    const { limit = DEFAULT_LIMIT, cursor, field } = request.query;
    const listing = ['history', id, ...(field === undefined ? [] : [field])];
    const before = cursor === undefined ? undefined : readCursor(listing, cursor, isRevision);
    const range = { before, limit: field === undefined ? limit : LOOKED_AT };
    const changes = (await store.history.read(tenant.id, id, range)).reverse();
    if (changes.length === 0 && before === undefined) throw httpError('not_found', `account ${id}`);
    // Only now: what was removed since is then not promised.
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
