import Type from 'typebox';
import { blockOf, blockPatternProblem, SYSTEM_BLOCKED_IDS } from '../../../domain/blocked-ids.js';
import { canonicalIdentifier } from '../../../domain/identifier.js';
import { canonicalFor } from '../../../domain/tenant.js';
import { validateAccount } from '../../../domain/validate-account.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError, invalidRequest } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { nullable } from '../schemas.js';

const Pattern = Type.String({
  minLength: 1,
  maxLength: 191,
  description: 'an id, or *.suffix',
  examples: ['*.test'],
});
const PatternBody = Type.Object({ pattern: Pattern }, { additionalProperties: false });

const Lists = Type.Object({
  data: Type.Array(Type.String(), { description: 'of this tenant', examples: [['*.test']] }),
  system: Type.Array(Type.String(), { description: 'of every tenant', examples: [[...SYSTEM_BLOCKED_IDS]] }),
});

export function listBlockedIds(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'admin', {
    id: 'list-blocked-ids',
    tag: 'Settings',
    summary: 'Show which account ids are refused',
    schema: {},
    answers: {
      200: { description: 'All that are refused', schema: Lists },
    },
  });
  app.get('/blocked-ids', options, async (request) => ({
    data: await parts.store.directory.blocked.list(principalOf(request).tenant.id),
    system: [...SYSTEM_BLOCKED_IDS],
  }));
}

export function addBlockedId(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'add-blocked-id',
    tag: 'Settings',
    summary: 'Refuse an account id, or all below a suffix',
    description: 'Accounts that are stored already stay.',
    schema: { body: PatternBody },
    answers: {
      200: { description: 'It was blocked already', schema: PatternBody },
      201: { description: 'Blocked', schema: PatternBody },
    },
  });
  app.post('/blocked-ids', options, async (request, reply) => {
    const pattern = canonicalIdentifier(request.body.pattern);
    const detail = blockPatternProblem(pattern);
    if (detail !== undefined) throw invalidRequest([{ pointer: '/body/pattern', detail }]);
    const { tenant } = principalOf(request);
    const isNew = await store.directory.blocked.add(tenant.id, pattern, actorOf(request, clock()));
    return reply.code(isNew ? 201 : 200).send({ pattern });
  });
}

export function removeBlockedId(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'remove-blocked-id',
    tag: 'Settings',
    summary: 'Let an account id in again',
    schema: { params: Type.Object({ pattern: Pattern }) },
    answers: { 204: { description: 'No longer blocked' } },
    refusals: [404],
  });
  app.delete('/blocked-ids/:pattern', options, async (request, reply) => {
    const pattern = canonicalIdentifier(request.params.pattern);
    const { tenant } = principalOf(request);
    const removed = await store.directory.blocked.remove(tenant.id, pattern, actorOf(request, clock()));
    if (!removed) throw httpError('not_found', `blocked id ${pattern}`);
    return reply.code(204).send();
  });
}

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
