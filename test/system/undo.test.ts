import { type AccountRecord, AccountSync, type UndoConflict, type UndoProgress } from '@account-sync/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { all, ScriptedServer } from '../client/scripted-server.js';
import { type Database, databases } from '../support/databases.js';
import { Service } from '../support/service.js';
import { problemsIn } from '../support/verified.js';
import { beginStream } from './begin-stream.js';
import { forward } from './forward.js';

const HALF = 10_000;
const WRITERS = 3;
const TIMEOUT_MS = 180_000;

describe.each(databases)('the undo of a large run on %s', (_name, createDatabase) => {
  let database: Database;
  let service: Service;
  let client: AccountSync;
  let key: string;
  beforeEach(async () => {
    database = await createDatabase();
    service = await startService();
    ({ key } = service);
    client = new AccountSync({ url: service.url, key });
  });
  afterEach(async () => {
    await service.stop();
    expect(await problemsIn(database.url)).toEqual([]);
    await database.remove();
  });

  const startService = () => Service.start({ ...database.settings, ACCOUNT_SYNC_LOG_LEVEL: 'silent' });
  const restart = async () => {
    service = await startService();
    client = new AccountSync({ url: service.url, key });
  };
  const numbered = (count: number, record: (index: number) => AccountRecord) =>
    Array.from({ length: count }, (_, index) => record(index));
  /** Imports each list as one request of a new run; returns the id of the run. */
  const runOf = async (...requests: readonly (readonly AccountRecord[])[]) => {
    const { id } = await client.openRun();
    for (const records of requests) {
      const { failed } = await client.import(records, { run: id }).finish();
      expect(failed).toBe(0);
    }
    await client.finishRun(id);
    return id;
  };
  /** The values of all accounts, by id. */
  const stored = async (): Promise<Map<string, Record<string, unknown>>> => {
    const accounts = await all(client.list({ archived: 'include', limit: 1_000 }));
    return new Map(
      accounts.map(({ account_id, name, fields, archived_at }) => [
        account_id,
        { name, ...fields, isArchived: archived_at !== null },
      ]),
    );
  };
  /** Begins an undo; resolves with its response when this many changes were examined, and not all. */
  const beginUndo = (id: string, examined: number, signal?: AbortSignal) =>
    beginStream(
      `${service.url}/api/v2/runs/${id}/undo`,
      { method: 'POST', headers: { authorization: `Bearer ${key}` }, ...(signal && { signal }) },
      (text) => Number([...text.matchAll(/"examined":(\d+)/g)].at(-1)?.[1]) >= examined,
    );

  it(
    'overwrites nothing that others store meanwhile',
    async () => {
      const old = numbered(HALF, (index) => ({ account_id: `old-${index}`, name: 'before', licenses: 1 }));
      await client.import(old).finish();
      const run = await runOf(
        old.map(({ account_id }) => ({ account_id, name: 'run', licenses: 2 })),
        numbered(HALF, (index) => ({ account_id: `new-${index}`, name: 'run' })),
      );
      const written = new Map<string, number>();
      const done = new AbortController();
      const started = new AbortController();
      const write = async (writer: number) => {
        for (let count = 0; !done.signal.aborted; count += 1) {
          // A writer has its own accounts, so that the last value is known.
          const index = (count * 37 * WRITERS + writer) % HALF;
          const account_id = `${count % 2 === 0 ? 'old' : 'new'}-${index - (index % WRITERS) + writer}`;
          const licenses = 1_000 + count;
          await client.upsert({ account_id, licenses });
          written.set(account_id, licenses);
          if (written.size > 30) started.abort();
        }
      };
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
      await vi.waitUntil(() => started.signal.aborted, { timeout: 30_000, interval: 5 });
      const before = written.size;
      const conflicts: UndoConflict[] = [];
      const progress: UndoProgress[] = [];
      const summary = await client.undoRun(run, {
        onConflict: (one) => void conflicts.push(one),
        onProgress: (one) => void progress.push(one),
      });
      const after = written.size;
      done.abort();
      await Promise.all(writers);
      expect(after).toBeGreaterThan(before);
      const undone = await client.run(summary.run_id ?? '');
      expect(summary).toEqual({
        run_id: expect.stringMatching(/^\d+$/),
        undoes: run,
        changes: 2 * HALF,
        updated: HALF,
        archived: undone?.archived,
        restored: 0,
        conflicts: conflicts.length,
        dry_run: false,
        is_complete: true,
        code: null,
        problem: null,
      });
      expect(undone).toMatchObject({ updated: HALF, state: 'finished', undo: { examined: 2 * HALF } });
      expect(progress.map(({ examined }) => examined)).toEqual(
        progress.map(({ examined }) => examined).sort((a, b) => a - b),
      );
      expect(progress.at(-1)).toMatchObject({ examined: 2 * HALF, conflicts: conflicts.length });
      const accounts = await stored();
      expect(accounts.size).toBe(2 * HALF);
      const wrong: unknown[] = [];
      for (const [id, { name, licenses, isArchived }] of accounts) {
        const own = written.get(id);
        const isRight = id.startsWith('old-')
          ? name === 'before' && licenses === (own ?? 1) && !isArchived
          : name === 'run' && licenses === own && isArchived === (own === undefined);
        if (!isRight) wrong.push([id, name, licenses, isArchived, own]);
      }
      expect(wrong).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'archives accounts that the run created and then changed twice, and can be undone',
    async () => {
      const records = (given: object) => numbered(3_000, (index) => ({ account_id: `a-${index}`, ...given }));
      const run = await runOf(
        records({ name: 'A', licenses: 1 }),
        records({ name: 'B', extra: [1] }),
        records({ name: 'C', licenses: null }),
      );
      const after = await stored();
      const dry = await client.undoRun(run, { dryRun: true });
      const summary = await client.undoRun(run);
      expect(summary).toMatchObject({ changes: 9_000, archived: 3_000, conflicts: 0, is_complete: true });
      expect(dry).toEqual({ ...summary, run_id: null, dry_run: true });
      expect(await all(client.list())).toEqual([]);
      const again = await client.undoRun(summary.run_id ?? '');
      expect(again).toMatchObject({ restored: 3_000, conflicts: 0, is_complete: true });
      expect(await stored()).toEqual(after);
    },
    TIMEOUT_MS,
  );

  describe('that is interrupted continues, and ends as one that was not', () => {
    const ACCOUNTS = 6_000;
    /** How often the run changes each account. */
    const TIMES = 3;
    /** Early, so that the undo is not over before it is interrupted. */
    const EXAMINED = 500;
    const CHANGES = (1 + TIMES) * ACCOUNTS;
    let run: string;
    let before: Map<string, unknown>;
    beforeEach(async () => {
      const records = (given: object) => numbered(ACCOUNTS, (i) => ({ account_id: `a-${i}`, ...given }));
      await client.import(records({ name: 'before', licenses: 0 })).finish();
      before = await stored();
      run = await runOf(
        numbered(ACCOUNTS, (index) => ({ account_id: `new-${index}` })),
        ...Array.from({ length: TIMES }, (_, time) => records({ name: `run ${time}`, licenses: time + 1 })),
      );
    }, TIMEOUT_MS);

    const expectUndone = async () => {
      const conflicts: UndoConflict[] = [];
      const summary = await client.undoRun(run, { onConflict: (one) => void conflicts.push(one) });
      expect(conflicts.slice(0, 3)).toEqual([]);
      const counts = { updated: ACCOUNTS, archived: ACCOUNTS, restored: 0 };
      expect(summary).toMatchObject({
        ...counts,
        undoes: run,
        changes: CHANGES,
        conflicts: 0,
        is_complete: true,
      });
      expect(await client.run(summary.run_id ?? '')).toMatchObject({
        ...counts,
        state: 'finished',
        undo: { changes: CHANGES, examined: CHANGES, conflicts: 0 },
      });
      const undos = (await all(client.runs())).filter(({ kind }) => kind === 'undo');
      expect(undos.map(({ id }) => id)).toEqual([summary.run_id]);
      const accounts = await stored();
      for (const id of accounts.keys()) if (id.startsWith('new-')) accounts.delete(id);
      expect(accounts).toEqual(before);
      expect(await all(client.list({ limit: 1_000 }))).toHaveLength(ACCOUNTS);
    };

    it(
      'when the service is stopped',
      async () => {
        const { rest } = await beginUndo(run, EXAMINED);
        const stopped = service.stop();
        const lines = (await rest()).trimEnd().split('\n');
        expect(await stopped).toBe(0);
        expect(JSON.parse(lines.at(-1) ?? '').summary).toMatchObject({
          is_complete: false,
          code: 'undo_interrupted',
          changes: CHANGES,
        });
        await restart();
        await expectUndone();
      },
      TIMEOUT_MS,
    );

    it(
      'when the service is killed',
      async () => {
        const { rest } = await beginUndo(run, EXAMINED);
        await service.stop('SIGKILL');
        await rest().catch(() => {});
        await restart();
        await expectUndone();
      },
      TIMEOUT_MS,
    );

    it(
      'when the caller disconnects',
      async () => {
        const stop = new AbortController();
        await beginUndo(run, EXAMINED, stop.signal);
        stop.abort();
        await expectUndone();
      },
      TIMEOUT_MS,
    );

    it(
      'when the connection of the client breaks',
      async () => {
        const proxy = await ScriptedServer.start([
          async (request, response) => {
            const pass = forward(service.url);
            const write = response.write.bind(response);
            response.write = ((chunk: Buffer, ...rest: []) => {
              if (/"examined":[1-9]/.test(String(chunk))) response.destroy();
              return write(chunk, ...rest);
            }) as typeof response.write;
            await pass(request, response);
          },
          forward(service.url),
          forward(service.url),
        ]);
        const progress: UndoProgress[] = [];
        const through = new AccountSync({ url: `http://127.0.0.1:${proxy.port}`, key });
        const summary = await through.undoRun(run, { onProgress: (one) => void progress.push(one) });
        await proxy.stop();
        expect(proxy.seen).toEqual([
          `POST /api/v2/runs/${run}/undo`,
          `GET /api/v2/runs/${summary.run_id}`,
          `POST /api/v2/runs/${run}/undo`,
        ]);
        expect(new Set(progress.map(({ run_id }) => run_id))).toEqual(new Set([summary.run_id]));
        const counts = { updated: ACCOUNTS, archived: ACCOUNTS, conflicts: 0, is_complete: true };
        expect(summary).toMatchObject(counts);
        const accounts = await stored();
        for (const id of accounts.keys()) if (id.startsWith('new-')) accounts.delete(id);
        expect(accounts).toEqual(before);
      },
      TIMEOUT_MS,
    );
  });
});
