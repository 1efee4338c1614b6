import { principalOf } from '../authenticate.js';
import { refusals } from '../refusal.js';
import { changeBody } from './account-body.js';
import { isNumber, readCursor, writeCursor } from './cursor.js';
import { accountIdOf } from './known-account.js';
import { operation, type V2App, type V2Parts } from './operation.js';
import { AccountIdParams, ChangeSchema, DEFAULT_LIMIT, PageQuery, pageOf } from './schemas.js';

export function getHistory(app: V2App, parts: V2Parts): void {
  const { store } = parts;
  const options = operation(parts, 'read', {
    id: 'get-history',
    tag: 'Changes',
    summary: 'List the changes of one account, newest first',
    description: 'What is left of a deleted account: that it changed, when, by which request and key.',
    schema: { params: AccountIdParams, querystring: PageQuery },
    answers: { 200: { description: 'A page of its changes', schema: pageOf(ChangeSchema) } },
    refusals: [404],
  });
  app.get('/accounts/:id/history', options, async (request) => {
    const { tenant } = principalOf(request);
    const id = accountIdOf(request);
    const { limit = DEFAULT_LIMIT, cursor } = request.query;
    const listing = ['history', id];
    const before = cursor === undefined ? undefined : readCursor(listing, cursor, isNumber);
    const changes = await store.accounts.history(tenant.id, id, { before, limit });
    if (changes.length === 0 && before === undefined) throw refusals.noSuch(`account ${id}`);
    const [oldest] = changes;
    return {
      data: changes.map(changeBody).reverse(),
      // Every account has its first revision.
      next: oldest === undefined || oldest.revision === 1 ? null : writeCursor(listing, oldest.revision),
    };
  });
}
