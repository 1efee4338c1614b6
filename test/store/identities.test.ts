import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../dist/domain/user.js';
import { IdentityRefused, LinkNotValid, TooManyUsers } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import type { ProvenIdentity } from '../../dist/store/tenants/identity-plan.js';
import { type Database, databases } from '../support/databases.js';
import { runStatements } from '../support/released-database.js';
import { createTenant } from './store-contract.js';

const NOON = Date.UTC(2027, 0, 31, 12);
const DAY = 86_400_000;
const ISSUER = 'https://login.example.com';
const PASSWORD = 'a hash of a password';

describe.each(databases)('sign-ins by OpenID Connect on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  /** Two tenants of each test. */
  let acme: { id: number; name: string };
  let other: { id: number; name: string };
  let email: string;
  let subject: string;
  let tests = 0;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await database.remove();
  });
  beforeEach(async () => {
    tests += 1;
    const tenant = async (name: string) => ({ id: await createTenant(store, name), name });
    acme = await tenant(`acme-${tests}`);
    other = await tenant(`other-${tests}`);
    email = `kim-${tests}@acme.example`;
    subject = `u-${tests}`;
  });

  /** The claims decide on the roles in `acme`, unless a test says otherwise. */
  const identity = (roles: Record<string, Role>, given: Partial<ProvenIdentity> = {}): ProvenIdentity => ({
    issuer: ISSUER,
    subject,
    email,
    name: 'Kim',
    roles: new Map(Object.entries(roles)),
    decidedTenants: [acme.name],
    ...given,
  });
  const signIn = (roles: Record<string, Role>, given: Partial<ProvenIdentity> = {}, at = NOON) =>
    store.directory.identities.signIn(identity(roles, given), at, 'r');
  const refusal = async (attempt: Promise<string>) => {
    const error = await attempt.then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(IdentityRefused);
    return error.problem;
  };
  const rolesOf = async (userId: string) =>
    Object.fromEntries((await store.directory.users.tenantsOf(userId)).map(({ name, role }) => [name, role]));
  /** Oldest first, without times and the creation of the tenant. */
  const audit = async (tenantId: number) => {
    const entries = await store.directory.audit(tenantId, undefined, 100);
    return entries
      .slice(0, -1)
      .reverse()
      .map(({ action, senderId, requestId, from, to }) => [action, senderId, requestId, from, to]);
  };
  const invite = (tenantId: number, role: Role, address = email) =>
    store.directory.links.invite(
      tenantId,
      role,
      { hash: `invitation ${tenantId} ${address}`, email: address, expiresAt: NOON + DAY },
      { at: NOON, senderId: 'k', requestId: 'i' },
    );
  /** Somebody who has opened a link, and chosen a password. */
  const join = async (tenantId: number, role: Role) => {
    await invite(tenantId, role);
    const redemption = { name: 'Kim of old', newPassword: PASSWORD };
    return (await store.directory.links.redeem(`invitation ${tenantId} ${email}`, redemption, NOON, 'r')).id;
  };
  const startSession = (userId: string, tenantId: number) =>
    store.directory.sessions.create({
      hash: `session of ${userId} in ${tenantId}`,
      id: 's',
      tenantId,
      senderId: userId,
      createdAt: NOON,
      expiresAt: NOON + DAY,
      userAgent: null,
    });

  it('create a user with the role of the claims, and change nothing the next time', async () => {
    const id = await signIn({ [acme.name]: 'editor' });
    expect(await store.directory.users.member(acme.id, id)).toEqual({
      id,
      email,
      name: 'Kim',
      password: null,
      hasIdentity: true,
      createdAt: NOON,
      tenantId: acme.id,
      role: 'editor',
      origin: 'oidc',
      joinedAt: NOON,
      disabledAt: null,
      lastUsedAt: null,
    });
    const joined = ['user.join', id, 'r', null, { role: 'editor', origin: 'oidc' }];
    expect(await audit(acme.id)).toEqual([joined]);
    const version = await store.directory.version();
    expect(await signIn({ [acme.name]: 'editor' }, { name: 'Kim Lee' }, NOON + 1)).toBe(id);
    expect(await store.directory.version()).toBe(version);
    expect(await audit(acme.id)).toEqual([joined]);
    expect((await store.directory.users.find({ id }))?.name).toBe('Kim');
  });

  it('create one user, however many are under way', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => signIn({ [acme.name]: 'viewer' })));
    expect(new Set(ids).size).toBe(1);
    expect((await audit(acme.id)).length).toBe(1);
  });

  it('have the address as the name if the provider tells none', async () => {
    const id = await signIn({ [acme.name]: 'viewer' }, { name: undefined });
    expect((await store.directory.users.find({ id }))?.name).toBe(email);
  });

  it('follow the claims: another role, none, and the role again', async () => {
    const id = await signIn({ [acme.name]: 'editor' });
    await startSession(id, acme.id);
    expect(await signIn({ [acme.name]: 'admin' })).toBe(id);
    expect(await rolesOf(id)).toEqual({ [acme.name]: 'admin' });
    expect(await refusal(signIn({}))).toBe('oidc_no_role');
    expect(await rolesOf(id)).toEqual({});
    expect(await store.directory.sessions.list(id, NOON)).toEqual([]);
    expect(await refusal(signIn({}))).toBe('oidc_no_role');
    expect(await signIn({ [acme.name]: 'viewer' }, { name: 'Kim Lee' })).toBe(id);
    expect((await store.directory.users.member(acme.id, id))?.name).toBe('Kim Lee');
    expect(await audit(acme.id)).toEqual([
      ['user.join', id, 'r', null, { role: 'editor', origin: 'oidc' }],
      ['user.change', id, 'r', { role: 'editor' }, { role: 'admin' }],
      ['user.remove', id, 'r', { role: 'admin', disabled: false }, null],
      ['user.join', id, 'r', null, { role: 'viewer', origin: 'oidc' }],
    ]);
  });

  it('decide only on tenants that the rules name, and that exist', async () => {
    const both = { decidedTenants: [acme.name, other.name, 'nowhere'] };
    const id = await signIn({ [acme.name]: 'viewer', [other.name]: 'admin', nowhere: 'admin' }, both);
    expect(await rolesOf(id)).toEqual({ [acme.name]: 'viewer', [other.name]: 'admin' });
    await signIn({ [acme.name]: 'viewer' });
    expect(await rolesOf(id)).toEqual({ [acme.name]: 'viewer', [other.name]: 'admin' });
    await signIn({ [acme.name]: 'viewer' }, both);
    expect(await rolesOf(id)).toEqual({ [acme.name]: 'viewer' });
  });

  it('do not touch a role that an administrator has given', async () => {
    const id = await join(acme.id, 'viewer');
    expect(await signIn({ [acme.name]: 'admin' })).toBe(id);
    expect(await signIn({})).toBe(id);
    expect(await store.directory.users.member(acme.id, id)).toMatchObject({
      role: 'viewer',
      origin: 'invitation',
    });
  });

  it('leave a disabled user disabled, also if the role goes and comes back', async () => {
    const id = await signIn({ [acme.name]: 'editor' });
    await store.directory.users.change(acme.id, id, { isDisabled: true });
    for (const roles of [{}, { [acme.name]: 'admin' }, {}, { [acme.name]: 'editor' }] as const) {
      expect(await signIn(roles)).toBe(id);
      expect(await rolesOf(id)).toEqual({});
    }
    expect(await store.directory.users.member(acme.id, id)).toMatchObject({ role: 'editor', origin: 'oidc' });
  });

  it('accept invitations of the verified address, whose roles come before the claims', async () => {
    await invite(acme.id, 'viewer');
    await invite(other.id, 'editor');
    const id = await signIn({ [acme.name]: 'admin' });
    expect(await rolesOf(id)).toEqual({ [acme.name]: 'viewer', [other.name]: 'editor' });
    expect(await store.directory.links.invitations(acme.id, NOON)).toEqual([]);
    expect((await audit(other.id)).at(-1)).toEqual([
      'user.join',
      id,
      'r',
      null,
      { role: 'editor', origin: 'invitation' },
    ]);
    await signIn({});
    expect(await rolesOf(id)).toEqual({ [acme.name]: 'viewer', [other.name]: 'editor' });
  });

  it('accept no invitation that has expired, or is for another address', async () => {
    await invite(acme.id, 'viewer');
    await invite(other.id, 'viewer', `robin-${tests}@acme.example`);
    expect(await refusal(signIn({}, {}, NOON + DAY))).toBe('oidc_no_role');
    expect((await store.directory.links.invitations(other.id, NOON)).length).toBe(1);
  });

  it('store nothing about people without a role', async () => {
    const version = await store.directory.version();
    expect(await refusal(signIn({}))).toBe('oidc_no_role');
    expect(await refusal(signIn({ [acme.name]: 'admin' }, { email: undefined }))).toBe(
      'oidc_email_unverified',
    );
    expect(await store.directory.users.find({ email })).toBeUndefined();
    expect(await store.directory.version()).toBe(version);
  });

  it('of a known identity need no verified address', async () => {
    const id = await signIn({ [acme.name]: 'editor' });
    expect(await signIn({ [acme.name]: 'viewer' }, { email: undefined })).toBe(id);
    expect(await rolesOf(id)).toEqual({ [acme.name]: 'viewer' });
  });

  it('belong to the user with the verified address, whose password and sessions end', async () => {
    const id = await join(acme.id, 'viewer');
    await startSession(id, acme.id);
    expect(await signIn({})).toBe(id);
    expect(await store.directory.users.find({ id })).toMatchObject({
      password: null,
      hasIdentity: true,
      name: 'Kim of old',
    });
    expect(await store.directory.sessions.list(id, NOON)).toEqual([]);
    expect((await audit(acme.id)).at(-1)).toEqual([
      'user.identity',
      id,
      'r',
      { issuer: null, password: true },
      { issuer: ISSUER, password: false },
    ]);
  });

  it('get no password by a link of a tenant, only by one of the operator', async () => {
    const id = await signIn({ [acme.name]: 'viewer' });
    const { links, users } = store.directory;
    const redeem = async (tenantId: number | null) => {
      const hash = `password ${tests} ${tenantId}`;
      await links.allowPassword(tenantId, { hash, email, expiresAt: NOON + DAY });
      return links.redeem(hash, { newPassword: PASSWORD }, NOON, 'r');
    };
    await expect(redeem(acme.id)).rejects.toThrow(LinkNotValid);
    expect((await users.find({ id }))?.password).toBeNull();
    await redeem(null);
    expect((await users.find({ id }))?.password).toBe(PASSWORD);
    expect(await signIn({ [acme.name]: 'viewer' })).toBe(id);
    expect((await users.find({ id }))?.password).toBe(PASSWORD);
  });

  it('of another person with the same address are refused', async () => {
    const id = await signIn({ [acme.name]: 'viewer' });
    const successor = { subject: `${subject}-successor` };
    expect(await refusal(signIn({ [acme.name]: 'admin' }, successor))).toBe('oidc_email_taken');
    expect(await refusal(signIn({ [acme.name]: 'admin' }, { issuer: 'https://other.example' }))).toBe(
      'oidc_email_taken',
    );
    await store.directory.users.remove(acme.id, id);
    expect(await signIn({ [acme.name]: 'viewer' }, successor)).toBe(id);
  });

  it('take over a new address, unless another user has it', async () => {
    const id = await signIn({ [acme.name]: 'viewer' });
    const moved = `kim-lee-${tests}@acme.example`;
    expect(await signIn({ [acme.name]: 'viewer' }, { email: moved })).toBe(id);
    expect((await store.directory.users.find({ id }))?.email).toBe(moved);
    expect((await audit(acme.id)).at(-1)).toEqual(['user.email', id, 'r', email, moved]);
    const successor = await signIn({ [acme.name]: 'viewer' }, { subject: `${subject}-successor` });
    expect(successor).not.toBe(id);
    expect(await signIn({ [acme.name]: 'viewer' })).toBe(id);
    expect((await store.directory.users.find({ id }))?.email).toBe(moved);
  });

  it('fail as a whole if a tenant is full', async () => {
    const members = Array.from(
      { length: 1_000 },
      (_, i) => `('${acme.id}', 'usr_${i}', 'viewer', 'oidc', 1)`,
    );
    await runStatements(
      database,
      `insert into membership (tenant_id, user_id, role, origin, created_at) values ${members.join(', ')}`,
    );
    const both = { decidedTenants: [acme.name, other.name] };
    await expect(signIn({ [acme.name]: 'viewer', [other.name]: 'viewer' }, both)).rejects.toThrow(
      TooManyUsers,
    );
    expect(await store.directory.users.find({ email })).toBeUndefined();
    expect(await audit(other.id)).toEqual([]);
  });
});
