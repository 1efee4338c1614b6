import Type from 'typebox';
import { RATE_LIMIT, SET_COOKIE } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { SessionSchema, sessionBody } from './get-session.js';

/** The limit of request headers, which usually carry the key: the sender of this body is not authenticated yet. */
const MAX_BODY_BYTES = 16 * 1024;

const Body = Type.Union(
  [
    Type.Object({ key: Type.String({ description: 'An API key.' }) }, { additionalProperties: false }),
    Type.Object(
      {
        email: Type.String(),
        password: Type.String(),
        tenant: Type.Optional(
          Type.String({ description: 'The tenant to begin with. Default: the first one by name.' }),
        ),
      },
      { additionalProperties: false },
    ),
  ],
  { examples: [{ email: 'kim@example.com', password: '…' }, { key: 'acs_…' }] },
);

export function signIn(app: V2App, parts: V2Parts): void {
  const { config } = parts;
  const options = operation(parts, 'none', {
    id: 'sign-in',
    tag: 'Sessions',
    summary: 'Sign a browser in, with a password or a key',
    description:
      'Sets a cookie that replaces the key below `/api/v2`, together with the header `X-Account-Sync-Console: 1`. ' +
      'The session ends at `expires_at`, with `sign-out`, or when the user or key has lost its access. A user or key ' +
      'has at most 50 sessions: the next one ends the oldest. After ten failed sign-ins, an address may try once per ' +
      'minute; after twenty with a password for one user, anyone may for this user.',
    schema: { body: Body },
    responses: {
      201: {
        description: 'Signed in.',
        schema: SessionSchema,
        headers: { ...RATE_LIMIT, 'Set-Cookie': SET_COOKIE },
      },
    },
    errorStatuses: [401, 403, 429],
  });
  const bodyLimit = Math.min(config.maxBodyBytes, MAX_BODY_BYTES);
  app.post('/session', { ...options, bodyLimit }, async (request, reply) => {
    const { body } = request;
    const principal =
      'key' in body
        ? await parts.signIn.byKey(body.key, request, reply)
        : await parts.signIn.byPassword(body, request, reply);
    return reply.code(201).send(await sessionBody(principal, parts, request));
  });
}
