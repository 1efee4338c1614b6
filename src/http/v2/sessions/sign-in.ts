import Type from 'typebox';
import { principalOf } from '../../auth/authenticate.js';
import { newSession } from '../../auth/new-session.js';
import { setSessionCookie } from '../../auth/sessions.js';
import { SignInThrottle } from '../../auth/sign-in-throttle.js';
import { RATE_LIMIT, SET_COOKIE } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { SessionSchema, sessionBody } from './get-session.js';

const HOUR_MS = 3_600_000;
/** The limit of request headers, which usually carry the key: the sender of this body is not authenticated yet. */
const MAX_BODY_BYTES = 16 * 1024;

const Body = Type.Object(
  { key: Type.String({ description: 'An API key.' }) },
  { additionalProperties: false, examples: [{ key: 'acs_…' }] },
);

export function signIn(app: V2App, parts: V2Parts): void {
  const { config, store, clock, elapsed, authorize } = parts;
  const options = operation(parts, 'none', {
    id: 'sign-in',
    tag: 'Sessions',
    summary: 'Sign a browser in with a key',
    description:
      'Sets a cookie that replaces the key below `/api/v2`, together with the header `X-Account-Sync-Console: 1`. ' +
      'The session ends at `expires_at`, with `sign-out`, or when the key is no longer live. A key has at most 50 ' +
      'sessions: the next one ends the oldest. After ten failed sign-ins, an address may try once per minute.',
    schema: { body: Body },
    responses: {
      201: {
        description: 'Signed in.',
        schema: SessionSchema,
        headers: { ...RATE_LIMIT, 'Set-Cookie': SET_COOKIE },
      },
    },
    errorStatuses: [401, 429],
  });
  const bodyLimit = Math.min(config.maxBodyBytes, MAX_BODY_BYTES);
  const throttle = new SignInThrottle(elapsed);
  app.post('/session', { ...options, bodyLimit }, async (request, reply) => {
    const { key } = request.body;
    await throttle.attempt(request, key, () => authorize(key, request, reply));
    const principal = principalOf(request);
    const now = clock();
    const end = now + config.sessionHours * HOUR_MS;
    const expiresAt = Math.min(end, principal.expiresAt ?? end);
    const { keyId, tenant } = principal;
    const { session, token } = newSession(request, { keyId, tenantId: tenant.id, createdAt: now, expiresAt });
    await store.directory.sessions.create(session);
    setSessionCookie(reply, token, Math.ceil((expiresAt - now) / 1_000));
    return reply.code(201).send(sessionBody({ ...principal, session }, store));
  });
}
