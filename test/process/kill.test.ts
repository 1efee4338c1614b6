import { rm } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { freshDirectory, runJson, Service } from '../service.js';
import { BATCH_SIZE, Load } from './load.js';

const CYCLES = 5;

describe('a server killed under load', () => {
  it('has every acknowledged write when it is back, and no half batch', async () => {
    const dataDir = await freshDirectory();
    const settings = { ACCOUNT_SYNC_DATA_DIR: dataDir, ACCOUNT_SYNC_LOG_LEVEL: 'silent' };
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

    const store = await openStore({ database: `sqlite:${dataDir}` });
    const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
    for (const [accountId, licenses] of load.acknowledged) {
      const account = await store.findAccount(id, accountId);
      expect([accountId, account?.fields.licenses]).toEqual([accountId, licenses]);
      expect(await store.history(id, accountId)).toHaveLength(account?.revision ?? 0);
    }
    for (const batch of load.sentBatches) {
      const ids = Array.from({ length: BATCH_SIZE }, (_, i) => `${batch}-${i}`);
      const found = await Promise.all(ids.map((accountId) => store.findAccount(id, accountId)));
      const stored = found.filter((account) => account !== undefined).length;
      expect([0, BATCH_SIZE]).toContain(stored);
      if (load.acknowledgedBatches.has(batch)) expect(stored).toBe(BATCH_SIZE);
    }
    await store.close();
    const { findings } = await runJson({ ACCOUNT_SYNC_DATA_DIR: dataDir }, 'doctor');
    expect(findings).toContainEqual({ check: 'integrity', state: 'ok', found: 'sound' });
    await rm(dataDir, { recursive: true, force: true });
  });
});
