import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { freshDirectory, Service } from '../support/service.js';
import { canTraceSystemCalls, type SystemCall, traceSystemCalls } from '../support/system-calls.js';

const BATCH = Array.from({ length: 50 }, (_, i) => ({ account_id: `batch-${i}`, name: 'Acme' }));
const REQUESTS = [
  ['an account', 'account', { account_id: 'single', name: 'Acme' }],
  ['a batch', 'accounts', BATCH],
] as const;
const SUCCESS = { status: 200, text: '{"success":true}' };
const FAILURE = {
  status: 500,
  text: '{"success":false,"errors":["Internal Server Error. Please Connect to Customer Support."],"errors_by_attributes":[]}',
};

async function post({ url, key }: Service, path: string, body: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}/api/v1_1/${path}`, init);
  const requestId = response.headers.get('x-request-id') ?? '';
  return { requestId, answer: { status: response.status, text: await response.text() } };
}

/**
 * Waits until the run has counted all requests and new accounts so far. They are stored up to a second later, which would
 * be a write among those that are traced.
 */
async function counted({ url, key }: Service, requests: number, created: number): Promise<void> {
  const runs = async () => {
    const response = await fetch(`${url}/api/v2/runs`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await response.json()) as { data: { requests: number; created: number }[] };
    return data.map((run) => [run.requests, run.created]);
  };
  await expect.poll(runs, { timeout: 30_000 }).toEqual([[requests, created]]);
}

/** The durability step of a system call: a sync counts when it ends, everything else when it starts. */
function stepOf({ name, args, result, begun, ended }: SystemCall) {
  const isOfLog = /^\d+<[^>]*-wal>/.test(args);
  if (isOfLog && name.endsWith('sync')) return { step: result === '0' ? 'sync' : 'no sync', args, at: ended };
  if (isOfLog) return { step: 'write', args, at: begun };
  if (args.includes('"HTTP/1.1 200 ')) return { step: '200', args, at: begun };
  return [];
}

const stepsOf = (calls: readonly SystemCall[]) => calls.flatMap(stepOf).sort((a, b) => a.at - b.at);

/** The names of the steps, without consecutive duplicates. */
const storyOf = (steps: readonly { step: string }[]) =>
  steps.map(({ step }) => step).filter((step, i, all) => step !== all[i - 1]);

// Without system call tracing, `test/store/sqlite.test.ts` still checks the settings of the connections.
describe.skipIf(!(await canTraceSystemCalls()))(
  'a 200 of a server on SQLite, traced by strace where that may attach',
  () => {
    let service: Service;
    beforeEach(async () => {
      service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
      // The first request of a source also starts its run.
      await post(service, 'account', { account_id: 'first' });
      await counted(service, 1, 1);
    });
    afterEach(() => service.stopAndRemove());

    // The sync is slowed down, so that a response that does not wait for it is sent first.
    const trace = (action: () => Promise<unknown>) =>
      traceSystemCalls(service.pid, 'delay_exit=100000', action);

    it.each(REQUESTS)('for %s is sent after its write is synced', async (_what, path, body) => {
      const calls = await trace(async () => {
        expect((await post(service, path, body)).answer).toEqual(SUCCESS);
      });
      expect(storyOf(stepsOf(calls))).toEqual(['write', 'sync', '200']);
    });

    it.each(REQUESTS)('for %s that changes nothing needs no sync', async (_what, path, body) => {
      await post(service, path, body);
      await counted(service, 2, 1 + (Array.isArray(body) ? body.length : 1));
      const calls = await trace(async () => {
        expect((await post(service, path, body)).answer).toEqual(SUCCESS);
      });
      expect(storyOf(stepsOf(calls))).toEqual(['200']);
    });

    it('among concurrent requests is sent after its own write is synced', async () => {
      const requestIds: string[] = [];
      const caller = async (name: number) => {
        for (const account_id of ['a', 'b', 'c'].map((id) => `${id}-${name}`)) {
          const { answer, requestId } = await post(service, 'account', { account_id });
          expect(answer).toEqual(SUCCESS);
          requestIds.push(requestId);
        }
      };
      const callers = Array.from({ length: 8 }, (_, i) => i);
      const steps = stepsOf(await trace(() => Promise.all(callers.map(caller))));
      const stories = requestIds.map((requestId) => {
        const own = steps.filter(({ step, args }) => step === 'sync' || args.includes(requestId));
        // The history contains the request id; later transactions write its page again.
        const written = own.findIndex(({ step }) => step === 'write');
        const answered = own.findIndex(({ step }) => step === '200');
        return storyOf(own.slice(written, answered + 1).filter(({ step }, i) => i === 0 || step !== 'write'));
      });
      expect(stories).toEqual(Array.from({ length: 24 }, () => ['write', 'sync', '200']));
    });

    it('is not sent if the sync fails', async () => {
      const [[, path, body]] = REQUESTS;
      const calls = await traceSystemCalls(service.pid, 'error=EIO', async () => {
        expect((await post(service, path, body)).answer).toEqual(FAILURE);
      });
      expect(storyOf(stepsOf(calls))).toEqual(['write', 'no sync']);
      expect((await post(service, path, body)).answer).toEqual(SUCCESS);
    });
  },
);

describe('a 200 of a server on a PostgreSQL that defers its syncs by default', () => {
  let postgres: PostgresServer;
  let database: string;
  let service: Service;
  beforeAll(async () => {
    postgres = await PostgresServer.start({
      synchronous_commit: 'off',
      // PostgreSQL syncs late by default here, and a commit that waits for its sync waits long, so the test cannot pass
      // by luck.
      wal_writer_delay: '10s',
      autovacuum: 'off',
      commit_delay: 100_000,
      commit_siblings: 0,
    });
    database = await postgres.createDatabase();
    service = await Service.start({ DATABASE_URL: database });
  });
  afterAll(async () => {
    await service.stop();
    await postgres.remove();
  });

  it.each(REQUESTS)('for %s is sent after its write is synced', async (_what, path, body) => {
    const [before] = await postgres.query('select pg_current_wal_insert_lsn() as lsn');
    expect((await post(service, path, body)).answer).toEqual(SUCCESS);
    expect(await postgres.query(`select pg_current_wal_flush_lsn() > '${before?.lsn}' as synced`)).toEqual([
      { synced: true },
    ]);
  });

  it('survives a kill of PostgreSQL right after it', async () => {
    expect((await post(service, 'account', { account_id: 'last', name: 'Acme' })).answer).toEqual(SUCCESS);
    await postgres.stop('SIGKILL');
    await postgres.resume();
    const store = await openStore({ database });
    const { id = 0 } = (await store.directory.findTenant({ name: 'default' })) ?? {};
    expect(await store.accounts.find(id, 'last')).toEqual({
      accountId: 'last',
      fields: { name: 'Acme' },
      revision: 1,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      archivedAt: null,
      deletedAt: null,
    });
    await store.close();
  });
});
