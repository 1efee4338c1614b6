import { mkdirSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { owner } from '../support/postgres/binaries.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { SmallDisk, whyNoSmallDisk } from './small-disk.js';
import { Trial } from './trial.js';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 20;
/** The size of the disk: the initial data of PostgreSQL, and space for the load. */
const MIB = 160;
const SMALL = {
  min_wal_size: '32MB',
  max_wal_size: '48MB',
  wal_recycle: 'off',
  shared_buffers: '16MB',
  autovacuum: 'off',
};

// In a new user namespace every user is root, and PostgreSQL does not run as root.
const reason = whyNoSmallDisk() ?? (owner === undefined ? 'it needs root' : undefined);
const name = 'a server recovers without a restart after the disk of PostgreSQL was full, and loses nothing';

it.skipIf(reason)(reason === undefined ? name : `${name} (skipped: ${reason})`, async () => {
  const trial = new Trial('disk full, PostgreSQL', { short: 1, long: 10 });
  let disk: SmallDisk | undefined;
  const server = await PostgresServer.start(SMALL, async (data) => {
    mkdirSync(data);
    const mounted = await SmallDisk.mount(data, MIB);
    onTestFinished(() => mounted.remove());
    disk = mounted;
    return mounted.launcher(owner);
  });
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const service = await ServiceUnderLoad.start(database, trial);
  await trial.run(async (round) => {
    await service.cycle(database, async () => {
      const { failed } = trial;
      disk?.fill(Math.floor(Math.random() * 2_000_000));
      await vi.waitUntil(() => trial.failed >= failed + 64, { timeout: TIMEOUT_MS, interval: 5 });
      // PostgreSQL may have crashed by now.
      const ready = await (await fetch(`${service.caller.url}/readyz`)).text();
      expect(ready).toMatch(/Writes fail: the disk|The database does not answer/);
      if (round % 2 === 1) await provokeCrash(server);
      disk?.free();
      await waitForRecovery(server, trial);
    });
  });
  await service.end();
  trial.figures['crashes of PostgreSQL'] = crashesOf(server);
  expect(server.log).toContain('No space left on device');
});

/** Requests a new file of the write-ahead log and a checkpoint, which mostly crash PostgreSQL on a full disk. */
async function provokeCrash(server: PostgresServer): Promise<void> {
  const before = crashesOf(server);
  for (let tried = 0; tried < ATTEMPTS && crashesOf(server) === before; tried += 1) {
    await server.query('select pg_switch_wal()').catch(() => {});
    await server.query('checkpoint').catch(() => {});
  }
}

/** Waits for recovery. PostgreSQL ends if its recovery has no space; the test restarts it, like an operator. */
async function waitForRecovery(server: PostgresServer, trial: Trial): Promise<void> {
  const { acknowledged } = trial;
  const freedAt = performance.now();
  const isBack = async () => {
    if (!server.isRunning) await server.resume();
    return trial.acknowledged > acknowledged;
  };
  await vi.waitUntil(isBack, { timeout: TIMEOUT_MS, interval: 5 });
  trial.slowestRecoveryMs = Math.max(trial.slowestRecoveryMs, performance.now() - freedAt);
}

function crashesOf({ log }: PostgresServer): number {
  return log.split('PANIC:').length - 1;
}
