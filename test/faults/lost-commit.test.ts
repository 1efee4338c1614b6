import { expect, it, onTestFinished } from 'vitest';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { CommitCutter, type Loss } from './commit-cutter.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { StoredAccounts } from './stored-accounts.js';
import { Trial } from './trial.js';

/** What is stored when the caller is told of the failure; `undefined` where that may still be open. */
const STORED: Readonly<Record<Loss, boolean | undefined>> = {
  commit: false,
  answer: true,
  connection: undefined,
};

it('never calls a commit a success whose answer it has not seen, and takes the request again', async () => {
  const server = await PostgresServer.start();
  onTestFinished(() => server.remove());
  const database = await server.createDatabase();
  const cutter = await CommitCutter.start(server.port);
  onTestFinished(() => cutter.close());
  const trial = new Trial('PostgreSQL: the answer to a commit is lost', { short: 10, long: 400 });
  const service = await ServiceUnderLoad.start(
    database.replace(`:${server.port}/`, `:${cutter.port}/`),
    trial,
  );
  const { caller } = service;
  const stored = await StoredAccounts.open(database, trial);
  onTestFinished(() => stored.close());
  await trial.run(async (round) => {
    for (const loss of ['commit', 'answer', 'connection'] as const) {
      const ids = Array.from({ length: 1 + (round % 3) }, (_, i) => `${loss}-${round}-${i}`);
      const records = ids.map((account_id) => ({ account_id, licenses: round }));
      const body = records.length === 1 ? (records[0] ?? {}) : records;
      cutter.next = { loss, text: ids[0] ?? '' };
      expect(await caller.post(body, 'first')).toEqual({ success: false });
      expect(cutter.next).toBe(undefined);
      for (const id of STORED[loss] === undefined ? [] : ids) {
        expect((await stored.read(id)) !== undefined).toBe(STORED[loss]);
      }
      const again = await caller.post(body, 'second');
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
  trial.figures['commits cut'] = cutter.cuts;
});
