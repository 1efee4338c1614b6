import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import type { Sessions } from '../../dist/store/tenants/sessions.js';
import { type Database, databases } from '../support/databases.js';
import { runStatements } from '../support/released-database.js';
import { createTenant } from './store-contract.js';

describe.each(databases)('sessions on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let sessions: Sessions;
  let acme: number;
  let other: number;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
    sessions = store.directory.sessions;
    acme = await createTenant(store, 'acme');
    other = await createTenant(store, 'other');
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });
  beforeEach(() => runStatements(database, 'delete from session'));

  const session = (hash: string, senderId: string, createdAt = 10, expiresAt = 20) => ({
    hash,
    id: `id-of-${hash}`,
    tenantId: acme,
    senderId,
    createdAt,
    expiresAt,
    userAgent: null as string | null,
  });
  const create = async (...all: readonly ReturnType<typeof session>[]) => {
    for (const one of all) await sessions.create(one);
  };
  const exists = async (hash: string) => (await sessions.find(hash)) !== undefined;
  const hashesOf = async (senderId: string) => (await sessions.list(senderId, 0)).map(({ hash }) => hash);

  it('are kept until they are removed', async () => {
    const a = { ...session('a', 'k1'), userAgent: 'Mozilla/5.0 (a browser)' };
    const b = session('b', 'k1');
    await create(a, b);
    expect(await sessions.find('a')).toEqual({ ...a, lastUsedAt: null });
    expect(await sessions.findAll(['a', 'b', 'c'])).toEqual(
      new Map([
        ['a', { ...a, lastUsedAt: null }],
        ['b', { ...b, lastUsedAt: null }],
      ]),
    );
    await sessions.remove('a');
    await sessions.remove('a');
    expect(await sessions.find('a')).toBeUndefined();
    expect(await sessions.find('b')).toEqual({ ...b, lastUsedAt: null });
  });

  it('that have expired, of all keys, are removed when another is created', async () => {
    await create(session('a', 'k1', 10, 30), session('b', 'k2', 11, 31));
    await create(session('c', 'k3', 29, 40));
    expect(await exists('a')).toBe(true);
    await create(session('d', 'k3', 30, 40));
    expect([await exists('a'), await exists('b')]).toEqual([false, true]);
  });

  it('are at most 50 of a key or user: the oldest go', async () => {
    await create(session('other', 'k2', 1, 1_000));
    for (let i = 100; i < 152; i += 1) await create(session(`s${i}`, 'k1', i, 1_000));
    const newest = Array.from({ length: 50 }, (_, i) => `s${151 - i}`);
    expect(await hashesOf('k1')).toEqual(newest);
    expect(await exists('other')).toBe(true);
    // The clock was set back: the new session stays nevertheless.
    await create(session('early', 'k1', 50, 1_000));
    expect(await hashesOf('k1')).toEqual([...newest.slice(0, 49), 'early']);
  });

  it('are listed newest first with their tenant, without expired ones and those of others', async () => {
    const a = session('a', 'usr_1', 10, 30);
    const b = { ...session('b', 'usr_1', 12, 30), tenantId: other, userAgent: 'A browser' };
    const c = session('c', 'usr_1', 11, 20);
    await create(a, b, c, session('d', 'usr_2', 13, 30));
    const [listedA, listedB, listedC] = [
      { ...a, lastUsedAt: null, tenant: 'acme' },
      { ...b, lastUsedAt: null, tenant: 'other' },
      { ...c, lastUsedAt: null, tenant: 'acme' },
    ];
    expect(await sessions.list('usr_1', 19)).toEqual([listedB, listedC, listedA]);
    expect(await sessions.list('usr_1', 20)).toEqual([listedB, listedA]);
  });

  it('move to another tenant with another token, unless they have ended', async () => {
    const a = session('a', 'usr_1');
    await create(a, session('b', 'usr_1'));
    expect(await sessions.move('a', { hash: 'moved', tenantId: other })).toBe(true);
    expect(await sessions.find('a')).toBeUndefined();
    expect(await sessions.find('moved')).toEqual({ ...a, hash: 'moved', tenantId: other, lastUsedAt: null });
    expect(await sessions.move('a', { hash: 'again', tenantId: acme })).toBe(false);
    expect(await exists('again')).toBe(false);
    expect((await sessions.find('b'))?.tenantId).toBe(acme);
  });

  it('end by id, only for the key or user they belong to', async () => {
    await create(session('a', 'usr_1'), session('b', 'usr_1'), session('c', 'usr_2'));
    expect(await sessions.removeById('usr_1', 'id-of-c')).toBe(false);
    expect(await sessions.removeById('usr_1', 'id-of-a')).toBe(true);
    expect(await sessions.removeById('usr_1', 'id-of-a')).toBe(false);
    expect([await hashesOf('usr_1'), await hashesOf('usr_2')]).toEqual([['b'], ['c']]);
  });

  it('end all at once, of one tenant, or but for one', async () => {
    const fill = () =>
      create(
        session('a', 'usr_1'),
        session('b', 'usr_1'),
        { ...session('c', 'usr_1'), tenantId: other },
        session('d', 'usr_2'),
      );
    const left = async () => [...(await hashesOf('usr_1')), ...(await hashesOf('usr_2'))].sort();
    await fill();
    expect(await sessions.end({ senderId: 'usr_1', tenantId: acme })).toBe(2);
    expect(await left()).toEqual(['c', 'd']);
    expect(await sessions.end({ senderId: 'usr_1', tenantId: acme })).toBe(0);
    await runStatements(database, 'delete from session');
    await fill();
    expect(await sessions.end({ senderId: 'usr_1', except: 'b' })).toBe(2);
    expect(await left()).toEqual(['b', 'd']);
    expect(await sessions.end({ senderId: 'usr_1' })).toBe(1);
    expect(await left()).toEqual(['d']);
  });

  it('have a last use', async () => {
    await create(session('a', 'usr_1'), session('b', 'usr_1'));
    await sessions.recordUse([
      { hash: 'a', at: 15 },
      { hash: 'gone', at: 16 },
    ]);
    expect([(await sessions.find('a'))?.lastUsedAt, (await sessions.find('b'))?.lastUsedAt]).toEqual([
      15,
      null,
    ]);
    expect(await exists('gone')).toBe(false);
  });

  it('of a server of the previous version have no id', async () => {
    await runStatements(
      database,
      `insert into session (hash, tenant_id, key_id, created_at, expires_at) values ('old', ${acme}, 'k1', 10, 20)`,
    );
    expect(await sessions.find('old')).toEqual({ ...session('old', 'k1'), id: '', lastUsedAt: null });
    expect(await sessions.removeById('k1', '')).toBe(false);
    expect(await hashesOf('k1')).toEqual(['old']);
  });
});
