import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { base62 } from '../../domain/base62.js';
import type { Role } from '../../domain/user.js';
import { AlreadyMember, LinkNotValid, TooManyUsers } from '../errors.js';
import type { Tables } from '../schema/tables.js';
import { type Actor, changeConfiguration, commandLine, recordChange } from './configuration-changes.js';
import { addMember, insertUser, storePassword } from './memberships.js';
import { findMember, findUser, type User } from './user-row.js';

/** A link that is used once: to join a tenant with a role, or to set a password. */
export interface OneTimeLink {
  /** Names the link in lists; not secret. */
  readonly id: string;
  readonly kind: 'invitation' | 'password';
  /** Null if the operator has made it to set a password. */
  readonly tenantId: number | null;
  readonly email: string;
  /** Null unless it invites. */
  readonly role: Role | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The key or user that has made it; null on the command line. */
  readonly createdBy: string | null;
}

export interface NewLink {
  /** The hash of its token; the token itself is not stored. */
  readonly hash: string;
  readonly email: string;
  readonly expiresAt: number;
}

/** What a person proves or chooses in order to use a link. */
export interface Redemption {
  /** For a new user. */
  readonly name?: string;
  /** The hash of a new password. */
  readonly newPassword?: string;
  /** The stored hash of the password with which an existing user has confirmed an invitation. */
  readonly confirmedPassword?: string;
}

const MAX_INVITATIONS = 1_000;

/**
 * Links with which people join tenants and set passwords. A link must not give a tenant more than it has: a user
 * who already has a password confirms an invitation with it, and a link to set a password is only for the tenant's own
 * users. Of each purpose only the newest link is valid.
 */
export class OneTimeLinks {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Oldest first, without expired ones. */
  async invitations(tenantId: number, now: number): Promise<OneTimeLink[]> {
    const query = this.#db.selectFrom('one_time_link').selectAll().where('tenant_id', '=', tenantId);
    const valid = query.where('kind', '=', 'invitation').where('expires_at', '>', now);
    return (await valid.orderBy('created_at').orderBy('id').execute()).map(linkFromRow);
  }

  /** Also returns an expired link that is not removed yet. */
  async find(hash: string): Promise<OneTimeLink | undefined> {
    const query = this.#db.selectFrom('one_time_link').selectAll().where('hash', '=', hash);
    const row = await query.executeTakeFirst();
    return row && linkFromRow(row);
  }

  /** Rejects with `AlreadyMember` if a user with this address belongs to the tenant. */
  invite(tenantId: number, role: Role, link: NewLink, by: Actor = commandLine()): Promise<OneTimeLink> {
    return changeConfiguration(this.#db, async (db) => {
      const user = await findUser(db, { email: link.email });
      const member = user && (await findMember(db, tenantId, user.id));
      if (member !== undefined) throw new AlreadyMember(member);
      const created = await insertLink(db, { ...link, kind: 'invitation', tenantId, role }, by);
      const to = { role, expires_at: new Date(link.expiresAt).toISOString() };
      await recordChange(db, tenantId, by, { action: 'user.invite', subject: link.email, from: null, to });
      return created;
    });
  }

  /** False if there is no such invitation. */
  removeInvitation(tenantId: number, id: string, by: Actor = commandLine()): Promise<boolean> {
    return changeConfiguration(this.#db, async (db) => {
      const query = db.deleteFrom('one_time_link').where('tenant_id', '=', tenantId).where('id', '=', id);
      const row = await query.where('kind', '=', 'invitation').returningAll().executeTakeFirst();
      if (row === undefined) return false;
      const change = { action: 'invitation.remove', subject: row.email, from: { role: row.role }, to: null };
      await recordChange(db, tenantId, by, change);
      return true;
    });
  }

  /** A link with which a user sets a new password. `tenantId` is null for the operator. */
  allowPassword(tenantId: number | null, link: NewLink, by: Actor = commandLine()): Promise<OneTimeLink> {
    return changeConfiguration(this.#db, async (db) => {
      const created = await insertLink(db, { ...link, kind: 'password', tenantId, role: null }, by);
      const to = { expires_at: new Date(link.expiresAt).toISOString() };
      const change = { action: 'user.password-link', subject: link.email, from: null, to };
      if (tenantId !== null) await recordChange(db, tenantId, by, change);
      return created;
    });
  }

  /**
   * Uses a link: the user joins the tenant or gets the new password. Rejects with `LinkNotValid` if the link has been
   * used, replaced or removed, or if the user has changed since it was looked up.
   */
  redeem(hash: string, redemption: Redemption, at: number, requestId: string): Promise<User> {
    return changeConfiguration(this.#db, async (db) => {
      const query = db.deleteFrom('one_time_link').where('hash', '=', hash).where('expires_at', '>', at);
      const row = await query.returningAll().executeTakeFirst();
      if (row === undefined) throw new LinkNotValid();
      const link = linkFromRow(row);
      const user = await findUser(db, { email: link.email });
      if (link.kind === 'password') {
        if (user === undefined || redemption.newPassword === undefined) throw new LinkNotValid();
        await setPassword(db, link, user, redemption.newPassword, { at, senderId: user.id, requestId });
        return { ...user, password: redemption.newPassword };
      }
      return acceptInvitation(db, link, user, redemption, at, requestId);
    });
  }
}

