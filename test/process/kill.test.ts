import { describe, expect, it, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { databases } from '../databases.js';
import { runJson, Service } from '../service.js';
import { BATCH_SIZE, Load } from './load.js';

const CYCLES = 5;

describe.each(databases)('a server on %s killed under load', (_name, createDatabase) => {
  it('has every acknowledged write when it is back, and no half batch', async () => {
    const database = await createDatabase();
    const settings = { ...database.settings, ACCOUNT_SYNC_LOG_LEVEL: 'silent' };
    const load = new Load();
    let key = '';
    for (let cycle = 1; cycle <= CYCLES; cycle += 1) {
      const service = await Service.start(settings);
      key ||= service.key;
      const before = load.acknowledged.size;
      const running = load.run(service.url, key, 16);
      await vi.waitUntil(() => load.acknowledged.size > before + 200 * cycle, {
        timeout: 30_000,
        interval: 5,
      });
      await service.stop('SIGKILL');
      await running;
    }
    expect(load.refused).toBe(0);

    const store = await openStore({ database: database.url });
    const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
    for (const [accountId, licenses] of load.acknowledged) {
      const account = await store.accounts.find(id, accountId);
      expect([accountId, account?.fields.licenses]).toEqual([accountId, licenses]);
      expect(await store.accounts.history(id, accountId)).toHaveLength(account?.revision ?? 0);
    }
    for (const batch of load.sentBatches) {
      const ids = Array.from({ length: BATCH_SIZE }, (_, i) => `${batch}-${i}`);
      const found = await Promise.all(ids.map((accountId) => store.accounts.find(id, accountId)));
      const stored = found.filter((account) => account !== undefined).length;
      expect([0, BATCH_SIZE]).toContain(stored);
      if (load.acknowledgedBatches.has(batch)) expect(stored).toBe(BATCH_SIZE);
    }
    await store.close();
    expect(await runJson(database.settings, 'doctor')).toMatchObject({ ok: true });
    await database.remove();
  });
});
