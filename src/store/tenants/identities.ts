import type { Kysely, Transaction } from 'kysely';
import { IdentityRefused } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, recordChange } from './configuration-changes.js';
import { type IdentityPlan, type ProvenIdentity, planSignIn } from './identity-plan.js';
import { addMember, insertUser, recordInTenants, removeMember } from './memberships.js';
import { endSessions } from './sessions.js';
import type { User } from './user-row.js';

/** Sign-ins by OpenID Connect: the user of an identity, and the roles that the provider decides on. */
export class Identities {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * The id of the user, who has the roles of the claims from now on. Rejects with `IdentityRefused` if the person may not
   * sign in; nothing is stored about a new person then, and a user loses the roles that the claims do not give.
   */
  async signIn(identity: ProvenIdentity, at: number, requestId: string): Promise<string> {
    const seen = await planSignIn(this.#db, identity, at);
    // Most sign-ins change nothing, and then the caches of all processes stay valid.
    const { user, hasTenant } =
      seen.user !== undefined && isEmpty(seen)
        ? { user: seen.user, hasTenant: seen.hasTenant }
        : await changeConfiguration(this.#db, async (db) => {
            // Again, because another sign-in may have changed the user before this transaction began.
            const plan = await planSignIn(db, identity, at);
            return { user: await carryOut(db, plan, identity, { at, requestId }), hasTenant: plan.hasTenant };
          });
    if (!hasTenant) throw new IdentityRefused('oidc_no_role');
    return user.id;
  }
}

function isEmpty({ isNewIdentity, email, invitations, joins, changes, removals }: IdentityPlan): boolean {
  return (
    !isNewIdentity &&
    email === undefined &&
    [invitations, joins, changes, removals].every(({ length }) => length === 0)
  );
}

async function carryOut(
  db: Transaction<Tables>,
  plan: IdentityPlan,
  identity: ProvenIdentity,
  { at, requestId }: { readonly at: number; readonly requestId: string },
): Promise<User> {
  const { email = '', name = email } = identity;
  const user = plan.user ?? (await insertUser(db, { email, name, at }));
  const by = { at, senderId: user.id, requestId };
  if (plan.isNewIdentity) await link(db, user, identity, plan, by);
  if (plan.email !== undefined) {
    await db.updateTable('app_user').set({ email: plan.email }).where('id', '=', user.id).execute();
    const change = { action: 'user.email', subject: plan.email, from: user.email, to: plan.email };
    await recordInTenants(db, user.id, by, change);
  }
  const subject = plan.email ?? user.email;
  for (const { tenantId, role, origin } of plan.joins) {
    await addMember(db, tenantId, user.id, { role, origin, at });
    await recordChange(db, tenantId, by, { action: 'user.join', subject, from: null, to: { role, origin } });
  }
  if (plan.invitations.length > 0) {
    await db.deleteFrom('one_time_link').where('id', 'in', plan.invitations).execute();
  }
  for (const { tenantId, from, to } of plan.changes) {
    await db
      .updateTable('membership')
      .set({ role: to })
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', user.id)
      .execute();
    const change = { action: 'user.change', subject, from: { role: from }, to: { role: to } };
    await recordChange(db, tenantId, by, change);
  }
  // Last, because a user without a tenant loses the identity.
  for (const tenantId of plan.removals) await removeMember(db, tenantId, user.id, by);
  return user;
}

/**
 * Links a user to an identity. The password and all sessions end, because another person with the link of an invitation
 * may have chosen that password. From now on the user signs in at the provider only.
 */
async function link(
  db: Transaction<Tables>,
  user: User,
  { issuer, subject }: ProvenIdentity,
  { name }: IdentityPlan,
  by: Actor,
): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ oidc_issuer: issuer, oidc_subject: subject, password: null, ...(name !== undefined && { name }) })
    .where('id', '=', user.id)
    .execute();
  await endSessions(db, { senderId: user.id });
  const change = {
    action: 'user.identity',
    subject: user.email,
    from: { issuer: null, password: user.password !== null },
    to: { issuer, password: false },
  };
  // A new user belongs to no tenant yet, so nothing is recorded.
  await recordInTenants(db, user.id, by, change);
}
