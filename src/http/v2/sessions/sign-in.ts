import Type from 'typebox';
import { hashKey } from '../../../domain/api-key.js';
import { principalOf } from '../../auth/authenticate.js';
import { newToken, setSessionCookie } from '../../auth/sessions.js';
import { SignInThrottle } from '../../auth/sign-in-throttle.js';
import { RATE_LIMIT, SET_COOKIE } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { SessionSchema, sessionBody } from './get-session.js';

const HOUR_MS = 3_600_000;
/** As much as a key in a header may have: whoever sends this body is not known yet. */
const MAX_BODY_BYTES = 16 * 1024;

const Body = Type.Object(
  { key: Type.String({ description: 'an API key' }) },
  { additionalProperties: false, examples: [{ key: 'acs_…' }] },
);

export function signIn(app: V2App, parts: V2Parts): void {
  const { config, store, clock, elapsed, authorize } = parts;
  const options = operation(parts, 'none', {
    id: 'sign-in',
    tag: 'Sessions',
    summary: 'Sign a browser in with a key',
    description:
      'The cookie then stands for the key, below `/api/v2` and only together with `X-Account-Sync-Console: 1`, until ' +
      '`expires_at`, until `sign-out`, or until the key is not live any more. A key has 50 sessions at most: the ' +
      'oldest makes room for the next. After ten tries of an address that failed, one more each minute is let through.',
    schema: { body: Body },
    answers: {
      201: {
        description: 'Signed in',
        schema: SessionSchema,
        headers: { ...RATE_LIMIT, 'Set-Cookie': SET_COOKIE },
      },
    },
    refusals: [401, 429],
  });
  const bodyLimit = Math.min(config.maxBodyBytes, MAX_BODY_BYTES);
  const attempts = new SignInThrottle(elapsed);
  app.post('/session', { ...options, bodyLimit }, async (request, reply) => {
    const { key } = request.body;
    await attempts.watch(request, key, () => authorize(key, request, reply));
    const principal = principalOf(request);
    const now = clock();
    const end = now + config.sessionHours * HOUR_MS;
    const expiresAt = Math.min(end, principal.expiresAt ?? end);
    const token = newToken();
    const { keyId, tenant } = principal;
    const session = { hash: hashKey(token), tenantId: tenant.id, keyId, createdAt: now, expiresAt };
    await store.directory.sessions.create(session);
    setSessionCookie(reply, token, Math.ceil((expiresAt - now) / 1_000));
    return reply.code(201).send(sessionBody({ ...principal, session }, store));
  });
}
