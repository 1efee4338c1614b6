import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { canonicalUserName } from '../../../domain/user.js';
import type { OneTimeLink, Redemption } from '../../../store/tenants/one-time-links.js';
import type { User } from '../../../store/tenants/user-row.js';
import { httpError, invalidRequest } from '../../errors.js';
import { RATE_LIMIT, SET_COOKIE } from '../../openapi/description.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { credentialsLimit } from '../sessions/credentials-limit.js';
import { SessionSchema, sessionBody } from '../sessions/get-session.js';
import { NAME_RULE, requirePassword } from '../users/user-body.js';
import { findLink, Token } from './link-body.js';

const Body = Type.Object(
  {
    token: Token,
    password: Type.String({
      description: 'A new password; of an existing user who accepts an invitation, the present one.',
    }),
    name: Type.Optional(Type.String({ description: 'Required for a new user.' })),
  },
  { additionalProperties: false, examples: [{ token: 'lnk_…', password: '…', name: 'Kim' }] },
);

export function redeemLink(app: V2App, parts: V2Parts): void {
  const { config, store, signIn, clock, refresh } = parts;
  const options = operation(parts, 'none', {
    id: 'redeem-link',
    tag: 'Links',
    summary: 'Use a one-time link: join a tenant, or set a new password',
    description:
      'Signs in, as `sign-in` does. Failures count as failed sign-ins. A new password ends all other sessions of the ' +
      'user.',
    schema: { body: Body },
    responses: {
      201: {
        description: 'Signed in.',
        schema: SessionSchema,
        headers: { ...RATE_LIMIT, 'Set-Cookie': SET_COOKIE },
      },
    },
    errorStatuses: [401, 403, 404, 409, 429],
  });
  const bodyLimit = credentialsLimit(config);
  app.post('/links/redeem', { ...options, bodyLimit }, async (request, reply) => {
    signIn.require('password');
    const { users, links } = store.directory;
    const { link, hash } = await signIn.throttle.attempt(request, {}, () =>
      findLink(parts, request.body.token, request.hostname),
    );
    const user = await users.find({ email: link.email });
    const redemption = await prove(
      parts,
      link,
      user,
      request as FastifyRequest & { body: Static<typeof Body> },
    );
    const joined = await links.redeem(hash, redemption, clock(), request.id);
    refresh();
    const found =
      link.tenantId === null ? undefined : await store.directory.findTenant({ id: link.tenantId });
    const principal = await signIn.asUser(joined.id, { tenant: found?.name }, request, reply);
    return reply.code(201).send(await sessionBody(principal, parts, request));
  });
}

/** A user who already has a password confirms an invitation with it; others choose one. */
async function prove(
  { signIn }: V2Parts,
  { kind, email }: OneTimeLink,
  user: User | undefined,
  request: FastifyRequest & { body: Static<typeof Body> },
): Promise<Redemption> {
  const { password } = request.body;
  if (kind === 'invitation' && user !== undefined) {
    if (user.password !== null) {
      const confirmed = await signIn.checkPassword(email, password, request);
      return { confirmedPassword: confirmed.password as string };
    }
    if (user.hasIdentity) throw httpError('link_needs_identity');
  }
  const name = readName(request.body.name, kind === 'invitation' && user === undefined);
  requirePassword(password, { email, name: name ?? user?.name ?? email });
  const newPassword = await signIn.passwords.hash(password);
  return { newPassword, ...(name !== undefined && { name }) };
}

function readName(text: string | undefined, isRequired: boolean): string | undefined {
  const name = text === undefined ? undefined : canonicalUserName(text);
  if (name === undefined && (isRequired || text !== undefined))
    throw invalidRequest([{ pointer: '/body/name', detail: NAME_RULE }]);
  return name;
}
