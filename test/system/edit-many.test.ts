import { AccountSync } from '@account-sync/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { all } from '../client/scripted-server.js';
import { type Database, databases } from '../support/databases.js';
import { Service } from '../support/service.js';
import { problemsIn } from '../support/verified.js';
import { beginStream } from './begin-stream.js';

const ACCOUNTS = 6_000;
/** Early, so that the edit is not over before it is interrupted. */
const MATCHED = 500;
const TIMEOUT_MS = 180_000;

describe.each(databases)('an edit of many accounts on %s', (_name, createDatabase) => {
  let database: Database;
  let service: Service;
  let client: AccountSync;
  let key: string;
  beforeEach(async () => {
    database = await createDatabase();
    service = await startService();
    ({ key } = service);
    client = new AccountSync({ url: service.url, key });
    const records = Array.from({ length: ACCOUNTS }, (_, i) => ({ account_id: `a-${i}`, name: 'before' }));
    expect(await client.import(records).finish()).toMatchObject({ created: ACCOUNTS });
  }, TIMEOUT_MS);
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
  const begin = (signal?: AbortSignal) =>
    beginStream(
      `${service.url}/api/v2/accounts/edit`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ matching: {}, set: { name: 'edited' } }),
        ...(signal && { signal }),
      },
      (text) => Number([...text.matchAll(/"matched":(\d+)/g)].at(-1)?.[1]) >= MATCHED,
    );
  const edited = async () => {
    const accounts = await all(client.list({ limit: 1_000 }));
    expect(accounts).toHaveLength(ACCOUNTS);
    expect(accounts.filter(({ name }) => !['before', 'edited'].includes(String(name)))).toEqual([]);
    return accounts.filter(({ name }) => name === 'edited').length;
  };
  const runOfEdit = async () => {
    const [run] = (await all(client.runs())).filter(({ mode }) => mode === 'update-only');
    return run?.id ?? '';
  };
  /** The run has what was changed, and no more, and takes it back. */
  const expectUndoable = async () => {
    const count = await edited();
    expect(count).toBeGreaterThanOrEqual(MATCHED);
    expect(count).toBeLessThan(ACCOUNTS);
    const id = await runOfEdit();
    expect(await client.run(id)).toMatchObject({ state: 'abandoned', updated: count });
    expect(await client.undoRun(id)).toMatchObject({ updated: count, conflicts: 0, is_complete: true });
    expect(await edited()).toBe(0);
  };

  it(
    'can be undone after the service was stopped',
    async () => {
      const { rest } = await begin();
      const stopped = service.stop();
      const lines = (await rest()).trimEnd().split('\n');
      expect(await stopped).toBe(0);
      expect(JSON.parse(lines.at(-1) ?? '').summary).toMatchObject({
        is_complete: false,
        code: 'edit_interrupted',
      });
      await restart();
      await expectUndoable();
    },
    TIMEOUT_MS,
  );

  it(
    'can be undone after its caller has disconnected',
    async () => {
      const stop = new AbortController();
      await begin(stop.signal);
      stop.abort();
      await vi.waitFor(
        async () => expect(await client.run(await runOfEdit())).toMatchObject({ state: 'abandoned' }),
        { timeout: 30_000, interval: 50 },
      );
      await expectUndoable();
    },
    TIMEOUT_MS,
  );

  it(
    'can be abandoned and undone after the service was killed, and loses no acknowledged change',
    async () => {
      const { rest } = await begin();
      await service.stop('SIGKILL');
      await rest().catch(() => {});
      await restart();
      await client.finishRun(await runOfEdit(), { abandon: true });
      await expectUndoable();
    },
    TIMEOUT_MS,
  );

  it(
    'overwrites no change that others store meanwhile, and none is lost',
    async () => {
      const { rest } = await begin();
      const ids = Array.from({ length: 300 }, (_, i) => `a-${ACCOUNTS - 1 - i * 20}`);
      await Promise.all(ids.map((account_id) => client.upsert({ account_id, licenses: 7 })));
      const lines = (await rest())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      const { updated, rejected, is_complete } = lines.at(-1).summary;
      expect([updated + rejected, is_complete]).toEqual([ACCOUNTS, true]);
      expect(await edited()).toBe(updated);
      const others = await Promise.all(ids.map((id) => client.get(id)));
      expect(others.map((account) => account?.fields)).toEqual(ids.map(() => ({ licenses: 7 })));
    },
    TIMEOUT_MS,
  );
});
