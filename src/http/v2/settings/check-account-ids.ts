import Type from 'typebox';
import { canonicalDomain } from '../../../domain/identifier.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { isScanKey, scanAccounts } from '../accounts/scan-accounts.js';
import { readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { Cursor } from '../schemas.js';

const MAX_EXAMPLES = 5;
const LISTING = 'account ids that are no domains';

const ResponseBody = Type.Object(
  {
    looked_at: Type.Integer({ description: 'Number of accounts checked.' }),
    unfit: Type.Integer({ description: 'Number of ids that are not domain names.' }),
    unfit_examples: Type.Array(Type.String(), { description: 'Up to 5 of these ids.' }),
    next: nullable(
      Type.String({ description: 'The `cursor` of the next request; null after the last account.' }),
    ),
  },
  {
    title: 'AccountIdCheck',
    examples: [{ looked_at: 120, unfit: 1, unfit_examples: ['acme'], next: null }],
  },
);

export function checkAccountIds(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'admin', {
    id: 'check-account-ids',
    tag: 'Settings',
    summary: 'Count stored account ids that the mode `domain` would reject',
    description:
      'Does not depend on the current mode. One request checks at most 10,000 accounts: continue with `next`, and ' +
      'add up the numbers.',
    schema: { querystring: Type.Object({ cursor: Cursor }, { additionalProperties: false }) },
    responses: { 200: { description: 'The counts of one part of the accounts.', schema: ResponseBody } },
  });
  app.get('/settings/account-ids/check', options, async (request) => {
    const { tenant } = principalOf(request);
    const { cursor } = request.query;
    const after = cursor === undefined ? [] : readCursor(LISTING, cursor, isScanKey);
    const examples: string[] = [];
    let unfit = 0;
    const { scanned, next } = await scanAccounts(parts.store, tenant.id, after, ({ accountId }) => {
      if (canonicalDomain(accountId) !== undefined) return;
      unfit += 1;
      if (examples.length < MAX_EXAMPLES) examples.push(accountId);
    });
    return {
      looked_at: scanned,
      unfit,
      unfit_examples: examples,
      next: next === undefined ? null : writeCursor(LISTING, [...next]),
    };
  });
}
