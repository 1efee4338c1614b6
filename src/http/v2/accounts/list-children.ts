import Type from 'typebox';
import { childrenOf } from '../../../store/accounts/account-tree.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { areStrings, readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { ACCOUNT, AccountIdParams, AccountSchema, DEFAULT_LIMIT, PageQuery, pageOf } from '../schemas.js';
import { accountBody, accountIdOf } from './account-body.js';

export const ChildSchema = Type.Object(
  { ...AccountSchema.properties, has_children: Type.Boolean({ description: 'Whether it has children.' }) },
  { title: 'Child', examples: [{ ...ACCOUNT, has_children: true }] },
);

const isChild = (key: unknown): key is string[] => areStrings(key) && key.length === 2 && key[0] === '0';

export function listChildren(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'list-children',
    tag: 'Hierarchy',
    summary: 'List the children of an account',
    description: 'Also works for a parent that is not stored itself.',
    schema: { params: AccountIdParams, querystring: PageQuery },
    responses: { 200: { description: 'A page of children.', schema: pageOf(ChildSchema) } },
    errorStatuses: [404],
  });
  app.get('/accounts/:id/children', options, async (request) => {
    const { tenant } = principalOf(request);
    const parentId = accountIdOf(request);
    const { limit = DEFAULT_LIMIT, cursor } = request.query;
    const listing = ['children', parentId];
    const after = cursor === undefined ? undefined : readCursor(listing, cursor, isChild);
    const page = await store.pages.page(tenant.id, childrenOf(parentId), limit, after);
    const isEmpty = cursor === undefined && page.accounts.length === 0;
    if (isEmpty && (await store.accounts.find(tenant.id, parentId)) === undefined) {
      throw httpError('not_found', `account ${parentId}, nor one below it`);
    }
    const parents = await store.tree.parentsAmong(tenant.id, page.accounts);
    return {
      data: page.accounts.map((account) => ({
        ...accountBody(account, tenant.rules),
        has_children: parents.has(account.accountId),
      })),
      next: page.next === undefined ? null : writeCursor(listing, [...page.next]),
    };
  });
}
