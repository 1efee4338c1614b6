import Type from 'typebox';
import { blockPatternProblem, SYSTEM_BLOCKED_IDS } from '../../domain/blocked-ids.js';
import { canonicalIdentifier } from '../../domain/identifier.js';
import { principalOf } from '../authenticate.js';
import { refusals } from '../refusal.js';
import { actorOf } from './actor.js';
import { operation, type V2App, type V2Parts } from './operation.js';

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
    if (detail !== undefined) throw refusals.invalid([{ pointer: '/body/pattern', detail }]);
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
    if (!removed) throw refusals.noSuch(`blocked id ${pattern}`);
    return reply.code(204).send();
  });
}
