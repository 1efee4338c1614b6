import type { Kysely } from 'kysely';
import type { Role } from '../../domain/user.js';
import { IdentityRefused } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type MembershipOrigin, type User, userFromRow } from './user-row.js';

/** Who has signed in at the OpenID provider, and what its claims say. */
export interface ProvenIdentity {
  readonly issuer: string;
  /** The name of the person at the provider, which never changes. */
  readonly subject: string;
  /** Undefined unless the provider has verified it. */
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** The roles that the claims give, by the name of the tenant. */
  readonly roles: ReadonlyMap<string, Role>;
  /** The names of the tenants in which the claims decide on roles. */
  readonly decidedTenants: readonly string[];
}

/** What a sign-in changes. */
export interface IdentityPlan {
  /** Undefined if the user has to be created. */
  readonly user: User | undefined;
  /** Whether the user has not signed in by this identity before. */
  readonly isNewIdentity: boolean;
  /** The name that a former user, who belongs to no tenant any more, comes back with. */
  readonly name: string | undefined;
  /** The new address of an existing user. */
  readonly email: string | undefined;
  /** The ids of invitations that the sign-in accepts. */
  readonly invitations: readonly string[];
  readonly joins: readonly {
    readonly tenantId: number;
    readonly role: Role;
    readonly origin: MembershipOrigin;
  }[];
  readonly changes: readonly { readonly tenantId: number; readonly from: Role; readonly to: Role }[];
  /** The tenants that the user leaves. */
  readonly removals: readonly number[];
  /** Whether the user belongs to a tenant afterwards, also where an administrator has disabled the user. */
  readonly hasTenant: boolean;
}

interface OwnMembership {
  readonly role: Role;
  readonly origin: MembershipOrigin;
  readonly isDisabled: boolean;
}

/** Rejects with `IdentityRefused` if the person may not sign in, and is no user who would lose a role by that. */
export async function planSignIn(
  db: Kysely<Tables>,
  identity: ProvenIdentity,
  at: number,
): Promise<IdentityPlan> {
  const { issuer, subject, email } = identity;
  const users = db.selectFrom('app_user').selectAll();
  const known = await users
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .executeTakeFirst();
  const ofEmail = email === undefined ? undefined : await users.where('email', '=', email).executeTakeFirst();
  if (known === undefined && email === undefined) throw new IdentityRefused('oidc_email_unverified');
  // An address can pass to another person, who is not the user that had it first.
  if (known === undefined && (ofEmail?.oidc_subject ?? null) !== null) {
    throw new IdentityRefused('oidc_email_taken');
  }
  const row = known ?? ofEmail;
  const user = row && userFromRow(row);
  const memberships = user === undefined ? new Map() : await membershipsOf(db, user.id);
  const roles = await planRoles(db, identity, memberships, at);
  const hasTenant = memberships.size + roles.joins.length > roles.removals.length;
  if (!hasTenant && roles.removals.length === 0) throw new IdentityRefused('oidc_no_role');
  const hasMoved = known !== undefined && ofEmail === undefined && email !== known.email;
  return {
    user,
    isNewIdentity: known === undefined,
    name: memberships.size === 0 ? identity.name : undefined,
    email: hasMoved ? email : undefined,
    ...roles,
    hasTenant,
  };
}

/** An administrator's invitation comes before the claims, and its role is not changed by them. */
async function planRoles(
  db: Kysely<Tables>,
  { email, roles, decidedTenants }: ProvenIdentity,
  memberships: ReadonlyMap<number, OwnMembership>,
  at: number,
): Promise<Pick<IdentityPlan, 'invitations' | 'joins' | 'changes' | 'removals'>> {
  const invitations = email === undefined ? [] : await invitationsOf(db, email, at);
  const joins: IdentityPlan['joins'][number][] = invitations
    .filter(({ tenantId }) => !memberships.has(tenantId))
    .map(({ tenantId, role }) => ({ tenantId, role, origin: 'invitation' }));
  const invited = new Set(joins.map(({ tenantId }) => tenantId));
  const changes: IdentityPlan['changes'][number][] = [];
  const removals: number[] = [];
  for (const { id: tenantId, name } of await tenantsNamed(db, decidedTenants)) {
    const to = roles.get(name);
    const membership = memberships.get(tenantId);
    if (membership === undefined) {
      if (to !== undefined && !invited.has(tenantId)) joins.push({ tenantId, role: to, origin: 'oidc' });
    } else if (membership.origin === 'oidc') {
      if (to !== undefined && to !== membership.role) changes.push({ tenantId, from: membership.role, to });
      // A disabled membership is kept, so that it is still disabled when the role comes back.
      if (to === undefined && !membership.isDisabled) removals.push(tenantId);
    }
  }
  return { invitations: invitations.map(({ id }) => id), joins, changes, removals };
}

async function membershipsOf(db: Kysely<Tables>, userId: string): Promise<Map<number, OwnMembership>> {
  const rows = await db
    .selectFrom('membership')
    .select(['tenant_id', 'role', 'origin', 'disabled_at'])
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .execute();
  return new Map(
    rows.map(({ tenant_id, role, origin, disabled_at }) => [
      tenant_id,
      { role: role as Role, origin: origin as MembershipOrigin, isDisabled: disabled_at !== null },
    ]),
  );
}

async function invitationsOf(db: Kysely<Tables>, email: string, at: number) {
  const query = db.selectFrom('one_time_link').select(['id', 'tenant_id', 'role']);
  const valid = query
    .where('email', '=', email)
    .where('kind', '=', 'invitation')
    .where('expires_at', '>', at);
  const rows = await valid.orderBy('tenant_id').execute();
  return rows.flatMap(({ id, tenant_id: tenantId, role }) =>
    tenantId === null || role === null ? [] : [{ id, tenantId, role: role as Role }],
  );
}

async function tenantsNamed(db: Kysely<Tables>, names: readonly string[]) {
  if (names.length === 0) return [];
  return db.selectFrom('tenant').select(['id', 'name']).where('name', 'in', names).orderBy('name').execute();
}
