import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import type { Users } from '../../dist/store/tenants/users.js';
import { type Database, databases } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { createTenant } from './store-contract.js';

describe.each(databases)('users on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let users: Users;
  let tenantId: number;
  let other: number;
  let tests = 0;
  /** Of this test only, because a user is the same in all tenants. */
  let email: string;

  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
    users = store.directory.users;
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

  const actor = (senderId: string, at: number) => ({ at, senderId, requestId: 'r-1' });
  const signIn = async (hash: string, userId: string, tenant: number) => {
    const times = { createdAt: 10, expiresAt: Number.MAX_SAFE_INTEGER };
    const session = { hash: `${hash}-${tests}`, id: hash, tenantId: tenant, senderId: userId, userAgent: null };
    await store.directory.sessions.create({ ...session, ...times });
  };
  const sessionsOf = async (userId: string) => {
    const sessions = await store.directory.sessions.list(userId, 11);
    return sessions.map(({ id }) => id).sort();
  };
  /** The newest audit entries, newest first. */
  const audit = async (tenant: number, limit: number) =>
    (await store.directory.audit(tenant, undefined, limit)).map(
      ({ id, requestId, source, user, ...entry }) => entry,
    );
  const auditLength = async (tenant: number) => (await store.directory.audit(tenant, undefined, 100)).length;

  it('are stored when they join, and found by id and address', async () => {
    const joined = await joinTenant(store, tenantId, { email, name: 'Someone', password: 'p1', at: 20 });
    const user = { id: joined.id, email, name: 'Someone', password: 'p1', hasIdentity: false, createdAt: 20 };
    expect(joined).toEqual(user);
    expect(joined.id).toMatch(/^usr_[0-9A-Za-z]{8}$/);
    expect(await users.find({ id: user.id })).toEqual(user);
    expect(await users.find({ email })).toEqual(user);
    expect(await users.find({ id: 'usr_00000000' })).toBeUndefined();
    expect(await users.find({ email: 'nobody@acme.example' })).toBeUndefined();
    const membership = {
      role: 'editor',
      origin: 'invitation',
      joinedAt: 20,
      disabledAt: null,
      lastUsedAt: null,
    };
    expect(await users.member(tenantId, user.id)).toEqual({ ...user, tenantId, ...membership });
    expect(await users.member(other, user.id)).toBeUndefined();
    expect(await users.tenantsOf(user.id)).toEqual([
      { id: tenantId, name: `tenant-${tests}`, role: 'editor' },
    ]);
    expect(await audit(tenantId, 1)).toEqual([
      { at: 20, senderId: user.id, action: 'user.join', subject: email, from: null, to: { role: 'editor' } },
    ]);
  });

  it('are listed by name, also disabled ones, without former ones and those of other tenants', async () => {
    const people = ['Cleo', 'Abel', 'Björn', 'Dora'];
    const ids: string[] = [];
    for (const name of people) {
      ids.push((await joinTenant(store, tenantId, { email: `${name}-${email}`, name })).id);
    }
    await joinTenant(store, other, { email, name: 'Elsewhere' });
    const [, abel = '', , dora = ''] = ids;
    await users.change(tenantId, abel, { isDisabled: true });
    await users.remove(tenantId, dora);
    const members = await users.members(tenantId);
    expect(members.map(({ name, disabledAt }) => [name, disabledAt !== null])).toEqual([
      ['Abel', true],
      ['Björn', false],
      ['Cleo', false],
    ]);
  });

  it('can have another role in each tenant', async () => {
    const { id } = await joinTenant(store, tenantId, { email, role: 'admin', password: 'p1' });
    expect((await joinTenant(store, other, { email, role: 'viewer' })).id).toBe(id);
    expect(await users.tenantsOf(id)).toEqual([
      { id: other, name: `other-${tests}`, role: 'viewer' },
      { id: tenantId, name: `tenant-${tests}`, role: 'admin' },
    ]);
    expect((await users.find({ id }))?.password).toBe('p1');
  });

  it('get another role, with an entry in the audit of that tenant only', async () => {
    const { id } = await joinTenant(store, tenantId, { email });
    await joinTenant(store, other, { email });
    const [version, length] = [await store.directory.version(), await auditLength(other)];
    expect(await users.change(tenantId, id, { role: 'admin' }, actor('key-1', 30))).toBe(true);
    expect(await store.directory.version()).toBeGreaterThan(version);
    expect(await users.tenantsOf(id)).toMatchObject([{ role: 'editor' }, { role: 'admin' }]);
    const change = { action: 'user.change', subject: email };
    expect(await audit(tenantId, 1)).toEqual([
      {
        at: 30,
        senderId: 'key-1',
        ...change,
        from: { role: 'editor', disabled: false },
        to: { role: 'admin', disabled: false },
      },
    ]);
    expect(await auditLength(other)).toBe(length);
  });

  it('have no entry in the audit if nothing changes', async () => {
    const { id } = await joinTenant(store, tenantId, { email, role: 'viewer' });
    const length = await auditLength(tenantId);
    for (const changes of [{}, { role: 'viewer' }, { isDisabled: false }] as const)
      expect(await users.change(tenantId, id, changes)).toBe(true);
    expect(await auditLength(tenantId)).toBe(length);
  });

  it('are changed and removed only in a tenant they belong to', async () => {
    const { id } = await joinTenant(store, tenantId, { email });
    const before = await users.member(tenantId, id);
    for (const [tenant, userId] of [
      [other, id],
      [tenantId, 'usr_00000000'],
    ] as const) {
      expect(await users.change(tenant, userId, { role: 'admin', isDisabled: true })).toBe(false);
      expect(await users.remove(tenant, userId)).toBe(false);
    }
    expect(await users.member(tenantId, id)).toEqual(before);
  });

  it('that are disabled lose their sessions in that tenant, and come back with the same role', async () => {
    const { id } = await joinTenant(store, tenantId, { email, role: 'viewer' });
    await joinTenant(store, other, { email });
    await signIn('here', id, tenantId);
    await signIn('there', id, other);
    await users.change(tenantId, id, { isDisabled: true }, actor('key-1', 40));
    expect(await sessionsOf(id)).toEqual(['there']);
    expect(await users.tenantsOf(id)).toEqual([{ id: other, name: `other-${tests}`, role: 'editor' }]);
    expect(await users.member(tenantId, id)).toMatchObject({ role: 'viewer', disabledAt: 40 });
    await users.change(tenantId, id, { isDisabled: true, role: 'editor' }, actor('key-1', 50));
    expect(await users.member(tenantId, id)).toMatchObject({ role: 'editor', disabledAt: 40 });
    await users.change(tenantId, id, { isDisabled: false });
    expect(await users.tenantsOf(id)).toHaveLength(2);
    expect((await users.find({ id }))?.password).not.toBeNull();
  });

  it('that leave a tenant lose their sessions there, and keep the password for their other tenant', async () => {
    const { id } = await joinTenant(store, tenantId, { email, password: 'p1' });
    await joinTenant(store, other, { email });
    await signIn('here', id, tenantId);
    await signIn('there', id, other);
    expect(await users.remove(tenantId, id, actor('key-1', 40))).toBe(true);
    expect(await users.remove(tenantId, id)).toBe(false);
    expect(await sessionsOf(id)).toEqual(['there']);
    expect(await users.member(tenantId, id)).toBeUndefined();
    expect((await users.find({ id }))?.password).toBe('p1');
    const from = { role: 'editor', disabled: false };
    expect(await audit(tenantId, 1)).toEqual([
      { at: 40, senderId: 'key-1', action: 'user.remove', subject: email, from, to: null },
    ]);
  });

  it('that leave their last tenant lose the password; their name stays', async () => {
    const { id } = await joinTenant(store, tenantId, { email, name: 'Someone' });
    await joinTenant(store, other, { email });
    await users.change(other, id, { isDisabled: true });
    await users.remove(tenantId, id);
    expect((await users.find({ id }))?.password).not.toBeNull();
    await users.remove(other, id);
    expect(await users.find({ id })).toMatchObject({ name: 'Someone', email, password: null });
  });

  it('that were disabled or removed come back with a new invitation', async () => {
    const { id } = await joinTenant(store, tenantId, { email, role: 'admin', password: 'p1', name: 'Old' });
    await users.recordUse([{ tenantId, userId: id, at: 30 }]);
    await users.change(tenantId, id, { isDisabled: true });
    await users.remove(tenantId, id);
    const back = await joinTenant(store, tenantId, { email, role: 'viewer', password: 'p2', name: 'New' });
    expect(back).toMatchObject({ id, name: 'New', password: 'p2' });
    expect(await users.member(tenantId, id)).toEqual({
      ...back,
      tenantId,
      role: 'viewer',
      origin: 'invitation',
      joinedAt: 150,
      disabledAt: null,
      lastUsedAt: null,
    });
  });

  it('are signed out everywhere else by a new password, which every tenant records', async () => {
    const { id } = await joinTenant(store, tenantId, { email, password: 'p1' });
    await joinTenant(store, other, { email, password: 'p1' });
    const former = await createTenant(store, `former-${tests}`);
    await joinTenant(store, former, { email, password: 'p1' });
    await users.remove(former, id);
    const length = await auditLength(former);
    for (const hash of ['kept', 'ended']) await signIn(hash, id, tenantId);
    await signIn('elsewhere', id, other);
    const passwords = { before: 'p1', after: 'p2' };
    expect(await users.replacePassword(id, passwords, `kept-${tests}`, actor(id, 60))).toBe(true);
    expect(await sessionsOf(id)).toEqual(['kept']);
    expect((await users.find({ id }))?.password).toBe('p2');
    const entry = { at: 60, senderId: id, action: 'user.password', subject: email, from: null, to: null };
    expect([await audit(tenantId, 1), await audit(other, 1)]).toEqual([[entry], [entry]]);
    expect(await auditLength(former)).toBe(length);
  });

  it('are renamed, which every tenant records, and not if the name is the same', async () => {
    const { id } = await joinTenant(store, tenantId, { email, name: 'Old' });
    await users.rename(id, 'Old', actor(id, 60));
    await users.rename(id, 'New', actor(id, 61));
    await users.rename(id, 'New', actor(id, 62));
    expect((await users.find({ id }))?.name).toBe('New');
    const entry = { at: 61, senderId: id, action: 'user.rename', subject: email, from: 'Old', to: 'New' };
    expect(await audit(tenantId, 2)).toEqual([entry, expect.objectContaining({ action: 'user.join' })]);
  });

  it('keep a password that was changed while its hash was computed anew', async () => {
    const { id } = await joinTenant(store, tenantId, { email, password: 'p1' });
    await users.rehash(id, 'p1', 'p1 with more rounds');
    expect((await users.find({ id }))?.password).toBe('p1 with more rounds');
    await users.rehash(id, 'p1', 'late');
    expect((await users.find({ id }))?.password).toBe('p1 with more rounds');
  });

  it('have a last use in each tenant, which is no change of the configuration', async () => {
    const { id } = await joinTenant(store, tenantId, { email });
    await joinTenant(store, other, { email });
    const version = await store.directory.version();
    await users.recordUse([{ tenantId, userId: id, at: 70 }]);
    expect((await users.member(tenantId, id))?.lastUsedAt).toBe(70);
    expect((await users.member(other, id))?.lastUsedAt).toBeNull();
    expect(await store.directory.version()).toBe(version);
  });

  it('have the source console, which stays as long as the tenant has users', async () => {
    const { sources } = store.directory;
    expect(await sources.find(tenantId, 'console')).toBeUndefined();
    const { id } = await joinTenant(store, tenantId, { email, at: 20 });
    expect(await sources.find(tenantId, 'console')).toMatchObject({ name: 'console', label: 'Console' });
    await sources.set(tenantId, 'console', { label: 'By hand' });
    await joinTenant(store, tenantId, { email: `second-${email}` });
    expect((await sources.find(tenantId, 'console'))?.label).toBe('By hand');
    await users.remove(tenantId, id);
    const last = (await users.find({ email: `second-${email}` }))?.id ?? '';
    await users.change(tenantId, last, { isDisabled: true });
    await expect(sources.remove(tenantId, 'console')).rejects.toThrow(
      'What users store in the console belongs to the source console. It stays while the tenant has users.',
    );
    await users.remove(tenantId, last);
    expect(await sources.remove(tenantId, 'console')).toBe(true);
  });
});
