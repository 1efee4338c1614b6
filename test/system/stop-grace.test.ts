import { rm } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';

describe('a stopping server', () => {
  it('reports it to load balancers and keeps serving, also after further signals', async () => {
    const dataDir = await freshDirectory();
    // The maximum, so that a busy machine has time for two requests. The next test checks the end.
    const settings = { ACCOUNT_SYNC_DATA_DIR: dataDir, ACCOUNT_SYNC_DRAIN_SECONDS: '5' };
    const service = await Service.start(settings);
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    service.stop();
    await vi.waitUntil(() => service.output.stderr.includes('"stopping"'), { timeout: 30_000 });
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

  it('ends after its grace period', async () => {
    const settings = { ACCOUNT_SYNC_DATA_DIR: await freshDirectory(), ACCOUNT_SYNC_DRAIN_SECONDS: '1' };
    const service = await Service.start(settings);
    const toldAt = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - toldAt).toBeGreaterThanOrEqual(1_000);
    await rm(service.dataDir, { recursive: true, force: true });
  });
});
