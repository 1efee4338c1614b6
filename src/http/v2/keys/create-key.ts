import Type from 'typebox';
import { issueKey } from '../../../store/tenants/keys.js';
import { principalOf } from '../../auth/authenticate.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { IssuedKeySchema, keyBody, readExpiry, Scopes } from './key-body.js';

const Body = Type.Object(
  {
    scopes: Scopes,
    label: Type.Optional(Type.String({ maxLength: 200, description: 'What the key is used for.' })),
    source: Type.Optional(
      Type.String({ description: 'An existing source. Default: one that is named after the label.' }),
    ),
    expires_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
  },
  { additionalProperties: false, examples: [{ scopes: ['sync'], label: 'nightly sync', source: 'crm' }] },
);

export function createKey(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'create-key',
    tag: 'Keys',
    summary: 'Create a key',
    description: 'Returns the key itself, which is shown only once.',
    schema: { body: Body },
    responses: { 201: { description: 'The new key.', schema: IssuedKeySchema } },
    errorStatuses: [409],
  });
  app.post('/keys', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const now = clock();
    const { label = '', source: named, expires_at } = request.body;
    const expiresAt = readExpiry(expires_at, now) ?? null;
    const scopes = [...new Set(request.body.scopes)];
    const options = { tenantId: tenant.id, scopes, label, source: named, expiresAt };
    const by = actorOf(request, now);
    let source = '';
    const { id, key } = await issueKey(async (issued) => {
      source = await store.directory.keys.add({ ...issued, createdAt: now }, by);
    }, options);
    const record = { ...options, source, id, createdAt: now, lastUsedAt: null, revokedAt: null };
    return reply.code(201).send({ ...keyBody(record, now), key });
  });
}
