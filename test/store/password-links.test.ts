import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LinkNotValid } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import type { Redemption } from '../../dist/store/tenants/one-time-links.js';
import { type Database, databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { joinTenant } from '../support/join-tenant.js';
import { createTenant } from './store-contract.js';

describe.each(databases)('a link to set a password on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let tenantId: number;
  let other: number;
  let tests = 0;
  let email: string;
  let userId: string;

  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
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
    userId = (await joinTenant(store, tenantId, { email, role: 'viewer', password: 'p1' })).id;
  });

  const by = (at: number) => ({ at, senderId: 'key-1', requestId: 'r-1' });
  const allow = (name: string, tenant: number | null) =>
    store.directory.links.allowPassword(
      tenant,
      { hash: `${name}-${tests}`, email, expiresAt: 1_000 },
      by(100),
    );
  const redeem = (name: string, redemption: Redemption = { newPassword: 'p2' }, at = 200) =>
    store.directory.links.redeem(`${name}-${tests}`, redemption, at, 'r-2');
  const expectRefused = async (...args: Parameters<typeof redeem>) => {
    const before = await dumpTables(database.url);
    await expect(redeem(...args)).rejects.toThrow(LinkNotValid);
    expect(await dumpTables(database.url)).toEqual(before);
  };
  const user = () => store.directory.users.find({ id: userId });

  it.each([
    ['the tenant', () => tenantId],
    ['the operator', () => null],
  ])('of %s sets it once, ends all sessions, and changes nothing else', async (_maker, maker) => {
    const times = { createdAt: 10, expiresAt: Number.MAX_SAFE_INTEGER };
    const session = { hash: `s-${tests}`, id: 'id', tenantId, senderId: userId, userAgent: null };
    await store.directory.sessions.create({ ...session, ...times });
    const member = await store.directory.users.member(tenantId, userId);
    const made = await allow('link', maker());
    expect(made).toMatchObject({ kind: 'password', tenantId: maker(), role: null, createdBy: 'key-1' });
    expect(await redeem('link', { newPassword: 'p2', name: 'Another' })).toEqual(await user());
    expect(await store.directory.users.member(tenantId, userId)).toEqual({ ...member, password: 'p2' });
    expect(await store.directory.sessions.list(userId, 11)).toEqual([]);
    const [entry] = await store.directory.audit(tenantId, undefined, 1);
    const done = { action: 'user.password', subject: email, from: null, to: null };
    expect(entry).toMatchObject({ ...done, at: 200, senderId: userId, requestId: 'r-2' });
    await expectRefused('link');
  });

  it('needs a new password, and expires', async () => {
    await allow('link', null);
    await expectRefused('link', {});
    await expectRefused('link', { confirmedPassword: 'p1' });
    await expectRefused('link', { newPassword: 'p2' }, 1_000);
    await redeem('link', { newPassword: 'p2' }, 999);
  });

  it('is for users only', async () => {
    email = `nobody-${email}`;
    await allow('link', null);
    await expectRefused('link');
  });

  it('sets one password if it is used twice at once', async () => {
    await allow('link', null);
    const ends = await Promise.allSettled(['p2', 'p3'].map((newPassword) => redeem('link', { newPassword })));
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await user())?.password).toBe(ends[0]?.status === 'fulfilled' ? 'p2' : 'p3');
  });

  it('is replaced by a new one of the same maker', async () => {
    await allow('first', tenantId);
    await allow('operator', null);
    await allow('second', tenantId);
    await expectRefused('first');
    await allow('third', null);
    await expectRefused('operator');
    await redeem('second');
  });

  it('ends with every other when a password is set, in any way', async () => {
    await allow('first', tenantId);
    await allow('second', null);
    await redeem('first');
    await expectRefused('second', { newPassword: 'p3' });
    await allow('third', null);
    await store.directory.users.replacePassword(userId, { before: 'p2', after: 'p4' }, undefined, by(300));
    await expectRefused('third', { newPassword: 'p5' });
  });

  it('of a tenant is not valid once the user belongs to another one too', async () => {
    await allow('link', tenantId);
    await joinTenant(store, other, { email });
    await expectRefused('link');
    await store.directory.users.remove(tenantId, userId);
    await expectRefused('link');
    await allow('of-operator', null);
    await redeem('of-operator');
  });

  it('of a tenant is not valid either if the user is only disabled in the other one', async () => {
    await allow('link', tenantId);
    await joinTenant(store, other, { email });
    await store.directory.users.change(other, userId, { isDisabled: true });
    await expectRefused('link');
    await store.directory.users.remove(other, userId);
    await redeem('link');
  });

  it.each([
    ['the tenant', () => tenantId],
    ['the operator', () => null],
  ])('of %s gives no password to who belongs to no tenant', async (_maker, maker) => {
    await allow('link', maker());
    await store.directory.users.remove(tenantId, userId);
    await expectRefused('link');
    expect((await user())?.password).toBeNull();
  });
});
