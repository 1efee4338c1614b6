import { rm } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';

describe('a server that was told to stop', () => {
  it('says so to load balancers and goes on serving, however often it is told', async () => {
    const dataDir = await freshDirectory();
    // The longest there is, so that a busy machine has time for two requests; its end is the next test's.
    const settings = { ACCOUNT_SYNC_DATA_DIR: dataDir, ACCOUNT_SYNC_DRAIN_SECONDS: '5' };
    const service = await Service.start(settings);
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    service.stop();
    await vi.waitUntil(() => service.output.stderr.includes('"stopping"'), { timeout: 10_000 });
    service.stop();
    service.stop('SIGINT');
    const ready = await fetch(`${service.url}/readyz`);
    expect([ready.status, ready.headers.get('connection'), await ready.json()]).toEqual([
      503,
      'close',
      { status: 'unavailable', reason: 'The service is stopping.' },
    ]);
    const body = JSON.stringify({ account_id: 'late' });
    const stored = await fetch(`${service.url}/api/v1_1/account`, { method: 'POST', headers, body });
    expect([stored.status, stored.headers.get('connection')]).toEqual([200, 'close']);
    await service.stop('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });

  it('ends by itself, not before the time it was told to wait', async () => {
    const settings = { ACCOUNT_SYNC_DATA_DIR: await freshDirectory(), ACCOUNT_SYNC_DRAIN_SECONDS: '1' };
    const service = await Service.start(settings);
    const toldAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - toldAt).toBeGreaterThanOrEqual(1_000);
    await rm(service.dataDir, { recursive: true, force: true });
  });
});
