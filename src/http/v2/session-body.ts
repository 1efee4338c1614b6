import Type, { type Static } from 'typebox';
import type { Store } from '../../store/store.js';
import { VERSION } from '../../version.js';
import type { Principal } from '../principals.js';
import { isoTime } from './account-body.js';
import { Scopes } from './key-body.js';
import { Moment, nullable } from './schemas.js';

export const SessionSchema = Type.Object(
  {
    tenant: Type.String(),
    key_id: Type.String({ description: 'of the key that was sent, or that the browser signed in with' }),
    label: Type.String({ description: 'of the key' }),
    scopes: Scopes,
    expires_at: nullable(Moment),
    version: Type.String({ description: 'of the service' }),
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

/** Ends with the session or with its key, whichever is first. */
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
