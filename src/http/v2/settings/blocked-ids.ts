import Type from 'typebox';
import { blockOf, blockPatternProblem, SYSTEM_BLOCKED_IDS } from '../../../domain/blocked-ids.js';
import { canonicalIdentifier } from '../../../domain/identifier.js';
import { canonicalFor } from '../../../domain/tenant.js';
import { validateAccount } from '../../../domain/validate-account.js';
import { nullable } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError, invalidRequest } from '../../errors.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';

const Pattern = Type.String({
  minLength: 1,
  maxLength: 191,
  description: 'An account id, or `*.suffix`.',
  examples: ['*.test'],
});
const PatternBody = Type.Object({ pattern: Pattern }, { additionalProperties: false });

const Lists = Type.Object({
  data: Type.Array(Type.String(), { description: 'Patterns of this tenant.', examples: [['*.test']] }),
  system: Type.Array(Type.String(), {
    description: 'Patterns of every tenant.',
    examples: [[...SYSTEM_BLOCKED_IDS]],
  }),
});

export function listBlockedIds(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'admin', {
    id: 'list-blocked-ids',
    tag: 'Settings',
    summary: 'List blocked account ids',
    schema: {},
    responses: {
      200: { description: 'All blocked ids.', schema: Lists },
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
    summary: 'Block an account id, or all ids with a suffix',
    description: 'Rejects records with a blocked id. Accounts that are already stored stay.',
    schema: { body: PatternBody },
    responses: {
      200: { description: 'The id was already blocked.', schema: PatternBody },
      201: { description: 'Blocked.', schema: PatternBody },
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
    summary: 'Unblock an account id',
    schema: { params: Type.Object({ pattern: Pattern }) },
    responses: { 204: { description: 'No longer blocked.' } },
    errorStatuses: [404],
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

const ResponseBody = Type.Object(
  {
    account_id: Type.String({ description: 'The canonical form, in which ids are compared and stored.' }),
    is_accepted: Type.Boolean(),
    messages: Type.Array(Type.String(), {
      description: 'The messages that a request with this id would get.',
    }),
    blocked_by: nullable(
      Type.Object({
        pattern: Type.String({ description: 'The pattern in the list.' }),
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
    summary: 'Test whether an account id would be rejected, and why',
    description: 'Checks all rules for ids, including length and mode. Stores nothing.',
    schema: { body: Body },
    responses: { 200: { description: 'The result of the test.', schema: ResponseBody } },
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
