import { randomBytes } from 'node:crypto';
import Type from 'typebox';
import { LINK_VALIDITY_MS, linkUrl, newLinkToken } from '../../../domain/one-time-link.js';
import { canonicalEmail } from '../../../domain/user.js';
import { principalOf } from '../../auth/authenticate.js';
import { invalidRequest } from '../../errors.js';
import { publicUrlOf } from '../../public-url.js';
import { actorOf, operation, type V2App, type V2Parts } from '../operation.js';
import { RoleSchema } from '../sessions/get-session.js';
import { IssuedInvitationSchema, invitationBody } from './invitation-body.js';

const Body = Type.Object(
  { email: Type.String(), role: RoleSchema },
  { additionalProperties: false, examples: [{ email: 'kim@example.com', role: 'editor' }] },
);

export function createInvitation(app: V2App, parts: V2Parts): void {
  const { config, store, clock } = parts;
  const options = operation(parts, 'admin', {
    id: 'create-invitation',
    tag: 'Users',
    summary: 'Invite a person to the tenant',
    description:
      'Returns a link to give to the person, which is shown only once, and valid for seven days. It replaces an earlier ' +
      'invitation for the same address.',
    schema: { body: Body },
    responses: { 201: { description: 'The invitation.', schema: IssuedInvitationSchema } },
    errorStatuses: [409],
  });
  app.post('/invitations', options, async (request, reply) => {
    const { tenant } = principalOf(request);
    const { role } = request.body;
    const email = canonicalEmail(request.body.email);
    if (email === undefined)
      throw invalidRequest([{ pointer: '/body/email', detail: 'must be an e-mail address' }]);
    const now = clock();
    const { token, hash } = newLinkToken(randomBytes);
    const link = { hash, email, expiresAt: now + LINK_VALIDITY_MS.invitation };
    const invitation = await store.directory.links.invite(tenant.id, role, link, actorOf(request, now));
    const url = linkUrl(publicUrlOf(request, config), token);
    return reply.code(201).send({ ...invitationBody(invitation), url });
  });
}
