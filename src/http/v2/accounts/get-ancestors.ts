import Type from 'typebox';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { AccountIdParams, AccountSchema } from '../schemas.js';
import { accountBody, findAccount } from './account-body.js';

export const AncestorsSchema = Type.Object({
  data: Type.Array(AccountSchema, { description: 'Nearest ancestor first.' }),
  missing_parent: nullable(Type.String({ description: 'A parent that is named but not stored.' })),
  cycle: nullable(Type.Array(Type.String(), { description: 'The ids of a cycle, if the parents form one.' })),
  is_complete: Type.Boolean({
    description: 'False if there are more ancestors than one request follows.',
    examples: [true],
  }),
});

export function getAncestors(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-ancestors',
    tag: 'Hierarchy',
    summary: 'List the ancestors of an account, nearest first',
    schema: { params: AccountIdParams },
    responses: { 200: { description: 'The ancestors.', schema: AncestorsSchema } },
    errorStatuses: [404],
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
