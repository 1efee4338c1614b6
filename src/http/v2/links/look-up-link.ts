import Type from 'typebox';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import { operation, type V2App, type V2Parts } from '../operation.js';
import { credentialsLimit } from '../sessions/credentials-limit.js';
import { RoleSchema } from '../sessions/get-session.js';
import { findLink, Token } from './link-body.js';

const Body = Type.Object({ token: Token }, { additionalProperties: false, examples: [{ token: 'lnk_…' }] });

const LinkSchema = Type.Object(
  {
    kind: Type.Enum(['invitation', 'password'], {
      description: 'Whether it invites to a tenant, or allows to set a new password.',
    }),
    email: Type.String({ description: 'Of the person for whom it is.' }),
    tenant: nullable(Type.String({ description: 'Null if the operator has made it to set a password.' })),
    role: nullable(RoleSchema),
    has_password: Type.Boolean({
      description:
        'Whether there is a user with this address and a password, who confirms an invitation with it.',
    }),
    expires_at: Timestamp,
  },
  {
    title: 'OneTimeLink',
    examples: [
      {
        kind: 'invitation',
        email: 'kim@example.com',
        tenant: 'default',
        role: 'editor',
        has_password: false,
        expires_at: '2027-02-07T12:00:00.000Z',
      },
    ],
  },
);

export function lookUpLink(app: V2App, parts: V2Parts): void {
  const { config, store, signIn } = parts;
  const options = operation(parts, 'none', {
    id: 'look-up-link',
    tag: 'Links',
    summary: 'Read what a one-time link is for',
    description: 'The token is in the body, so that it is in no log. Failures count as failed sign-ins.',
    schema: { body: Body },
    responses: { 200: { description: 'The link.', schema: LinkSchema } },
    errorStatuses: [404, 429],
  });
  const bodyLimit = credentialsLimit(config);
  app.post('/links/look-up', { ...options, bodyLimit }, async (request) => {
    const { directory } = store;
    const { link } = await signIn.throttle.attempt(request, {}, () =>
      findLink(parts, request.body.token, request.hostname),
    );
    const { kind, email, tenantId, role, expiresAt } = link;
    const [user, tenant] = await Promise.all([
      directory.users.find({ email }),
      tenantId === null ? undefined : directory.findTenant({ id: tenantId }),
    ]);
    return {
      kind,
      email,
      tenant: tenant?.name ?? null,
      role,
      has_password: (user?.password ?? null) !== null,
      expires_at: isoTime(expiresAt),
    };
  });
}
