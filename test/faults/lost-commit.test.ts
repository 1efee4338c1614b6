import { expect, it, onTestFinished } from 'vitest';
import { PostgresServer } from '../postgres/postgres-server.js';
import { CommitCutter, type Loss } from './commit-cutter.js';
import { ServiceUnderLoad } from './service-under-load.js';
import { StoredAccounts } from './stored-accounts.js';
import { CYCLES, Tally } from './tally.js';

const ROUNDS = 10 * CYCLES;
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
  const tally = new Tally();
  const service = await ServiceUnderLoad.start(
    database.replace(`:${server.port}/`, `:${cutter.port}/`),
    tally,
  );
  const { caller } = service;
  const stored = await StoredAccounts.open(database, tally);
  onTestFinished(() => stored.close());
  for (let round = 1; round <= ROUNDS; round += 1) {
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
  }
  expect([stored.problems, tally.unexpected]).toEqual([[], []]);
  await service.end();
  tally.print('commits cut', { cuts: cutter.cuts });
});