async function setPassword(
  db: Transaction<Tables>,
  { tenantId }: OneTimeLink,
  user: User,
  password: string,
  by: Actor,
): Promise<void> {
  const memberships = db.selectFrom('membership').select('tenant_id').where('user_id', '=', user.id);
  const tenants = await memberships.where('removed_at', 'is', null).execute();
  // The user may have left the tenant, or joined another one, since the link was made.
  const isAllowed =
    tenantId === null ? tenants.length > 0 : tenants.every((one) => one.tenant_id === tenantId);
  if (!isAllowed || tenants.length === 0) throw new LinkNotValid();
  // The claims of the provider may give this user more tenants at any time: only the operator adds a password.
  if (tenantId !== null && user.hasIdentity) throw new LinkNotValid();
  await storePassword(db, user.id, password, undefined, by);
}

async function acceptInvitation(
  db: Transaction<Tables>,
  { tenantId, email, role }: OneTimeLink,
  found: User | undefined,
  { name, newPassword, confirmedPassword }: Redemption,
  at: number,
  requestId: string,
): Promise<User> {
  if (tenantId === null || role === null) throw new LinkNotValid();
  if (found !== undefined && found.password !== (confirmedPassword ?? null)) throw new LinkNotValid();
  // An invitation must not change the role of a present member, or enable a disabled one.
  if (found !== undefined && (await findMember(db, tenantId, found.id)) !== undefined)
    throw new LinkNotValid();
  let user = found ?? (await insertUser(db, { email, name: name ?? email, at }));
  if (user.password === null) {
    // A user of OpenID Connect accepts an invitation by signing in: a link must not add a password.
    if (newPassword === undefined || user.hasIdentity) throw new LinkNotValid();
    const changes = { password: newPassword, ...(name !== undefined && { name }) };
    await db.updateTable('app_user').set(changes).where('id', '=', user.id).execute();
    user = { ...user, ...changes };
  }
  await addMember(db, tenantId, user.id, { role, origin: 'invitation', at });
  const by = { at, senderId: user.id, requestId };
  await recordChange(db, tenantId, by, { action: 'user.join', subject: email, from: null, to: { role } });
  return user;
}

/** Also removes the link that it replaces, and all expired ones. */
async function insertLink(
  db: Transaction<Tables>,
  { hash, kind, tenantId, email, role, expiresAt }: NewLink & Pick<OneTimeLink, 'kind' | 'tenantId' | 'role'>,
  by: Actor,
): Promise<OneTimeLink> {
  await db
    .deleteFrom('one_time_link')
    .where(({ or, and, eb }) =>
      or([
        eb('expires_at', '<=', by.at),
        and([
          eb('email', '=', email),
          eb('kind', '=', kind),
          tenantId === null ? eb('tenant_id', 'is', null) : eb('tenant_id', '=', tenantId),
        ]),
      ]),
    )
    .execute();
  await requireRoom(db, tenantId);
  const row = {
    id: base62(randomBytes, 8),
    hash,
    kind,
    tenant_id: tenantId,
    email,
    role,
    created_at: by.at,
    expires_at: expiresAt,
    created_by: by.senderId,
  };
  await db.insertInto('one_time_link').values(row).execute();
  return linkFromRow(row);
}

async function requireRoom(db: Transaction<Tables>, tenantId: number | null): Promise<void> {
  if (tenantId === null) return;
  const { count } = await db
    .selectFrom('one_time_link')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_INVITATIONS) throw new TooManyUsers(MAX_INVITATIONS);
}

function linkFromRow(row: Selectable<Tables['one_time_link']>): OneTimeLink {
  return {
    id: row.id,
    kind: row.kind as OneTimeLink['kind'],
    tenantId: row.tenant_id,
    email: row.email,
    role: row.role as Role | null,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    createdBy: row.created_by,
  };
}
