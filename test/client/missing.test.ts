import { AccountSync, NotFoundError, RefusedError } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDirectory, runJson, Service } from '../support/service.js';
import { all } from './scripted-server.js';

let service: Service;
let dataDir: string;
let sources = 0;
beforeAll(async () => {
  dataDir = await freshDirectory();
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir });
});
afterAll(() => service.stopAndRemove());

/** A client with a key of its own source, which has pushed `<source>-1` up to `<source>-<count>` in a run. */
async function clientOfSource(count: number) {
  sources += 1;
  const source = `source-${sources}`;
  const args = ['key', 'create', 'default', '--label', source, '--scope', 'sync', 'read', 'admin'];
  const { key } = await runJson({ ACCOUNT_SYNC_DATA_DIR: dataDir }, ...args);
  const client = new AccountSync({ url: service.url, key });
  const ids = Array.from({ length: count }, (_, i) => `${source}-${String(i + 1).padStart(4, '0')}`);
  const push = async (some: readonly string[], run: string) => {
    const records = some.map((account_id) => ({ account_id, name: `Name of ${account_id}` }));
    for await (const { status } of client.upsertMany(records, { run })) expect(status).not.toBe('failed');
  };
  const { id } = await client.openRun({ missing: 'report' });
  await push(ids, id);
  await client.finishRun(id);
  return { client, source, ids, push };
}

const caught = (action: Promise<unknown>) =>
  action.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a run that asks for missing accounts', () => {
  it('lists, archives and counts them', async () => {
    const { client, source, ids, push } = await clientOfSource(3);
    const opened = await client.openRun({ missing: 'archive' });
    expect(opened).toMatchObject({
      source,
      state: 'open',
      missing: { action: 'archive', accounts: null, of: null },
    });
    await push(ids.slice(1), opened.id);
    const [gone = ''] = ids;
    expect(await all(client.missing(opened.id))).toEqual([{ account_id: gone, name: `Name of ${gone}` }]);
    const finished = await client.finishRun(opened.id, { maxMissingPercent: 34 });
    const missing = { action: 'archive', accounts: 1, of: 3 };
    expect(finished).toMatchObject({ state: 'finished', archived: 1, missing });
    expect(await client.run(opened.id)).toEqual(finished);
    expect(await all(client.missing(opened.id))).toEqual([]);
    expect(await client.get(gone)).toMatchObject({ archived_at: expect.any(String) });
    const found = (await client.sources()).find(({ name }) => name === source);
    expect(found).toMatchObject({ is_tracked: true });
  });

  it('reports by default once its source is tracked, and not if it says so', async () => {
    const { client, ids, push } = await clientOfSource(2);
    const reporting = await client.openRun();
    await push(ids.slice(1), reporting.id);
    expect((await client.finishRun(reporting.id)).missing).toEqual({ action: 'report', accounts: 1, of: 2 });
    const ignoring = await client.openRun({ missing: 'ignore' });
    expect((await client.finishRun(ignoring.id)).missing).toBeNull();
  });

  it('is refused if too many are missing, and then finished or abandoned', async () => {
    const { client, ids } = await clientOfSource(2);
    const { id } = await client.openRun({ missing: 'archive' });
    const refused = await caught(client.finishRun(id));
    expect(refused).toBeInstanceOf(RefusedError);
    expect(refused).toMatchObject({ status: 409, code: 'too_many_missing' });
    expect(await client.finishRun(id, { abandon: true })).toMatchObject({
      state: 'abandoned',
      archived: 0,
      missing: { action: 'archive', accounts: null, of: null },
    });
    const other = await client.openRun({ missing: 'archive' });
    expect(await client.finishRun(other.id, { maxMissingPercent: 100 })).toMatchObject({ archived: 2 });
    expect(await Promise.all(ids.map(async (one) => (await client.get(one))?.archived_at))).toEqual([
      expect.any(String),
      expect.any(String),
    ]);
  });

  it('lists more than a page', async () => {
    const { client, ids } = await clientOfSource(2_100);
    const { id } = await client.openRun({ missing: 'report' });
    const found = await all(client.missing(id));
    expect(found.map(({ account_id }) => account_id)).toEqual(ids);
  });

  it('fails for runs that do not exist or do not ask, and for a share that is none', async () => {
    const { client } = await clientOfSource(1);
    expect(await caught(all(client.missing('999999999')))).toBeInstanceOf(NotFoundError);
    const { id } = await client.openRun({ missing: 'ignore' });
    const unasked = await caught(all(client.missing(id)));
    expect(unasked).toBeInstanceOf(RefusedError);
    expect(unasked).toMatchObject({ status: 409, code: 'missing_not_asked' });
    for (const maxMissingPercent of [-1, 101])
      expect(await caught(client.finishRun(id, { maxMissingPercent }))).toMatchObject({ status: 400 });
    expect(await client.run(id)).toMatchObject({ state: 'open' });
  });
});
