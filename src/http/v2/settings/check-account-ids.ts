import Type from 'typebox';
import { canonicalDomain } from '../../../domain/identifier.js';
import { principalOf } from '../../auth/authenticate.js';
import { isStepKey, scanAccounts } from '../accounts/scan-accounts.js';
import { readCursor, writeCursor } from '../cursor.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { Cursor, nullable } from '../schemas.js';

const MAX_EXAMPLES = 5;
const LISTING = 'account ids that are no domains';

const Answer = Type.Object(
  {
    looked_at: Type.Integer({ description: 'accounts' }),
    unfit: Type.Integer({ description: 'how many of their ids are no domains' }),
    unfit_examples: Type.Array(Type.String(), { description: 'up to 5 of these ids' }),
    next: nullable(
      Type.String({ description: 'the `cursor` of the next request; null: all were looked at' }),
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
    summary: 'Tell how many stored account ids the mode `domain` would refuse',
    description:
      'Whatever the mode is now. Looks at no more than 10,000 accounts at once: go on with `next`, and add up the numbers.',
    schema: { querystring: Type.Object({ cursor: Cursor }, { additionalProperties: false }) },
    answers: { 200: { description: 'How a part of the ids would fare', schema: Answer } },
  });
  app.get('/settings/account-ids/check', options, async (request) => {
    const { tenant } = principalOf(request);
    const { cursor } = request.query;
    const after = cursor === undefined ? [] : readCursor(LISTING, cursor, isStepKey);
    const examples: string[] = [];
    let unfit = 0;
    const { lookedAt, next } = await scanAccounts(parts.store, tenant.id, after, ({ accountId }) => {
      if (canonicalDomain(accountId) !== undefined) return;
      unfit += 1;
      if (examples.length < MAX_EXAMPLES) examples.push(accountId);
    });
    return {
      looked_at: lookedAt,
      unfit,
      unfit_examples: examples,
      next: next === undefined ? null : writeCursor(LISTING, [...next]),
    };
  });
}
