import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CopyEndpoint } from '../../dist/store/maintenance/copy-database.js';
import { openCopyEndpoint } from '../../dist/store/maintenance/open-copy-endpoint.js';
import { openStore } from '../../dist/store/open-store.js';
import { DeliveryLog } from '../../dist/store/webhooks/delivery-log.js';
import { Webhooks } from '../../dist/store/webhooks/webhooks.js';
import { queriesOf } from '../store/queries-of.js';
import { createTenant } from '../store/store-contract.js';
import { type Database, databases } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';

const TENANTS = 200;
const WEBHOOKS_PER_TENANT = 20;
/** Of each webhook of the first two tenants. */
const DELIVERIES = 500;

type Db = CopyEndpoint['db'];

describe.each(databases)('on %s with many webhooks and deliveries', (name, createDatabase) => {
  const isPostgres = name === 'PostgreSQL';
  let database: Database;
  let end: CopyEndpoint;

  const idOf = (tenantId: number, i: number) => `wh_${tenantId}_${i}`;
  const deliveryOf = (tenantId: number, webhookId: string, at: number) => ({
    ...{ tenantId, webhookId, at, messageId: 'msg_1', attempt: 1, deliveries: 1, events: 1 },
    ...{ status: 200, error: null, tookMs: 5, answer: 'ok' },
  });

  beforeAll(async () => {
    database = await createDatabase();
    const store = await openStore({ database: database.url });
    for (const tenant of ['acme', 'other']) await createTenant(store, tenant);
    await store.close();
    end = await openCopyEndpoint(database.url, { mustExist: true });
    for (let tenantId = 1; tenantId <= TENANTS; tenantId += 1) {
      const rows = Array.from({ length: WEBHOOKS_PER_TENANT }, (_, i) => ({
        ...{ id: idOf(tenantId, i), tenant_id: tenantId, url: 'https://example.com/', description: '' },
        ...{ events: '[]', filter: '{"sources":[],"fields":[],"values":{}}', batch_size: 100 },
        ...{ state: 'active', secret: 'whsec_AAAA', turn: 0, seq: 0, created_at: i },
      }));
      await end.db.insertInto('webhook').values(rows).execute();
    }
    for (let at = 0; at < DELIVERIES; at += 1) {
      const rows = [1, 2].flatMap((tenantId) =>
        Array.from({ length: WEBHOOKS_PER_TENANT }, (_, i) => ({
          ...{ tenant_id: tenantId, webhook_id: idOf(tenantId, i), at, message_id: 'msg_1', attempt: 1 },
          ...{ deliveries: 1, events: 1, status: 200, error: null, took_ms: 5, answer: 'ok' },
        })),
      );
      await end.db.insertInto('webhook_delivery').values(rows).execute();
    }
    if (isPostgres) await queryOnce(database.url, 'analyze');
  }, 60_000);
  afterAll(async () => {
    await end.close();
    await database.remove();
  });

  async function plansOf(work: (db: Db) => Promise<unknown>): Promise<string[]> {
    const plans: string[] = [];
    for (const { sql, parameters } of await queriesOf(end.db, work)) {
      if (/^(lock|insert)/.test(sql)) continue;
      const explain = CompiledQuery.raw(`${isPostgres ? 'explain' : 'explain query plan'} ${sql}`, [
        ...parameters,
      ]);
      const { rows } = await end.db.executeQuery<Record<string, string>>(explain);
      plans.push(rows.map((row) => row['QUERY PLAN'] ?? row.detail).join('\n'));
    }
    return plans;
  }

  const byId = isPostgres ? 'webhook_pkey' : 'sqlite_autoindex_webhook_1';

  it.each<[string, (db: Db) => Promise<unknown>, readonly string[], boolean?]>([
    ['the webhooks of a tenant', (db) => new Webhooks(db).list(2), ['webhook_by_tenant']],
    ['one webhook', (db) => new Webhooks(db).find(2, idOf(2, 7)), [byId]],
    ['the secrets of one', (db) => new Webhooks(db).secrets(2, idOf(2, 7), 1), [byId]],
    ['how many a tenant has', (db) => new Webhooks(db).counts(2), ['webhook_by_tenant']],
    [
      'a page of deliveries',
      (db) => new DeliveryLog(db).page(2, idOf(2, 7), 1_000_000, 100),
      ['webhook_delivery_by_webhook'],
      true,
    ],
    [
      'the deliveries that are too many',
      (db) => new DeliveryLog(db).add(deliveryOf(2, idOf(2, 7), 1)),
      ['webhook_delivery_by_webhook'],
      true,
    ],
  ])('%s: read by an index, in its order', async (_what, work, indexes, isBounded = false) => {
    const plans = await plansOf(work);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      const isByIndex = isPostgres
        ? !/Seq Scan on webhook/.test(plan)
        : !/^SCAN webhook(?!_lease)/m.test(plan);
      expect({ plan, isByIndex }).toEqual({ plan, isByIndex: true });
      // A webhook has few more than 1,000 deliveries, which may be sorted.
      if (!isBounded) expect(plan).not.toMatch(/Sort Key|TEMP B-TREE FOR ORDER/);
    }
    for (const index of indexes) expect(plans.join('\n')).toContain(index);
  });
});
