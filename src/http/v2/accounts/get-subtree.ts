import Type from 'typebox';
import { MAX_DEPTH } from '../../../store/accounts/account-tree.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { areStrings, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, AccountSchema, DEFAULT_LIMIT, PageQuery } from '../schemas.js';
import { accountBody, findAccount } from './account-body.js';

export const SubtreeSchema = Type.Object({
  data: Type.Array(
    Type.Object({ depth: Type.Integer({ minimum: 1, examples: [1] }), account: AccountSchema }),
  ),
  next: nullable(Type.String()),
  cycle: nullable(
    Type.Array(Type.String(), { description: 'The ids of a cycle that leads back to the account.' }),
  ),
});

export function getSubtree(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-subtree',
    tag: 'Hierarchy',
    summary: 'List all descendants of an account, depth first',
    description: `Reads down to a depth of ${MAX_DEPTH}.`,
    schema: { params: AccountIdParams, querystring: PageQuery },
    responses: { 200: { description: 'A page of descendants.', schema: SubtreeSchema } },
    errorStatuses: [404],
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

/** The length is limited because each step of a path costs a query. */
function isPath(key: unknown): key is string[] {
  return areStrings(key) && key.length <= MAX_DEPTH;
}
