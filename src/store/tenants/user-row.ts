import type { Kysely, Selectable } from 'kysely';
import type { Role } from '../../domain/user.js';
import type { Tables } from '../schema/tables.js';

/** A person, who may belong to several tenants. */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The hash of the password; null if the user has none. */
  readonly password: string | null;
  /** Whether the user has signed in by OpenID Connect. */
  readonly hasIdentity: boolean;
  readonly createdAt: number;
}

/** Who decides on a role: an administrator, or the claims of each sign-in by OpenID Connect. */
export type MembershipOrigin = 'invitation' | 'oidc';

export interface Membership {
  readonly tenantId: number;
  readonly role: Role;
  readonly origin: MembershipOrigin;
  readonly joinedAt: number;
  readonly disabledAt: number | null;
  readonly lastUsedAt: number | null;
}

export interface Member extends User, Membership {}

export async function findUser(
  db: Kysely<Tables>,
  by: { readonly id: string } | { readonly email: string },
): Promise<User | undefined> {
  const query = db.selectFrom('app_user').selectAll();
  const row = await ('id' in by ? query.where('id', '=', by.id) : query.where('email', '=', by.email))
    .limit(1)
    .executeTakeFirst();
  return row && userFromRow(row);
}

/** Those who belong to a tenant now. */
export function selectMembers(db: Kysely<Tables>, tenantId: number) {
  return db
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .selectAll('app_user')
    .select([
      'tenant_id',
      'role',
      'origin',
      'membership.created_at as joined_at',
      'disabled_at',
      'last_used_at',
    ])
    .where('tenant_id', '=', tenantId)
    .where('removed_at', 'is', null);
}

export async function findMember(
  db: Kysely<Tables>,
  tenantId: number,
  userId: string,
): Promise<Member | undefined> {
  const row = await selectMembers(db, tenantId).where('user_id', '=', userId).executeTakeFirst();
  return row && memberFromRow(row);
}

export function userFromRow(row: Selectable<Tables['app_user']>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    password: row.password,
    hasIdentity: row.oidc_subject !== null,
    createdAt: row.created_at,
  };
}

type MemberRow = Selectable<Tables['app_user']> &
  Pick<Selectable<Tables['membership']>, 'tenant_id' | 'role' | 'origin' | 'disabled_at' | 'last_used_at'> & {
    joined_at: number;
  };

export function memberFromRow(row: MemberRow): Member {
  return {
    ...userFromRow(row),
    tenantId: row.tenant_id,
    role: row.role as Role,
    origin: row.origin as MembershipOrigin,
    joinedAt: row.joined_at,
    disabledAt: row.disabled_at,
    lastUsedAt: row.last_used_at,
  };
}
