import Type, { type Static } from 'typebox';
import { invalidRequest } from '../../errors.js';
import { RATE_LIMIT, SET_COOKIE } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { credentialsLimit } from './credentials-limit.js';
import { SessionSchema, sessionBody } from './get-session.js';

/** Not a union of two objects, whose errors would name the members of both. */
const Body = Type.Object(
  {
    email: Type.Optional(Type.String({ description: 'With `password`.' })),
    password: Type.Optional(Type.String()),
    tenant: Type.Optional(
      Type.String({ description: 'With `email`: the tenant to begin with. Default: the first one by name.' }),
    ),
    key: Type.Optional(Type.String({ description: 'An API key, instead of all others.' })),
  },
  {
    additionalProperties: false,
    examples: [{ email: 'kim@example.com', password: '…' }, { key: 'acs_…' }],
  },
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
  const bodyLimit = credentialsLimit(config);
  app.post('/session', { ...options, bodyLimit }, async (request, reply) => {
    const sent = credentialsIn(request.body);
    const principal =
      'key' in sent
        ? await parts.signIn.byKey(sent.key, request, reply)
        : await parts.signIn.byPassword(sent, request, reply);
    return reply.code(201).send(await sessionBody(principal, parts, request));
  });
}

/** Throws unless the body has either a key, or an e-mail address and a password. */
function credentialsIn({ key, email, password, tenant }: Static<typeof Body>) {
  const others = { email, password, tenant };
  if (key !== undefined) {
    const beside = Object.entries(others).filter(([, value]) => value !== undefined);
    if (beside.length === 0) return { key };
    throw invalidRequest(
      beside.map(([name]) => ({ pointer: `/body/${name}`, detail: 'cannot be sent together with a key' })),
    );
  }
  if (email !== undefined && password !== undefined) return { email, password, tenant };
  const missing = Object.entries({ email, password }).filter(([, value]) => value === undefined);
  throw invalidRequest(missing.map(([name]) => ({ pointer: `/body/${name}`, detail: 'is missing' })));
}
