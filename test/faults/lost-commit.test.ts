import { expect, it, onTestFinished, vi } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { type CommitFault, CommitFaultProxy } from './commit-fault-proxy.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { StoredAccounts } from './stored-accounts.js';
import { Trial } from './trial.js';

/** Whether the data is stored when the caller receives the failure; `undefined` if that is not determined yet. */
const STORED: Readonly<Record<CommitFault, boolean | undefined>> = {
  commit: false,
  response: true,
  connection: undefined,
};

it('reports no success for a commit without a response, and accepts the request again', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const proxy = await CommitFaultProxy.start(server.port);
  onTestFinished(() => proxy.close());
  const trial = new Trial('PostgreSQL: the response to a commit is lost', { short: 10, long: 400 });
  const service = await ServiceUnderLoad.start(
    database.replace(`:${server.port}/`, `:${proxy.port}/`),
    trial,
  );
  const { caller } = service;
  const stored = await StoredAccounts.open(database, trial);
  onTestFinished(() => stored.close());
  const unchanged = { account_id: 'unchanged' };
  await caller.post(unchanged, 'before');
  await trial.run(async (round) => {
    for (const fault of ['commit', 'response', 'connection'] as const) {
      const ids = Array.from({ length: 1 + (round % 3) }, (_, i) => `${fault}-${round}-${i}`);
      const records = ids.map((account_id) => ({ account_id, licenses: round }));
      // A batch that leaves a record unchanged is written in a transaction block, others with one statement.
      const sent = round % 2 === 0 ? [...records, unchanged] : records;
      const body = sent.length === 1 ? (sent[0] ?? {}) : sent;
      proxy.next = { fault, text: ids[0] ?? '' };
      expect(await caller.post(body, 'first')).toEqual({ success: false });
      expect(proxy.next).toBe(undefined);
      for (const id of STORED[fault] === undefined ? [] : ids) {
        expect((await stored.read(id)) !== undefined).toBe(STORED[fault]);
      }
      const again = await vi.waitUntil(
        async () => {
          const response = await caller.post(body, 'second');
          // On a machine that stalls, no connection may be ready in time.
          return response.success && response;
        },
        { timeout: 30_000 },
      );
      expect(again).toMatchObject({ success: true, updated: 0 });
      for (const id of ids) {
        const found = await stored.read(id);
        expect(found?.account.fields).toEqual({ licenses: round });
        expect(found?.history).toHaveLength(1);
      }
    }
  });
  expect([stored.problems, trial.unexpected]).toEqual([[], []]);
  await service.end();
  trial.figures['commits cut'] = proxy.faults;
});
