import Type, { type Static } from 'typebox';
import { keyState, SCOPES } from '../../../domain/api-key.js';
import type { KeyRecord } from '../../../store/tenants/keys.js';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import { httpError, invalidRequest } from '../../errors.js';
import { readTimestamp } from '../request-validation.js';

export const Scopes = Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length });

const KEY = {
  id: 'k3f9a2b7',
  state: 'live',
  scopes: ['sync'],
  label: 'crm',
  source: 'crm',
  created_at: '2027-01-31T12:00:00.000Z',
  last_used_at: null,
  expires_at: null,
  revoked_at: null,
};

export const KeySchema = Type.Object(
  {
    id: Type.String({ description: 'Identifies the key in logs and lists; not secret.' }),
    state: Type.Enum(['live', 'expired', 'revoked']),
    scopes: Scopes,
    label: Type.String(),
    source: Type.String({ description: 'The source to which the key belongs.' }),
    created_at: Timestamp,
    last_used_at: nullable(Timestamp),
    expires_at: nullable(Timestamp),
    revoked_at: nullable(Timestamp),
  },
  { title: 'Key', examples: [KEY] },
);

export const ISSUED_KEY = { ...KEY, key: 'acs_…' };

export const IssuedKeySchema = Type.Object(
  {
    ...KeySchema.properties,
    key: Type.String({ description: 'The key itself, which is shown only in this response.' }),
  },
  { title: 'IssuedKey', examples: [ISSUED_KEY] },
);

export const KeyIdParams = Type.Object({
  id: Type.String({
    minLength: 1,
    description: 'The id of the key, not the key itself.',
    examples: [KEY.id],
  }),
});

export function keyBody(key: KeyRecord, now: number): Static<typeof KeySchema> {
  const orNull = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    id: key.id,
    state: keyState(key, now),
    scopes: [...key.scopes],
    label: key.label,
    source: key.source,
    created_at: isoTime(key.createdAt),
    last_used_at: orNull(key.lastUsedAt),
    expires_at: orNull(key.expiresAt),
    revoked_at: orNull(key.revokedAt),
  };
}

/** Undefined if no expiry was sent; null for a key that does not expire. */
export function readExpiry(text: string | null | undefined, now: number): number | null | undefined {
  if (text === null || text === undefined) return text;
  const at = readTimestamp(text, '/body/expires_at') as number;
  if (at > now) return at;
  throw invalidRequest([{ pointer: '/body/expires_at', detail: 'has passed already' }]);
}

export function requireLive(keys: readonly KeyRecord[], id: string, now: number): KeyRecord {
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw httpError('not_found', `key ${id}`);
  const state = keyState(key, now);
  if (state !== 'live') throw httpError('key_not_live', id, state);
  return key;
}
