import { rm } from 'node:fs/promises';
import { request } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { Caller } from '../faults/caller.js';
import { ContinuousLoad } from '../faults/continuous-load.js';
import { LoadStatistics } from '../faults/load-statistics.js';
import { StoredAccounts } from '../faults/stored-accounts.js';
import { freshDirectory, Service } from '../support/service.js';

describe.each(['SIGTERM', 'SIGINT'] as const)('a server that gets %s', (signal) => {
  it('finishes requests in progress, keeps acknowledged writes, and exits with 0', async () => {
    const dataDir = await freshDirectory();
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir });
    const statistics = new LoadStatistics();
    const caller = new Caller(service.url, service.key, statistics);
    const load = new ContinuousLoad(caller, 'stop');
    await vi.waitUntil(() => statistics.acknowledged > 300, { timeout: 30_000, interval: 5 });
    caller.isDying = true;
    expect(await service.stop(signal)).toBe(0);
    await load.stop();
    const stored = await StoredAccounts.open(`sqlite:${dataDir}`, statistics);
    await stored.compare(load.sent);
    await stored.close();
    expect([stored.problems, statistics.unexpected, statistics.failed]).toEqual([[], [], 0]);
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('a server that is stopped while a request is half sent', () => {
  it('waits for the rest and responds', async () => {
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
      // Sends the rest after the server has started to stop.
      vi.waitUntil(() => service.output.stderr.includes('"stopping"'), { timeout: 30_000 }).then(() =>
        outgoing.end('_id":"a"}'),
      );
    });
    await vi.waitUntil(() => service.output.stderr.includes('listening'), { timeout: 30_000 });
    // A later response on another connection shows that the half request has reached the server.
    await fetch(`${service.url}/healthz`);
    const stopped = service.stop();
    expect(await answer).toBe(200);
    expect(await stopped).toBe(0);
    await rm(service.dataDir, { recursive: true, force: true });
  });
});
