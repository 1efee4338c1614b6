import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { ROLES } from '../../../domain/user.js';
import { VERSION } from '../../../version.js';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import type { Principal } from '../../auth/principals.js';
import { Scopes } from '../keys/key-body.js';
import { operation, type V2App, type V2Parts } from '../operation.js';

export const RoleSchema = Type.Enum([...ROLES]);

export const SessionSchema = Type.Object(
  {
    tenant: Type.String(),
    user: nullable(
      Type.Object(
        { id: Type.String(), email: Type.String(), name: Type.String(), role: RoleSchema },
        { description: 'The signed-in user; null for a key.' },
      ),
    ),
    key_id: nullable(
      Type.String({ description: 'Id of the key that was sent, or that the browser signed in with.' }),
    ),
    label: Type.String({ description: 'Label of the key, or name of the user.' }),
    source: Type.String({ description: 'The source that changes of the key or user belong to.' }),
    scopes: Scopes,
    tenants: Type.Array(Type.Object({ name: Type.String(), role: RoleSchema }), {
      description: 'The tenants that the user can switch to, by name. Empty for a key.',
    }),
    expires_at: nullable(Timestamp),
    version: Type.String({ description: 'Version of the service.' }),
    database: Type.Enum(['sqlite', 'postgres']),
  },
  {
    title: 'Session',
    examples: [
      {
        tenant: 'default',
        user: { id: 'usr_3f9a2b7c', email: 'kim@example.com', name: 'Kim', role: 'editor' },
        key_id: null,
        label: 'Kim',
        source: 'console',
        scopes: ['read', 'sync'],
        tenants: [
          { name: 'default', role: 'editor' },
          { name: 'trial', role: 'admin' },
        ],
        expires_at: '2027-02-01T00:00:00.000Z',
        version: '1.0.0',
        database: 'sqlite',
      },
    ],
  },
);

/** `expires_at` is the end of the session or of its key, whichever is first. */
export async function sessionBody(
  principal: Principal,
  { store, signIn }: V2Parts,
  request: FastifyRequest,
): Promise<Static<typeof SessionSchema>> {
  const { tenant, senderId, label, source, scopes, expiresAt, session, user = null } = principal;
  const end = Math.min(session?.expiresAt ?? Number.POSITIVE_INFINITY, expiresAt ?? Number.POSITIVE_INFINITY);
  const tenants = user === null ? [] : await signIn.tenantsOf(user.id, request);
  return {
    tenant: tenant.name,
    user,
    key_id: user === null ? senderId : null,
    label,
    source,
    scopes: [...scopes],
    tenants: tenants.map(({ name, role }) => ({ name, role })),
    expires_at: Number.isFinite(end) ? isoTime(end) : null,
    version: VERSION,
    database: store.dialect,
  };
}

export function getSession(app: V2App, parts: V2Parts): void {
  const options = operation(parts, 'any', {
    id: 'get-session',
    tag: 'Sessions',
    summary: 'Read the current session',
    description:
      'Returns the user or key, and the tenant. Without a session, `expires_at` is the expiry of the key.',
    schema: {},
    responses: {
      200: { description: 'The user or key, the tenant, and the service.', schema: SessionSchema },
    },
  });
  app.get('/session', options, async (request) => sessionBody(principalOf(request), parts, request));
}
