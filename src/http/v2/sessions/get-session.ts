import Type, { type Static } from 'typebox';
import type { Store } from '../../../store/store.js';
import { VERSION } from '../../../version.js';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import type { Principal } from '../../auth/principals.js';
import { Scopes } from '../keys/key-body.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

export const SessionSchema = Type.Object(
  {
    tenant: Type.String(),
    key_id: Type.String({ description: 'Id of the key that was sent, or that the browser signed in with.' }),
    label: Type.String({ description: 'Label of the key.' }),
    scopes: Scopes,
    expires_at: nullable(Timestamp),
    version: Type.String({ description: 'Version of the service.' }),
    database: Type.Enum(['sqlite', 'postgres']),
  },
  {
    title: 'Session',
    examples: [
      {
        tenant: 'default',
        key_id: 'k3f9a2b7',
        label: 'ops',
        scopes: ['read', 'admin'],
        expires_at: '2027-02-01T00:00:00.000Z',
        version: '1.0.0',
        database: 'sqlite',
      },
    ],
  },
);

/** `expires_at` is the end of the session or of its key, whichever is first. */
export function sessionBody(principal: Principal, { dialect }: Store): Static<typeof SessionSchema> {
  const { tenant, keyId, label, scopes, expiresAt, session } = principal;
  const end = Math.min(session?.expiresAt ?? Number.POSITIVE_INFINITY, expiresAt ?? Number.POSITIVE_INFINITY);
  return {
    tenant: tenant.name,
    key_id: keyId,
    label,
    scopes: [...scopes],
    expires_at: Number.isFinite(end) ? isoTime(end) : null,
    version: VERSION,
    database: dialect,
  };
}

export function getSession(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'any', {
    id: 'get-session',
    tag: 'Sessions',
    summary: 'Read the current session',
    description: 'Returns the key and its tenant. Without a session, `expires_at` is the expiry of the key.',
    schema: {},
    responses: { 200: { description: 'The key, its tenant, and the service.', schema: SessionSchema } },
  });
  app.get('/session', options, async (request) => sessionBody(principalOf(request), parts.store));
}
