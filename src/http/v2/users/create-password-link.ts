import { randomBytes } from 'node:crypto';
import { LINK_VALIDITY_MS, linkUrl, newLinkToken } from '../../../domain/one-time-link.js';
import { isoTime } from '../../../wire/schemas.js';
import { principalOf } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';
import { publicUrlOf } from '../../public-url.js';
import { IssuedLinkSchema } from '../links/link-body.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { rejectOwnUser, UserIdParams } from './user-body.js';

export function createPasswordLink(app: V2App, parts: V2Parts): void {
  const { config, store, signIn, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'create-password-link',
    tag: 'Users',
    summary: 'Make a link with which a user sets a new password',
    description:
      'The link is shown only once, and valid for a day; it replaces an earlier one. A new password ends all sessions ' +
      'of the user. For a user who belongs to other tenants, too, or signs in by OpenID Connect, only the operator can make the ' +
      'link.',
    schema: { params: UserIdParams },
    responses: { 201: { description: 'The link.', schema: IssuedLinkSchema } },
    errorStatuses: [403, 404, 409],
  });
  app.post('/users/:id/password-link', options, async (request, reply) => {
    signIn.require('password');
    const principal = principalOf(request);
    const { tenant } = principal;
    const { id } = request.params;
    // Otherwise a stolen session could set a password without the present one.
    rejectOwnUser(principal, id);
    const { users, links } = store.directory;
    const member = await users.member(tenant.id, id);
    if (member === undefined) throw httpError('not_found', `user ${id}`);
    const { email } = member;
    if (member.hasIdentity) throw httpError('user_of_provider', email);
    if (await users.belongsElsewhere(tenant.id, id)) throw httpError('user_of_other_tenants', email);
    const now = clock();
    const { token, hash } = newLinkToken(randomBytes);
    const expiresAt = now + LINK_VALIDITY_MS.password;
    await links.allowPassword(tenant.id, { hash, email, expiresAt }, actorOf(request, now));
    const url = linkUrl(publicUrlOf(request, config), token);
    return reply.code(201).send({ url, expires_at: isoTime(expiresAt) });
  });
}
