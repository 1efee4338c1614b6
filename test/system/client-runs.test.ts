import { AccountSync, NotFoundError, RefusedError } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all } from '../client/scripted-server.js';
import { freshDirectory, runJson, Service } from '../support/service.js';

let service: Service;
let client: AccountSync;
let crm: AccountSync;
let keyId: string;
beforeAll(async () => {
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  client = new AccountSync({ url: service.url, key: service.key });
  const made = await runJson(
    service.settings,
    ...['key', 'create', 'default', '--label', 'crm', '--scope', 'sync', 'read'],
  );
  crm = new AccountSync({ url: service.url, key: made.key });
  keyId = made.id;
});
afterAll(() => service.stopAndRemove());

const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const run = (id: string, given: object = {}) => ({
  id,
  source: 'crm',
  kind: 'explicit',
  mode: 'upsert',
  state: 'finished',
  key_id: keyId,
  user: null,
  started_at: TIMESTAMP,
  ended_at: TIMESTAMP,
  last_request_at: TIMESTAMP,
  requests: 0,
  failed_requests: 0,
  created: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  unchanged: 0,
  skipped: 0,
  kept: 0,
  rejected: 0,
  missing: null,
  undo: null,
  ...given,
});

describe('a run', () => {
  it('gathers upserts, chunks and imports of both kinds, and can be read', async () => {
    const opened = await crm.openRun();
    const { id } = opened;
    expect(opened).toEqual({ ...run(id, { state: 'open', ended_at: null }), undone_by: null, fields: [] });
    await crm.upsert({ account_id: 'one', licenses: 1 }, { run: id });
    await crm.upsert({ account_id: 'outside' });
    const records = [
      { account_id: 'two', licenses: 2 },
      { account_id: 'three', licenses: 'x' },
      { account_id: 'four' },
    ];
    expect(await all(crm.upsertMany(records, { run: id, chunkSize: 2 }))).toHaveLength(3);
    for await (const results of crm.upsertChunks([[{ account_id: 'five' }]], { run: id })) {
      expect(results).toMatchObject([{ account_id: 'five', status: 'created' }]);
    }
    for (const streaming of [true, false]) {
      const lines = [{ account_id: 'one', licenses: 1 }, { account_id: `six-${streaming}` }];
      const { created, unchanged } = await crm.import(lines, { run: id, streaming }).finish();
      expect([created, unchanged]).toEqual([1, 1]);
    }
    const finished = await crm.finishRun(id);
    const counts = { requests: 6, created: 6, unchanged: 2, rejected: 1 };
    expect(finished).toEqual({
      ...run(id, counts),
      undone_by: null,
      fields: [{ field: 'licenses', changes: 2 }],
    });
    expect(await crm.run(id)).toEqual(finished);
    expect(await client.run(id)).toEqual(finished);
    const changes = await all(crm.changes({ run: id }));
    expect(changes.map(({ account_id, source, run_id }) => [account_id, source, run_id])).toEqual(
      ['one', 'two', 'four', 'five', 'six-true', 'six-false'].map((account) => [account, 'crm', id]),
    );
    const [first] = changes;
    expect(await all(crm.changes({ requestId: first?.request_id ?? '' }))).toEqual([first]);
    expect(await all(crm.changes({ run: id, after: changes[4]?.cursor ?? '' }))).toEqual(changes.slice(5));
    expect(await all(crm.changes({ run: id, source: 'default' }))).toEqual([]);
    expect(await all(crm.changes({ source: 'crm', keyId }))).toHaveLength(7);
    expect((await all(crm.history('one')))[0]).toMatchObject({ source: 'crm', run_id: id });
  });

  it.each(['update-only', 'create-only'] as const)('can be %s, in every call', async (mode) => {
    const [old, young] = [`${mode}-old`, `${mode}-new`];
    await crm.upsert({ account_id: old, licenses: 1 });
    const { id, ...opened } = await crm.openRun({ mode });
    expect(opened).toMatchObject({ mode, skipped: 0, kept: 0 });
    const skipped = mode === 'update-only' ? young : old;
    const options = { run: id };
    const requestId = expect.any(String);
    const record = { account_id: skipped, licenses: 7 };
    expect(await crm.upsert(record, options)).toEqual({ result: 'skipped', requestId, kept: [] });
    const result = { index: 0, account_id: skipped, status: 'skipped', changed: [] };
    expect(await all(crm.upsertMany([record], options))).toEqual([result]);
    expect(await all(crm.upsertChunks([[record]], options))).toEqual([[result]]);
    for (const streaming of [true, false]) {
      const imported = crm.import([record], { ...options, streaming });
      expect(await all(imported)).toEqual([result]);
      expect(imported.summary).toEqual({
        records: 1,
        created: 0,
        updated: 0,
        unchanged: 0,
        skipped: 1,
        failed: 0,
        kept: 0,
        dry_run: false,
        is_complete: true,
        problem: null,
      });
    }
    expect(await crm.finishRun(id)).toEqual({
      ...run(id, { mode, requests: 5, skipped: 5 }),
      undone_by: null,
      fields: [],
    });
    const account = await crm.get(skipped);
    expect(account?.fields).toEqual(mode === 'update-only' ? undefined : { licenses: 1 });
  });

  it('can have imports with another mode than its own', async () => {
    const { id } = await crm.openRun({ mode: 'update-only' });
    const record = { account_id: 'other-mode', licenses: 1 };
    const statuses = async (results: AsyncIterable<{ status: string }>) =>
      (await all(results)).map(({ status }) => status);
    expect(await statuses(crm.upsertMany([record], { run: id }))).toEqual(['skipped']);
    expect(await statuses(crm.import([record], { dryRun: true, mode: 'update-only' }))).toEqual(['skipped']);
    expect(await statuses(crm.upsertMany([record], { run: id, mode: 'create-only' }))).toEqual(['created']);
    const chunks = await all(crm.upsertChunks([[record]], { run: id, mode: 'upsert' }));
    expect(chunks.flat().map(({ status }) => status)).toEqual(['unchanged']);
    expect(await statuses(crm.import([record], { run: id, mode: 'create-only' }))).toEqual(['skipped']);
    expect(await crm.finishRun(id)).toMatchObject({
      mode: 'update-only',
      created: 1,
      unchanged: 1,
      skipped: 2,
    });
  });

  it('counts the values of fields that another source owns, which each call names', async () => {
    const owned = ['licenses', 'custom_Größe'];
    for (const name of owned) {
      await runJson(
        service.settings,
        ...['attribute', 'set', 'default', name, '--type', 'integer'],
        ...['--owner', 'default', '--others', 'keep'],
      );
      const record = { account_id: 'never-stored', [name]: 7 };
      await expect.poll(async () => (await crm.import([record], { dryRun: true }).finish()).kept).toBe(1);
    }
    const { id } = await crm.openRun();
    const record = {
      account_id: 'owned',
      name: 'Owned',
      ...Object.fromEntries(owned.map((name) => [name, 7])),
    };
    const { result, kept } = await crm.upsert(record, { run: id });
    expect([result, [...kept].sort()]).toEqual(['created', [...owned].sort()]);
    for (const results of [
      await all(crm.upsertMany([record], { run: id })),
      await all(crm.import([record], { run: id })),
    ]) {
      expect(results).toEqual([
        { index: 0, account_id: 'owned', status: 'unchanged', changed: [], kept: expect.any(Array) },
      ]);
    }
    expect(await crm.finishRun(id)).toMatchObject({ created: 1, unchanged: 2, kept: 6, rejected: 0 });
    expect((await crm.get('owned'))?.fields).toEqual({});
    const owner = { source: 'default', others: 'keep' };
    const { data } = await client.attributes();
    expect(data.filter(({ owner }) => owner !== null)).toMatchObject(owned.map((name) => ({ name, owner })));
    for (const name of owned)
      await runJson(service.settings, 'attribute', 'set', 'default', name, '--no-owner');
  });

  it('is listed newest first, in pages, by source, state and time', async () => {
    const [one, two, three] = [await client.openRun(), await client.openRun(), await client.openRun()];
    await client.finishRun(one.id);
    await client.finishRun(two.id, { abandon: true });
    const listed = async (filter: Parameters<AccountSync['runs']>[0]) =>
      (await all(client.runs(filter))).map(({ id }) => id);
    const own = { source: 'default' } as const;
    expect(await listed(own)).toEqual([three.id, two.id, one.id]);
    expect(await listed({ ...own, limit: 1 })).toEqual([three.id, two.id, one.id]);
    expect(await listed({ ...own, state: 'open' })).toEqual([three.id]);
    expect(await listed({ ...own, state: 'abandoned' })).toEqual([two.id]);
    expect(await listed({ ...own, until: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect(await listed({ ...own, since: one.started_at })).toContain(one.id);
    expect((await listed({})).length).toBeGreaterThan(3);
    const [newest] = await all(client.runs({ ...own, state: 'abandoned' }));
    const {
      fields: _fields,
      undone_by: _undoneBy,
      ...details
    } = (await client.run(two.id)) ?? { fields: [], undone_by: null };
    expect(newest).toEqual(details);
  });

  it('that cannot be used rejects every call that names it, and stores nothing', async () => {
    const ended = await crm.openRun();
    await crm.finishRun(ended.id);
    const other = await client.openRun();
    const record = { account_id: 'never' };
    for (const [id, status, code] of [
      [ended.id, 409, 'run_ended'],
      [other.id, 409, 'run_of_other_source'],
      ['999999999', 404, 'run_not_found'],
      ['no/id?', 404, 'run_not_found'],
    ] as const) {
      const calls = [
        () => crm.import([record], { run: id, streaming: true }).finish(),
        () => crm.import([record], { run: id, streaming: false }).finish(),
        () => all(crm.upsertMany([record], { run: id })),
      ];
      for (const call of calls) await expect(call()).rejects.toMatchObject({ status, code });
      // Responses of /api/v1_1 have no code.
      const upsert = await crm.upsert(record, { run: id }).catch((error: unknown) => error);
      expect(upsert).toBeInstanceOf(RefusedError);
      expect(upsert).toMatchObject({ status });
      if (id !== ended.id) await expect(crm.finishRun(id)).rejects.toMatchObject({ status, code });
    }
    expect(await crm.get('never')).toBeUndefined();
    expect(await crm.run('999999999')).toBeUndefined();
    expect(await crm.run('no/id?')).toBeUndefined();
    await expect(crm.finishRun('999999999')).rejects.toBeInstanceOf(NotFoundError);
  });
});

it('sources are listed with their latest runs', async () => {
  const id = (await crm.openRun()).id;
  const { fields: _fields, undone_by: _undoneBy, ...finished } = await crm.finishRun(id);
  const [first, second, ...rest] = await client.sources();
  expect(first).toEqual({
    name: 'crm',
    label: 'crm',
    expect_every_seconds: null,
    grace_seconds: 0,
    is_tracked: false,
    is_late: false,
    last_finished_at: finished.ended_at,
    next_expected_at: null,
    created_at: TIMESTAMP,
    recent_runs: expect.arrayContaining([finished]),
  });
  expect(first?.recent_runs[0]).toEqual(finished);
  expect([second?.name, rest]).toEqual(['default', []]);
});
