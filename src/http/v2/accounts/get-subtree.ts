import Type from 'typebox';
import { MAX_DEPTH } from '../../../store/accounts/account-tree.js';
import { principalOf } from '../../auth/authenticate.js';
import { areTexts, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, AccountSchema, DEFAULT_LIMIT, nullable, PageQuery } from '../schemas.js';
import { accountBody, findAccount } from './account-body.js';

export const SubtreeSchema = Type.Object({
  data: Type.Array(
    Type.Object({ depth: Type.Integer({ minimum: 1, examples: [1] }), account: AccountSchema }),
  ),
  next: nullable(Type.String()),
  cycle: nullable(Type.Array(Type.String(), { description: 'the way from the account down to itself' })),
});

export function getSubtree(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-subtree',
    tag: 'Hierarchy',
    summary: 'List everything below an account, depth first',
    description: `To a depth of ${MAX_DEPTH}.`,
    schema: { params: AccountIdParams, querystring: PageQuery },
    answers: { 200: { description: 'A page of what is below it', schema: SubtreeSchema } },
    refusals: [404],
  });
  app.get('/accounts/:id/subtree', options, async (request) => {
    const { tenant } = principalOf(request);
    const { accountId } = await findAccount(store, request);
    const { limit = DEFAULT_LIMIT, cursor } = request.query;
    const listing = ['subtree', accountId];
    const after = cursor === undefined ? [] : readCursor(listing, cursor, isPath);
    const { descendants, next, cycle } = await store.tree.subtree(tenant.id, accountId, limit, after);
    return {
      data: descendants.map(({ account, path }) => ({
        depth: path.length,
        account: accountBody(account, tenant.rules),
      })),
      next: next === undefined ? null : writeCursor(listing, [...next]),
      cycle: cycle === undefined ? null : [...cycle],
    };
  });
}

/** Each step of it costs a look at the database. */
function isPath(key: unknown): key is string[] {
  return areTexts(key) && key.length <= MAX_DEPTH;
}
