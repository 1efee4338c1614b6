import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { Caller } from '../faults/caller.js';
import { PersistentLoad } from '../faults/persistent-load.js';
import { StoredAccounts } from '../faults/stored-accounts.js';
import { Tally } from '../faults/tally.js';
import { freshDirectory, Service } from '../support/service.js';

describe.each(['SIGTERM', 'SIGINT'] as const)('a server that gets %s', (signal) => {
  it('finishes what is in flight, keeps what it acknowledged, and exits with 0', async () => {
    const dataDir = await freshDirectory();
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir });
    const tally = new Tally();
    const caller = new Caller(service.url, service.key, tally);
    const load = new PersistentLoad(caller, 'stop');
    await vi.waitUntil(() => tally.acknowledged > 300, { timeout: 30_000, interval: 5 });
    caller.isDying = true;
    expect(await service.stop(signal)).toBe(0);
    await load.stop();
    const stored = await StoredAccounts.open(`sqlite:${dataDir}`, tally);
    await stored.compare(load.sent);
    await stored.close();
    expect([stored.problems, tally.unexpected, tally.failed]).toEqual([[], [], 0]);
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('a server that is told to stop while a request is half sent', () => {
  it('waits for the rest and answers it', async () => {
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    const headers = {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      'content-length': '18',
    };
    const answer = new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request(`${service.url}/api/v1_1/account`, { method: 'POST', headers }, (incoming) => {
        incoming.resume();
        incoming.on('end', () => resolve(incoming.statusCode));
      });
      outgoing.on('error', reject);
      outgoing.write('{"account');
      // The rest follows once the server has begun to stop.
      vi.waitUntil(() => service.output.stderr.includes('"stopping"'), { timeout: 10_000 }).then(() =>
        outgoing.end('_id":"a"}'),
      );
    });
    await vi.waitUntil(() => service.output.stderr.includes('listening'), { timeout: 10_000 });
    // A later answer on another connection shows that the half request has reached the server.
    await fetch(`${service.url}/healthz`);
    const stopped = service.stop();
    expect(await answer).toBe(200);
    expect(await stopped).toBe(0);
    await rm(service.dataDir, { recursive: true, force: true });
  });
});
