import Type, { type Static } from 'typebox';
import type { OneTimeLink } from '../../../store/tenants/one-time-links.js';
import { isoTime, Timestamp } from '../../../wire/schemas.js';
import { RoleSchema } from '../sessions/get-session.js';

const INVITATION = {
  id: '3f9a2b7c',
  email: 'kim@example.com',
  role: 'editor',
  created_at: '2027-01-31T12:00:00.000Z',
  expires_at: '2027-02-07T12:00:00.000Z',
};

export const InvitationSchema = Type.Object(
  {
    id: Type.String({ description: 'Names the invitation; not secret.' }),
    email: Type.String(),
    role: RoleSchema,
    created_at: Timestamp,
    expires_at: Timestamp,
  },
  { title: 'Invitation', examples: [INVITATION] },
);

export const IssuedInvitationSchema = Type.Object(
  {
    ...InvitationSchema.properties,
    url: Type.String({
      description: 'The link for the invited person, which is shown only in this response.',
    }),
  },
  {
    title: 'IssuedInvitation',
    examples: [{ ...INVITATION, url: 'https://accounts.example.com/console/welcome#lnk_…' }],
  },
);

export function invitationBody(link: OneTimeLink): Static<typeof InvitationSchema> {
  const { id, email, role, createdAt, expiresAt } = link;
  if (role === null) throw new Error(`The link ${id} does not invite.`);
  return { id, email, role, created_at: isoTime(createdAt), expires_at: isoTime(expiresAt) };
}
