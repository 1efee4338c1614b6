import { mkdirSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { owner } from '../support/postgres/binaries.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { SmallDisk, whyNoSmallDisk } from './small-disk.js';
import { Trial } from './trial.js';

const LONGEST_MS = 60_000;
const ATTEMPTS = 20;
/** What of the disk PostgreSQL has for itself beside what it starts with. */
const MIB = 160;
const SMALL = {
  min_wal_size: '32MB',
  max_wal_size: '48MB',
  wal_recycle: 'off',
  shared_buffers: '16MB',
  autovacuum: 'off',
};

// In a namespace of his own everybody is root, and PostgreSQL refuses to run.
const reason = whyNoSmallDisk() ?? (owner === undefined ? 'it takes root' : undefined);
const name = 'a server goes on by itself after the disk of PostgreSQL was full, and has lost nothing';

it.skipIf(reason)(reason === undefined ? name : `${name} (left out: ${reason})`, async () => {
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
      await vi.waitUntil(() => trial.failed >= failed + 64, { timeout: LONGEST_MS, interval: 5 });
      // PostgreSQL may have crashed by itself by now.
      const ready = await (await fetch(`${service.caller.url}/readyz`)).text();
      expect(ready).toMatch(/Nothing can be stored: the disk|The database does not answer/);
      if (round % 2 === 1) await breakDown(server);
      disk?.free();
      await comesBack(server, trial);
    });
  });
  await service.end();
  trial.figures['crashes of PostgreSQL'] = crashesOf(server);
  expect(server.log).toContain('No space left on device');
});

/** Asks for what it cannot go on without: another file of its write-ahead log, a checkpoint. Mostly that is a crash. */
async function breakDown(server: PostgresServer): Promise<void> {
  const before = crashesOf(server);
  for (let tried = 0; tried < ATTEMPTS && crashesOf(server) === before; tried += 1) {
    await server.query('select pg_switch_wal()').catch(() => {});
    await server.query('checkpoint').catch(() => {});
  }
}

/** Where even its recovery finds no room PostgreSQL ends; the test starts it, as whoever looks after it would. */
async function comesBack(server: PostgresServer, trial: Trial): Promise<void> {
  const { acknowledged } = trial;
  const freedAt = performance.now();
  const isBack = async () => {
    if (!server.isRunning) await server.resume();
    return trial.acknowledged > acknowledged;
  };
  await vi.waitUntil(isBack, { timeout: LONGEST_MS, interval: 5 });
  trial.slowestRecoveryMs = Math.max(trial.slowestRecoveryMs, performance.now() - freedAt);
}

function crashesOf({ log }: PostgresServer): number {
  return log.split('PANIC:').length - 1;
}
