import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AlreadyMember, LinkNotValid } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import type { NewLink, OneTimeLinks, Redemption } from '../../dist/store/tenants/one-time-links.js';
import { type Database, databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { joinTenant } from '../support/join-tenant.js';
import { runStatements } from '../support/released-database.js';
import { createTenant } from './store-contract.js';

const EXPIRY = 1_000;
const NEW = { name: 'Someone', newPassword: 'p1' };

describe.each(databases)('one-time links on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let links: OneTimeLinks;
  let tenantId: number;
  let other: number;
  let tests = 0;
  /** Of this test only, because a user is the same in all tenants. */
  let email: string;

  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
    links = store.directory.links;
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });
  beforeEach(async () => {
    tests += 1;
    email = `u${tests}@acme.example`;
    tenantId = await createTenant(store, `tenant-${tests}`);
    other = await createTenant(store, `other-${tests}`);
  });

  const by = (at: number) => ({ at, senderId: 'key-1', requestId: 'r-1' });
  const link = (name: string): NewLink => ({ hash: `${name}-${tests}`, email, expiresAt: EXPIRY });
  const invite = (name: string, tenant = tenantId, at = 100) =>
    links.invite(tenant, 'editor', link(name), by(at));
  const allow = (name: string, tenant: number | null) => links.allowPassword(tenant, link(name), by(100));
  const redeem = (name: string, redemption: Redemption = NEW, at = 200) =>
    links.redeem(`${name}-${tests}`, redemption, at, 'r-2');
  /** Nothing at all may change. */
  const expectRefused = async (...args: Parameters<typeof redeem>) => {
    const before = await dumpTables(database.url);
    await expect(redeem(...args)).rejects.toThrow(LinkNotValid);
    expect(await dumpTables(database.url)).toEqual(before);
  };
  const passwordOf = async () => (await store.directory.users.find({ email }))?.password;
  const removeFrom = async (tenant: number) => {
    const id = (await store.directory.users.find({ email }))?.id ?? '';
    await store.directory.users.remove(tenant, id);
  };
  const newest = async (tenant = tenantId) => {
    const [entry] = await store.directory.audit(tenant, undefined, 1);
    const { id, source, user, ...others } = entry as NonNullable<typeof entry>;
    return others;
  };

  it('that invite are listed until they expire, oldest first, each in its tenant', async () => {
    const first = await invite('first', tenantId, 100);
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      kind: 'invitation',
      tenantId,
      email,
      role: 'editor',
      createdAt: 100,
      expiresAt: EXPIRY,
      createdBy: 'key-1',
    });
    const later = { ...link('later'), email: `later-${email}`, expiresAt: EXPIRY + 1 };
    const second = await links.invite(tenantId, 'viewer', later, {
      at: 101,
      senderId: null,
      requestId: null,
    });
    await invite('elsewhere', other);
    await allow('password', tenantId);
    expect(await links.invitations(tenantId, EXPIRY - 1)).toEqual([first, second]);
    expect(await links.invitations(tenantId, EXPIRY)).toEqual([second]);
    expect(await links.find(`first-${tests}`)).toEqual(first);
    expect(await links.find('unknown')).toBeUndefined();
    expect(await newest()).toMatchObject({ action: 'user.password-link' });
  });

  it('are in the audit when they are made and withdrawn, without what opens them', async () => {
    const { id } = await invite('first');
    const to = { role: 'editor', expires_at: new Date(EXPIRY).toISOString() };
    const entry = { at: 100, senderId: 'key-1', requestId: 'r-1', subject: email };
    expect(await newest()).toEqual({ ...entry, action: 'user.invite', from: null, to });
    expect(await links.removeInvitation(tenantId, id, by(110))).toBe(true);
    const from = { role: 'editor' };
    expect(await newest()).toEqual({ ...entry, at: 110, action: 'invitation.remove', from, to: null });
    await allow('password', tenantId);
    const allowed = { expires_at: new Date(EXPIRY).toISOString() };
    expect(await newest()).toEqual({ ...entry, action: 'user.password-link', from: null, to: allowed });
  });

  it('let somebody new join with the name and password of the link', async () => {
    await invite('first');
    const user = await redeem('first');
    const stored = { id: user.id, email, name: 'Someone', password: 'p1' };
    expect(user).toEqual({ ...stored, hasIdentity: false, createdAt: 200 });
    expect(await store.directory.users.member(tenantId, user.id)).toMatchObject({
      ...stored,
      role: 'editor',
    });
    const entry = { at: 200, senderId: user.id, requestId: 'r-2', action: 'user.join', subject: email };
    expect(await newest()).toEqual({ ...entry, from: null, to: { role: 'editor' } });
  });

  it('let somebody without a name join under the address', async () => {
    await invite('first');
    expect(await redeem('first', { newPassword: 'p1' })).toMatchObject({ name: email });
  });

  it('work once, before they expire, and only if they were ever made', async () => {
    await invite('first');
    await expectRefused('unknown');
    await expectRefused('first', NEW, EXPIRY);
    await expectRefused('first', NEW, EXPIRY + 1);
    await redeem('first', NEW, EXPIRY - 1);
    await expectRefused('first', { confirmedPassword: 'p1' });
  });

  it('work for one of two who use them at once', async () => {
    await invite('first');
    const ends = await Promise.allSettled(
      ['p1', 'p2', 'p3'].map((newPassword) => redeem('first', { newPassword })),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(LinkNotValid);
    const winner = ends.findIndex(({ status }) => status === 'fulfilled');
    expect(await passwordOf()).toBe(`p${winner + 1}`);
    expect(await store.directory.users.members(tenantId)).toHaveLength(1);
  });

  it('create one user if invitations to two tenants are used at once', async () => {
    await invite('here');
    await invite('there', other);
    const ends = await Promise.allSettled([
      redeem('here', { newPassword: 'p1' }),
      redeem('there', { newPassword: 'p2' }),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [joined, open] = ends[0]?.status === 'fulfilled' ? ['p1', 'there'] : ['p2', 'here'];
    expect(await passwordOf()).toBe(joined);
    // The other link is still there, and now needs the password.
    await expectRefused(open, NEW);
    await redeem(open, { confirmedPassword: joined });
    expect(await passwordOf()).toBe(joined);
  });

  it('are replaced by the next invitation to the same tenant, and by no other link', async () => {
    await invite('first');
    await invite('elsewhere', other);
    await allow('password', tenantId);
    const { id } = await links.invite(tenantId, 'admin', link('second'), by(150));
    await expectRefused('first');
    expect((await links.invitations(tenantId, 200)).map((one) => one.id)).toEqual([id]);
    const user = await redeem('second');
    expect(await store.directory.users.member(tenantId, user.id)).toMatchObject({ role: 'admin' });
    for (const name of ['elsewhere', 'password']) expect(await links.find(`${name}-${tests}`)).toBeDefined();
  });

  it('that have expired are removed when another is made', async () => {
    await invite('first');
    const next = { hash: `next-${tests}`, email: `next-${email}`, expiresAt: 5_000 };
    await links.invite(other, 'viewer', next, by(EXPIRY - 1));
    expect(await links.find(`first-${tests}`)).toBeDefined();
    await links.invite(other, 'viewer', next, by(EXPIRY));
    expect(await links.find(`first-${tests}`)).toBeUndefined();
  });

  it('that were withdrawn do not work, and only the own tenant can withdraw an invitation', async () => {
    const { id } = await invite('first');
    const password = await allow('password', tenantId);
    for (const [tenant, one] of [
      [other, id],
      [tenantId, password.id],
      [tenantId, '00000000'],
    ] as const) {
      expect(await links.removeInvitation(tenant, one)).toBe(false);
    }
    expect(await links.removeInvitation(tenantId, id)).toBe(true);
    expect(await links.removeInvitation(tenantId, id)).toBe(false);
    await expectRefused('first');
  });

  it('invite nobody who belongs to the tenant already, disabled or not', async () => {
    const { id } = await joinTenant(store, tenantId, { email, role: 'viewer' });
    const refusal = `${email} belongs to the tenant already, as viewer. Change the role instead: the user's id is ${id}.`;
    for (const isDisabled of [false, true]) {
      await store.directory.users.change(tenantId, id, { isDisabled });
      const attempt = invite('first');
      await expect(attempt).rejects.toThrow(AlreadyMember);
      await expect(attempt).rejects.toThrow(refusal);
    }
    expect(await links.find(`first-${tests}`)).toBeUndefined();
    await removeFrom(tenantId);
    expect(await invite('first')).toMatchObject({ email });
  });

  it('give somebody new no account without a password', async () => {
    await invite('first');
    await expectRefused('first', {});
    await expectRefused('first', { name: 'Someone' });
    await expectRefused('first', { confirmedPassword: 'p1' });
    await redeem('first');
  });

  it('need the password of who has one', async () => {
    await joinTenant(store, other, { email, password: 'p1', name: 'Someone' });
    await invite('first');
    await expectRefused('first', {});
    await expectRefused('first', { newPassword: 'p2', name: 'Another' });
    await expectRefused('first', { confirmedPassword: 'p2' });
    const user = await redeem('first', { confirmedPassword: 'p1', newPassword: 'p2', name: 'Another' });
    expect(user).toMatchObject({ name: 'Someone', password: 'p1' });
    expect(await store.directory.users.find({ email })).toEqual(user);
    expect(await store.directory.users.tenantsOf(user.id)).toHaveLength(2);
  });

  it('do not accept a password that was right when the link was looked up, and has changed', async () => {
    const { id } = await joinTenant(store, other, { email, password: 'p1' });
    await invite('first');
    await store.directory.users.replacePassword(id, { before: 'p1', after: 'p2' }, undefined, by(150));
    await expectRefused('first', { confirmedPassword: 'p1' });
    await removeFrom(other);
    await expectRefused('first', { confirmedPassword: 'p2' });
    await redeem('first', { newPassword: 'p3' });
  });

  it('give no password to who signs in by OpenID Connect only', async () => {
    await joinTenant(store, other, { email });
    await runStatements(
      database,
      `update app_user set password = null, oidc_issuer = 'https://idp.example', oidc_subject = 's-${tests}' where email = '${email}'`,
    );
    expect(await store.directory.users.find({ email })).toMatchObject({ hasIdentity: true });
    await invite('first');
    await expectRefused('first');
    await expectRefused('first', {});
    expect(await links.find(`first-${tests}`)).toMatchObject({ email });
  });

  it('end when the person has joined in another way', async () => {
    await invite('first');
    const columns = 'kind, tenant_id, email, role, created_at, expires_at, created_by';
    const copy = `select 'copy-${tests}', 'second-${tests}', ${columns} from one_time_link`;
    await runStatements(
      database,
      `insert into one_time_link (id, hash, ${columns}) ${copy} where hash = 'first-${tests}'`,
    );
    expect(await links.find(`second-${tests}`)).toMatchObject({ email });
    const { id } = await redeem('first');
    await store.directory.users.change(tenantId, id, { isDisabled: true });
    await expectRefused('second', { confirmedPassword: 'p1' });
  });
});
