import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, AccountSchema, nullable } from '../schemas.js';
import { accountBody, findAccount } from './account-body.js';

export const AncestorsSchema = Type.Object({
  data: Type.Array(AccountSchema, { description: 'nearest first' }),
  missing_parent: nullable(Type.String({ description: 'named as a parent, but not stored' })),
  cycle: nullable(
    Type.Array(Type.String(), { description: 'from an account up to itself, where the way up never ends' }),
  ),
  is_complete: Type.Boolean({
    description: 'false: the way up is longer than is followed',
    examples: [true],
  }),
});

export function getAncestors(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-ancestors',
    tag: 'Hierarchy',
    summary: 'Follow the parents of an account to the top',
    schema: { params: AccountIdParams },
    answers: { 200: { description: 'The accounts above it', schema: AncestorsSchema } },
    refusals: [404],
  });
  app.get('/accounts/:id/ancestors', options, async (request) => {
    const { tenant } = principalOf(request);
    const found = await store.tree.ancestors(tenant.id, await findAccount(store, request));
    return {
      data: found.accounts.map((account) => accountBody(account, tenant.rules)),
      missing_parent: found.missingParent ?? null,
      cycle: found.cycle === undefined ? null : [...found.cycle],
      is_complete: found.isComplete,
    };
  });
}
