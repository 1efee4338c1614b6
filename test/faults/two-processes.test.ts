import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { freshDirectory, run, runJson, Service, start } from '../support/service.js';
import { Caller } from './caller.js';
import { FeedFollower } from './feed-follower.js';
import { KEY } from './killable-service.js';
import { LoadStatistics } from './load-statistics.js';
import { MixedLoad } from './mixed-load.js';
import { Trial } from './trial.js';

const DEMO_EVERY = 10;

describe('a second process on one SQLite file', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await freshDirectory();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const settingsIn = (name: string) => ({
    ACCOUNT_SYNC_DATA_DIR: join(directory, name),
    ACCOUNT_SYNC_LOG_LEVEL: 'silent',
    ACCOUNT_SYNC_API_KEY: KEY,
    ACCOUNT_SYNC_PORT: '0',
  });
  const lockError = (name: string) => ({
    status: 1,
    stdout: '',
    stderr: `Another account-sync server is using ${join(directory, name)}. Stop it first, or set ACCOUNT_SYNC_DATA_DIR to another directory.\n`,
  });
  const serve = async (name: string) => {
    const service = await Service.start(settingsIn(name));
    onTestFinished(async () => {
      await service.stop('SIGKILL');
    });
    return service;
  };

  it('cannot serve, also if both start concurrently; it can after the first is killed', async () => {
    const trial = new Trial('SQLite: two servers start concurrently', { short: 3, long: 100 });
    await trial.run(async (round) => {
      const data = `round-${round}`;
      const both = ['one', 'other'].map(() => start(['serve'], settingsIn(data)));
      const ends = await Promise.all(
        both.map(({ says, finished }) =>
          says('  API key  ').then(
            () => 'serves',
            () => finished,
          ),
        ),
      );
      expect(ends).toHaveLength(2);
      expect(ends).toContain('serves');
      expect(ends).toContainEqual(lockError(data));
      const first = both[ends.indexOf('serves')];
      first?.child.kill('SIGKILL');
      await first?.finished;
      const next = await serve(data);
      const response = await new Caller(next.url, KEY, trial).post({ account_id: 'acme' }, `round-${round}`);
      expect(response).toMatchObject({ created: 1 });
      await next.stop('SIGKILL');
      await rm(join(directory, data), { recursive: true, force: true });
    });
    expect(trial.unexpected).toEqual([]);
  });

  it('cannot serve the same directory through a link, but can serve a copy', async () => {
    const service = await serve('data');
    await symlink(join(directory, 'data'), join(directory, 'link'));
    expect(await run(['serve'], settingsIn('link'))).toEqual(lockError('link'));
    await cp(join(directory, 'data'), join(directory, 'copy'), { recursive: true });
    const copy = await serve('copy');
    for (const { url } of [service, copy]) {
      const response = await new Caller(url, KEY, new LoadStatistics()).post({ account_id: 'acme' }, 'same');
      expect(response).toMatchObject({ created: 1 });
    }
  });

  it('can run commands during load on the server, and neither fails', async () => {
    const trial = new Trial('SQLite: commands during load on the server', { short: 1, long: 30 });
    const settings = settingsIn('data');
    const { url } = await serve('data');
    const follower = new FeedFollower(trial);
    const timed = async (...args: string[]) => {
      const startedAt = performance.now();
      const response = await runJson(settings, ...args);
      const longest = trial.figures['longest command, ms'] ?? 0;
      trial.figures['longest command, ms'] = Math.max(longest, performance.now() - startedAt);
      return response;
    };
    await trial.run(async (round) => {
      const load = new MixedLoad(new Caller(url, KEY, trial), `round${round}`);
      const label = `round-${round}`;
      const host = `${label}.example.com`;
      const { id: keyId } = await timed('key', 'create', 'default', '--label', label);
      await timed('attribute', 'set', 'default', 'custom_Round', '--type', 'choice', '--choice', label);
      await timed('tenant', 'set', 'default', '--host', host);
      // Hundreds of requests, each of which competes with the load for the write lock.
      if (round % DEMO_EVERY === 0) {
        await timed('demo', '--accounts', '100');
        await timed('demo', '--remove');
      }
      await load.stop();
      const store = await openStore({ database: `sqlite:${settings.ACCOUNT_SYNC_DATA_DIR}` });
      const { id = 0, hosts, attributes } = (await store.directory.findTenant({ name: 'default' })) ?? {};
      const { choices } = attributes?.find(({ name }) => name === 'custom_Round') ?? {};
      const key = await store.directory.keys.get(id, keyId);
      expect([hosts, choices, key?.label]).toEqual([[host], [label], label]);
      await follower.follow(store, id);
      follower.compare(load.sent);
      const audit = new Set(
        (await store.directory.audit(id, undefined, 10_000)).map((entry) => entry.requestId),
      );
      expect(load.configured.filter(({ requestId }) => !audit.has(requestId))).toEqual([]);
      await store.close();
    });
    expect([follower.problems, trial.unexpected, trial.failed]).toEqual([[], [], 0]);
  });
});
