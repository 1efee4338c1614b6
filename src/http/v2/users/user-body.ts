import Type, { type Static } from 'typebox';
import { passwordWeakness } from '../../../domain/password.js';
import type { Member } from '../../../store/tenants/user-row.js';
import { isoTime, nullable, Timestamp } from '../../../wire/schemas.js';
import type { Principal } from '../../auth/principals.js';
import { httpError, invalidRequest } from '../../errors.js';
import { RoleSchema } from '../sessions/get-session.js';

export const UserSchema = Type.Object(
  {
    id: Type.String({ description: 'Names the user in the history; never changes.' }),
    email: Type.String(),
    name: Type.String(),
    role: RoleSchema,
    state: Type.Enum(['active', 'disabled']),
    origin: Type.Enum(['invitation', 'oidc'], {
      description:
        'Who decides on the role: an administrator, or the claims of each sign-in by OpenID Connect.',
    }),
    has_password: Type.Boolean({ description: 'Whether the user can sign in with a password.' }),
    joined_at: Timestamp,
    last_used_at: nullable(Timestamp),
  },
  {
    title: 'User',
    examples: [
      {
        id: 'usr_3f9a2b7c',
        email: 'kim@example.com',
        name: 'Kim',
        role: 'editor',
        state: 'active',
        origin: 'invitation',
        has_password: true,
        joined_at: '2027-01-31T12:00:00.000Z',
        last_used_at: null,
      },
    ],
  },
);

export const UserIdParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'The id of the user.', examples: ['usr_3f9a2b7c'] }),
});

export function userBody(member: Member): Static<typeof UserSchema> {
  const { id, email, name, role, origin, disabledAt, password, joinedAt, lastUsedAt } = member;
  return {
    id,
    email,
    name,
    role,
    state: disabledAt === null ? 'active' : 'disabled',
    origin,
    has_password: password !== null,
    joined_at: isoTime(joinedAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}

export const NAME_RULE = 'must be 1 to 200 characters without control characters';

/** Rejects a new password that is too weak. */
export function requirePassword(
  password: string,
  of: { readonly email: string; readonly name: string },
): void {
  const weakness = passwordWeakness(password, of);
  if (weakness !== undefined) throw invalidRequest([{ pointer: '/body/password', detail: weakness }]);
}

/** Administrators cannot remove their own access, so a tenant never loses its last one over HTTP. */
export function rejectOwnUser({ user }: Principal, id: string): void {
  if (user?.id === id) throw httpError('own_user');
}
