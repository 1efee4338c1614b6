import Type from 'typebox';
import { blockOf } from '../../domain/blocked-ids.js';
import { canonicalFor } from '../../domain/tenant.js';
import { validateAccount } from '../../domain/validate-account.js';
import { principalOf } from '../authenticate.js';
import { operation, type V2App, type V2Parts } from './operation.js';
import { nullable } from './schemas.js';

const Body = Type.Object(
  { account_id: Type.String({ maxLength: 1000 }) },
  { additionalProperties: false, examples: [{ account_id: 'Shop.Test' }] },
);

const Answer = Type.Object(
  {
    account_id: Type.String({ description: 'in the form in which it is compared and stored' }),
    is_accepted: Type.Boolean(),
    messages: Type.Array(Type.String(), { description: 'what a request that sends it is told' }),
    blocked_by: nullable(
      Type.Object({
        pattern: Type.String({ description: 'as it stands in the list' }),
        list: Type.Enum(['tenant', 'system']),
      }),
    ),
  },
  {
    title: 'AccountIdTest',
    examples: [
      {
        account_id: 'shop.test',
        is_accepted: false,
        messages: ['account_id blocked by system.'],
        blocked_by: { pattern: '*.test', list: 'tenant' },
      },
    ],
  },
);

export function testBlockedId(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'admin', {
    id: 'test-blocked-id',
    tag: 'Settings',
    summary: 'Tell whether an account id would be refused, and why',
    description: 'By all the rules for ids: length and mode, too. Stores nothing.',
    schema: { body: Body },
    answers: { 200: { description: 'What would become of it', schema: Answer } },
  });
  app.post('/blocked-ids/test', options, async (request) => {
    const { rules } = principalOf(request).tenant;
    const { account_id } = request.body;
    const messages = validateAccount({ account_id }, rules).errors?.get('account_id') ?? [];
    const id = canonicalFor(rules.accountIds, account_id);
    return {
      account_id: id,
      is_accepted: messages.length === 0,
      messages: [...messages],
      blocked_by: blockOf(id, rules.blocked) ?? null,
    };
  });
}
