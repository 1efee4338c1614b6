import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../dist/domain/json.js';
import { QueueFull } from '../../dist/store/errors.js';
import type { OpenOptions } from '../../dist/store/open-store.js';
import type { UpsertRequest } from '../../dist/store/requests.js';
import type { Store } from '../../dist/store/store.js';
import { batches, model, replay } from './account-model.js';

/** An empty database of one kind. */
export interface DatabaseUnderTest {
  open(options?: Partial<OpenOptions>): Promise<Store>;
  remove(): Promise<void>;
}

/** The tests that every database has to pass. */
export function describeStore(name: string, create: () => Promise<DatabaseUnderTest>): void {
  describe(`the store on ${name}`, () => {
    let database: DatabaseUnderTest;
    let store: Store;
    let tenantId: number;

    beforeEach(async () => {
      database = await create();
      store = await database.open();
      tenantId = await createTenant(store, 'acme');
    });

    afterEach(async () => {
      await store.close();
      await database.remove();
    });

    const upsert = (accountId: string, fields: JsonObject, options: Partial<UpsertRequest> = {}) =>
      store.upsert(request(tenantId, [{ accountId, fields }], options));

    it('creates an account with its fields, times, revision and history', async () => {
      const fields = {
        name: 'Acme',
        parent_account_id: 'holding',
        licenses: 3,
        custom_X: { deep: [1, null] },
      };
      const counts = await upsert('a', fields, { at: 5, requestId: 'r-1', senderId: 'k-1' });
      expect(counts).toEqual({
        created: 1,
        updated: 0,
        unchanged: 0,
        skipped: 0,
        archived: 0,
        restored: 0,
        deleted: 0,
      });
      expect(await store.accounts.find(tenantId, 'a')).toEqual({
        accountId: 'a',
        fields,
        revision: 1,
        createdAt: 5,
        updatedAt: 5,
        archivedAt: null,
        deletedAt: null,
      });
      const changes = {
        name: [null, 'Acme'],
        parent_account_id: [null, 'holding'],
        licenses: [null, 3],
        custom_X: [null, { deep: [1, null] }],
      };
      expect(await store.history.read(tenantId, 'a')).toEqual([
        {
          revision: 1,
          kind: 'created',
          isErased: false,
          at: 5,
          requestId: 'r-1',
          senderId: 'k-1',
          runId: null,
          source: null,
          user: null,
          changes,
        },
      ]);
    });

    it('merges an update, clears on null and appends what changed to the history', async () => {
      await upsert(
        'a',
        { name: 'Acme', licenses: 3, custom_X: 'x' },
        { at: 5, requestId: 'r-1', senderId: 'k-1' },
      );
      const counts = await upsert(
        'a',
        { name: null, licenses: 4, custom_X: 'x' },
        { at: 6, requestId: 'r-2', senderId: 'k-2' },
      );
      expect(counts).toEqual({
        created: 0,
        updated: 1,
        unchanged: 0,
        skipped: 0,
        archived: 0,
        restored: 0,
        deleted: 0,
      });
      expect(await store.accounts.find(tenantId, 'a')).toEqual({
        accountId: 'a',
        fields: { licenses: 4, custom_X: 'x' },
        revision: 2,
        createdAt: 5,
        updatedAt: 6,
        archivedAt: null,
        deletedAt: null,
      });
      expect((await store.history.read(tenantId, 'a')).at(-1)).toEqual({
        revision: 2,
        kind: 'updated',
        isErased: false,
        at: 6,
        requestId: 'r-2',
        senderId: 'k-2',
        runId: null,
        source: null,
        user: null,
        changes: { name: ['Acme', null], licenses: [3, 4] },
      });
    });

    it('writes nothing if nothing changed', async () => {
      await upsert('a', { name: 'Acme' }, { at: 5 });
      const before = [await store.accounts.find(tenantId, 'a'), await store.history.read(tenantId, 'a')];
      expect(await upsert('a', { name: 'Acme', licenses: null }, { at: 9 })).toEqual({
        created: 0,
        updated: 0,
        unchanged: 1,
        skipped: 0,
        archived: 0,
        restored: 0,
        deleted: 0,
      });
      expect([await store.accounts.find(tenantId, 'a'), await store.history.read(tenantId, 'a')]).toEqual(
        before,
      );
    });

    it('applies the same account twice in one request in order, with an entry in the history for each', async () => {
      const patches = [
        { accountId: 'a', fields: { name: 'First', licenses: 1 } },
        { accountId: 'b', fields: {} },
        { accountId: 'a', fields: { name: 'Second' } },
        { accountId: 'a', fields: { licenses: 1 } },
      ];
      const counts = await store.upsert(request(tenantId, patches));
      expect(counts).toEqual({
        created: 2,
        updated: 1,
        unchanged: 1,
        skipped: 0,
        archived: 0,
        restored: 0,
        deleted: 0,
      });
      const account = await store.accounts.find(tenantId, 'a');
      expect(account).toMatchObject({ fields: { name: 'Second', licenses: 1 }, revision: 2 });
      const history = await store.history.read(tenantId, 'a');
      expect(history.map(({ changes }) => changes)).toEqual([
        { name: [null, 'First'], licenses: [null, 1] },
        { name: ['First', 'Second'] },
      ]);
    });

    it('separates tenants that use the same identifiers', async () => {
      const other = await createTenant(store, 'other');
      await upsert('a', { name: 'Acme' });
      expect(await store.accounts.find(other, 'a')).toBeUndefined();
      await store.upsert(request(other, [{ accountId: 'a', fields: { name: 'Other' } }]));
      expect((await store.accounts.find(tenantId, 'a'))?.fields).toEqual({ name: 'Acme' });
      expect((await store.accounts.find(other, 'a'))?.fields).toEqual({ name: 'Other' });
      expect(await store.history.read(other, 'a')).toHaveLength(1);
    });

    it('gives concurrent requests for one account a revision each, without a gap', async () => {
      const requests = Array.from({ length: 200 }, (_, i) =>
        upsert('a', { licenses: i }, { requestId: `r-${i}` }),
      );
      const counts = await Promise.all(requests);
      expect(counts.filter(({ created }) => created === 1)).toHaveLength(1);
      const history = await store.history.read(tenantId, 'a');
      expect(history.map(({ revision }) => revision)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
      expect(new Set(history.map(({ requestId }) => requestId)).size).toBe(200);
    });

    it('fails one bad request without failing the others of its group', async () => {
      const unknownTenant = 999_999;
      const before = Array.from({ length: 20 }, (_, i) => upsert(`before-${i}`, {}));
      const bad = store.upsert(request(unknownTenant, [{ accountId: 'a', fields: {} }]));
      const after = Array.from({ length: 20 }, (_, i) => upsert(`after-${i}`, {}));
      await expect(bad).rejects.toThrow();
      const counts = await Promise.all([...before, ...after]);
      expect(counts).toEqual(
        Array(40).fill({
          created: 1,
          updated: 0,
          unchanged: 0,
          skipped: 0,
          archived: 0,
          restored: 0,
          deleted: 0,
        }),
      );
      expect(await store.accounts.find(unknownTenant, 'a')).toBeUndefined();
      expect(await store.accounts.find(tenantId, 'after-19')).toBeDefined();
    });

    it('rejects requests that do not fit into the queue, and stores the others', async () => {
      await store.close();
      store = await database.open({ queueLimits: { records: 3, bytes: 1_000_000 } });
      const results = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => upsert(`a-${i}`, {})));
      const rejected = results.filter((result) => result.status === 'rejected');
      expect(rejected).toHaveLength(7);
      for (const { reason } of rejected) expect(reason).toBeInstanceOf(QueueFull);
      for (const [i, { status }] of results.entries()) {
        const stored = (await store.accounts.find(tenantId, `a-${i}`)) !== undefined;
        expect(stored).toBe(status === 'fulfilled');
      }
    });

    it('limits the queue in bytes too, but accepts any single request', async () => {
      await store.close();
      store = await database.open({ queueLimits: { records: 1_000, bytes: 10 } });
      const large = upsert('large', {}, { bytes: 1_000 });
      const small = upsert('small', {}, { bytes: 1 });
      await expect(small).rejects.toBeInstanceOf(QueueFull);
      expect(await large).toEqual({
        created: 1,
        updated: 0,
        unchanged: 0,
        skipped: 0,
        archived: 0,
        restored: 0,
        deleted: 0,
      });
    });

    it('finishes submitted requests before it closes, and finds them when opened again', async () => {
      const writes = Array.from({ length: 50 }, (_, i) => upsert(`a-${i}`, { licenses: i }));
      await store.close();
      await Promise.all(writes);
      store = await database.open();
      for (let i = 0; i < 50; i += 1) {
        expect((await store.accounts.find(tenantId, `a-${i}`))?.fields).toEqual({ licenses: i });
      }
    });

    it('equals a plain-object model after any sequence of requests, and its history replays to it', async () => {
      await fc.assert(
        fc.asyncProperty(batches, async (sent) => {
          const tenant = await createTenant(store, randomUUID());
          await Promise.all(sent.map((patches) => store.upsert(request(tenant, patches))));
          for (const [accountId, expected] of model(sent)) {
            expect((await store.accounts.find(tenant, accountId))?.fields).toEqual(expected);
            expect(replay(await store.history.read(tenant, accountId))).toEqual(expected);
          }
        }),
        { numRuns: 30 },
      );
    });

    it('returns the values of one field over all accounts of a tenant', async () => {
      const other = await createTenant(store, 'other');
      await upsert('a', { custom_X: '1' });
      await upsert('b', { custom_X: { y: [2] } });
      await upsert('c', { custom_Y: 3 });
      await store.upsert(request(other, [{ accountId: 'd', fields: { custom_X: 4 } }]));
      const values: JsonValue[] = [];
      for await (const found of store.accounts.fieldValues(tenantId, 'custom_X')) values.push(found);
      expect(values).toHaveLength(2);
      expect(values).toEqual(expect.arrayContaining(['1', { y: [2] }]));
    });

    it('returns values of a few large accounts after many small ones page by page', async () => {
      const small = Array.from({ length: 1_500 }, (_, i) => ({
        accountId: `a-${i}`,
        fields: { custom_X: 1 },
      }));
      const large = Array.from({ length: 5 }, (_, i) => ({
        accountId: `b-${i}`,
        fields: { custom_X: 2, custom_Y: 'y'.repeat(1_500_000) },
      }));
      await store.upsert(request(tenantId, [...small, ...large]));
      const values: JsonValue[] = [];
      for await (const found of store.accounts.fieldValues(tenantId, 'custom_X')) values.push(found);
      expect(values).toEqual([...Array(1_500).fill(1), ...Array(5).fill(2)]);
    });

    it('passes a check while it is open', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });
  });
}

export async function createTenant(store: Store, name: string): Promise<number> {
  await store.directory.createTenant(name, {}, 1);
  const tenant = await store.directory.findTenant({ name });
  return tenant?.id ?? Number.NaN;
}

function request(
  tenantId: number,
  patches: UpsertRequest['patches'],
  options: Partial<UpsertRequest> = {},
): UpsertRequest {
  return { tenantId, patches, requestId: randomUUID(), senderId: 'k', at: 1, bytes: 10, ...options };
}
