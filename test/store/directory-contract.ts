import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NameTaken } from '../../dist/store/errors.js';
import type { Store } from '../../dist/store/store.js';
import type { Directory } from '../../dist/store/tenants/directory.js';
import type { NewKey } from '../../dist/store/tenants/keys.js';
import { createTenant, type DatabaseUnderTest } from './store-contract.js';

/** Tests of tenants, settings and keys, the same for every database. */
export function describeDirectory(name: string, create: () => Promise<DatabaseUnderTest>): void {
  describe(`the directory on ${name}`, () => {
    let database: DatabaseUnderTest;
    let store: Store;
    let directory: Directory;
    let tenantId: number;

    beforeEach(async () => {
      database = await create();
      store = await database.open();
      directory = store.directory;
      tenantId = await createTenant(store, 'acme');
    });

    afterEach(async () => {
      await store.close();
      await database.remove();
    });

    const key = (id: string): NewKey => ({
      id,
      tenantId,
      hash: `hash-of-${id}`,
      scopes: ['sync', 'read'],
      label: 'nightly',
      createdAt: 10,
      expiresAt: null,
    });

    it('creates a tenant with the default settings', async () => {
      expect(await directory.findTenant({ name: 'acme' })).toEqual({
        id: tenantId,
        name: 'acme',
        accountIds: 'any',
        undeclaredFields: 'keep',
        attributes: [],
        blockedPatterns: [],
        trackedSources: [],
        hosts: [],
        historyDays: null,
        rejectionDays: null,
        createdAt: 1,
      });
      expect(await directory.findTenant({ id: tenantId })).toEqual(
        await directory.findTenant({ name: 'acme' }),
      );
      expect(await directory.findTenant({ name: 'unknown' })).toBeUndefined();
    });

    it('creates a tenant with other settings, or not at all', async () => {
      await directory.changeTenant(tenantId, { hosts: ['acme.test'] });
      const settings = {
        accountIds: 'domain',
        undeclaredFields: 'reject',
        hosts: ['b.test', 'a.test'],
        historyDays: 30,
        rejectionDays: 3,
      } as const;
      await directory.createTenant('other', settings, 2);
      expect(await directory.findTenant({ name: 'other' })).toMatchObject({
        ...settings,
        hosts: ['a.test', 'b.test'],
      });
      await expect(directory.createTenant('third', { hosts: ['acme.test'] }, 3)).rejects.toEqual(
        new NameTaken('The host acme.test belongs to another tenant.'),
      );
      await expect(directory.createTenant('acme', {}, 3)).rejects.toEqual(
        new NameTaken('There is already a tenant acme.'),
      );
      expect(await directory.tenantNames()).toEqual(['acme', 'other']);
    });

    it('changes only the settings it is given, and replaces the list of hosts', async () => {
      await directory.changeTenant(tenantId, { accountIds: 'domain', hosts: ['a.test', 'b.test'] });
      await directory.changeTenant(tenantId, { undeclaredFields: 'reject', hosts: ['b.test', 'c.test'] });
      expect(await directory.findTenant({ id: tenantId })).toMatchObject({
        accountIds: 'domain',
        undeclaredFields: 'reject',
        hosts: ['b.test', 'c.test'],
      });
      expect(await directory.hosts()).toEqual(
        new Map([
          ['b.test', tenantId],
          ['c.test', tenantId],
        ]),
      );
      await directory.changeTenant(tenantId, { hosts: [], historyDays: 5 });
      expect(await directory.hosts()).toEqual(new Map());
      await directory.changeTenant(tenantId, { historyDays: null, rejectionDays: 9 });
      expect(await directory.findTenant({ id: tenantId })).toMatchObject({
        historyDays: null,
        rejectionDays: 9,
      });
    });

    it('finds a key by its hash, from its creation to its end', async () => {
      await directory.keys.add(key('k1'));
      const { hash: _hash, ...stored } = key('k1');
      const fresh = { ...stored, source: 'nightly', revokedAt: null, lastUsedAt: null };
      expect(await directory.keys.find('hash-of-k1')).toEqual(fresh);
      expect(await directory.keys.find('hash-of-k2')).toBeUndefined();
      await store.recordKeyUse([{ keyId: 'k1', at: 20 }]);
      await store.recordKeyUse([{ keyId: 'k1', at: 19 }]);
      await directory.keys.rotate('k1', 30, { ...key('k2'), createdAt: 11 });
      const { hash: _hash2, ...successor } = { ...key('k2'), createdAt: 11 };
      const rotated = { ...fresh, lastUsedAt: 20, expiresAt: 30 };
      expect(await directory.keys.list(tenantId)).toEqual([
        rotated,
        { ...successor, source: 'nightly', revokedAt: null, lastUsedAt: null },
      ]);
      await directory.keys.revoke(tenantId, 'k1', 40);
      expect(await directory.keys.find('hash-of-k1')).toEqual({ ...rotated, revokedAt: 40 });
    });

    it('changes a key only for its own tenant', async () => {
      const other = await createTenant(store, 'other');
      await directory.keys.add(key('k1'));
      await directory.keys.revoke(other, 'k1', 40);
      await directory.keys.rotate('k1', 30, { ...key('k2'), tenantId: other });
      expect(await directory.keys.find('hash-of-k1')).toMatchObject({ revokedAt: null, expiresAt: null });
      expect((await directory.keys.list(other)).map(({ id }) => id)).toEqual(['k2']);
    });

    it('returns a key by its id, only for its own tenant', async () => {
      const other = await createTenant(store, 'other');
      await directory.keys.add(key('k1'));
      expect(await directory.keys.get(tenantId, 'k1')).toEqual(await directory.keys.find('hash-of-k1'));
      expect(await directory.keys.get(other, 'k1')).toBeUndefined();
      expect(await directory.keys.get(tenantId, 'k2')).toBeUndefined();
    });

    it('declares, changes and removes attributes', async () => {
      const tier = {
        name: 'custom_Tier',
        type: 'choice',
        choices: ['gold', 'silver'],
        readOnly: false,
      } as const;
      await directory.attributes.set(tenantId, tier);
      await directory.attributes.set(tenantId, {
        name: 'custom_Age',
        type: 'text',
        choices: [],
        readOnly: false,
      });
      const age = { name: 'custom_Age', type: 'integer', choices: [], readOnly: true } as const;
      await directory.attributes.set(tenantId, age);
      expect((await directory.findTenant({ id: tenantId }))?.attributes).toEqual([age, tier]);
      expect(await directory.attributes.remove(tenantId, 'custom_Age')).toBe(true);
      expect(await directory.attributes.remove(tenantId, 'custom_Age')).toBe(false);
      expect((await directory.findTenant({ id: tenantId }))?.attributes).toEqual([tier]);
    });

    it('stores the presentation of attributes, and changes only what it is given', async () => {
      const text = { name: 'custom_A', type: 'text', choices: [], readOnly: false } as const;
      const presentation = { label: 'A', description: null, unit: 'kg', position: 3, group: 'G' };
      const stored = async () => (await directory.findTenant({ id: tenantId }))?.attributes;
      await directory.attributes.set(tenantId, { ...text, presentation });
      expect(await stored()).toEqual([{ ...text, presentation }]);
      await directory.attributes.set(tenantId, { ...text, presentation: { unit: null } });
      await directory.attributes.set(tenantId, text);
      expect(await stored()).toEqual([{ ...text, presentation: { ...presentation, unit: null } }]);
      const none = { label: null, position: null, group: null };
      await directory.attributes.set(tenantId, { ...text, presentation: none });
      expect(await stored()).toEqual([text]);
    });

    it('blocks and unblocks ids', async () => {
      expect(await directory.blocked.add(tenantId, 'b')).toBe(true);
      expect(await directory.blocked.add(tenantId, '*.a')).toBe(true);
      expect(await directory.blocked.add(tenantId, 'b')).toBe(false);
      expect((await directory.findTenant({ id: tenantId }))?.blockedPatterns).toEqual(['*.a', 'b']);
      expect(await directory.blocked.remove(tenantId, 'b')).toBe(true);
      expect(await directory.blocked.remove(tenantId, 'b')).toBe(false);
    });

    it('changes its version with every change that a cache has to know, and with no other', async () => {
      const other = await createTenant(store, 'other');
      await directory.keys.add(key('k0'));
      const attribute = { name: 'custom_X', type: 'text', choices: [], readOnly: false } as const;
      const changes = [
        () => directory.createTenant('new', {}, 1),
        () => directory.changeTenant(other, { accountIds: 'domain' }),
        () => directory.keys.add(key('k1')),
        () => directory.keys.revoke(tenantId, 'k1', 1),
        () => directory.keys.rotate('k0', 1, key('k2')),
        () => directory.attributes.set(tenantId, attribute),
        () => directory.attributes.remove(tenantId, 'custom_X'),
        () => directory.blocked.add(tenantId, 'x'),
        () => directory.blocked.remove(tenantId, 'x'),
      ];
      const versions = [await directory.version()];
      for (const change of changes) {
        await change();
        versions.push(await directory.version());
      }
      expect(new Set(versions).size).toBe(changes.length + 1);
      await store.recordKeyUse([{ keyId: 'k0', at: 5 }]);
      const session = {
        hash: 'a',
        id: 'a',
        tenantId,
        senderId: 'k0',
        createdAt: 1,
        expiresAt: 9,
        userAgent: null,
      };
      await directory.sessions.create(session);
      await directory.sessions.remove('a');
      expect(await directory.version()).toBe(versions.at(-1));
    });
  });
}
