import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { issueKey } from '../../../store/tenants/keys.js';
import { isoTime, Timestamp } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { ISSUED_KEY, IssuedKeySchema, KeyIdParams, keyBody, readExpiry, requireLive } from './key-body.js';

const HOUR_MS = 3_600_000;

const Body = Type.Object(
  {
    overlap_hours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 8760,
        default: 24,
        description: 'How long the old key stays valid.',
      }),
    ),
    expires_at: Type.Optional(Type.Union([Type.String({ format: 'date-time' }), Type.Null()])),
  },
  { additionalProperties: false, examples: [{ overlap_hours: 48 }] },
);

const ResponseBody = Type.Object(
  {
    ...IssuedKeySchema.properties,
    replaced: Type.Object({ id: Type.String(), expires_at: Timestamp }),
  },
  {
    examples: [
      {
        ...ISSUED_KEY,
        id: 'k81c40de',
        replaced: { id: ISSUED_KEY.id, expires_at: '2027-02-02T12:00:00.000Z' },
      },
    ],
  },
);

export function rotateKey(app: V2App, parts: V2Parts): void {
  const { store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'rotate-key',
    tag: 'Keys',
    summary: 'Replace a key',
    description:
      'The new key gets the scopes and the label of the old one, and its expiry unless another is sent. The old key ' +
      'stays valid for `overlap_hours`.',
    schema: { params: KeyIdParams, body: Body },
    responses: {
      201: { description: 'The new key, and the time at which the old one ends.', schema: ResponseBody },
    },
    errorStatuses: [404, 409],
  });
  // All properties of the body are optional, so the body itself is, too.
  const preValidation = async (request: FastifyRequest) => {
    request.body ??= {};
  };
  app.post('/keys/:id/rotate', { ...options, preValidation }, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { keys } = store.directory;
    const now = clock();
    const old = requireLive(await keys.list(tenant.id), request.params.id, now);
    const { overlap_hours: overlap = 24, expires_at } = request.body;
    const until = Math.min(now + overlap * HOUR_MS, old.expiresAt ?? Number.POSITIVE_INFINITY);
    const requested = readExpiry(expires_at, now);
    const expiresAt = requested === undefined ? old.expiresAt : requested;
    const { scopes, label, source } = old;
    const successor = { tenantId: tenant.id, scopes, label, source, expiresAt };
    const by = actorOf(request, now);
    const { id, key } = await issueKey(
      (issued) => keys.rotate(old.id, until, { ...issued, createdAt: now }, by),
      successor,
    );
    const record = { ...successor, id, createdAt: now, lastUsedAt: null, revokedAt: null };
    const replaced = { id: old.id, expires_at: isoTime(until) };
    return reply.code(201).send({ ...keyBody(record, now), key, replaced });
  });
}
