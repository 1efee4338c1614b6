import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { metricsIn } from '../support/metrics-in.js';
import { readAnswer } from './import-request.js';
import { own, refusedBody } from './owned-fields.js';
import { finishRun, headersOf, importRecords, keyOf, run, type Sender, upsert } from './run-requests.js';
import { archive } from './undo-requests.js';
import { account, at, eventually, invalid, type Tenant, useServer } from './v2-server.js';

type Mode = 'upsert' | 'update-only' | 'create-only';

const MODES = 'must be one of upsert, update-only, create-only';

describe.each(databases)('modes on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const openIn = async (tenant: Tenant, mode: Mode, key?: string): Promise<string> => {
    const { status, body } = await tenant.call('POST', '/runs', { mode }, headersOf(tenant, { key }));
    expect([status, body.mode]).toEqual([201, mode]);
    return body.id;
  };
  const send = async (tenant: Tenant, body: unknown, sender: Sender = {}) => {
    const answer = await upsert(tenant, body, sender);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    return answer.headers['account-sync-result'];
  };
  const show = async (tenant: Tenant, id: string) => (await tenant.get(`/accounts/${id}`)).body;
  const finished = (tenant: Tenant, id: string, given: object) => ({
    ...run(tenant, id, { state: 'finished', ended_at: at(), ...given }),
    undone_by: null,
    fields: [],
  });

  it.each([
    [{ mode: 'update' }, { '/body/mode': MODES }],
    [{ mode: '' }, { '/body/mode': MODES }],
    [{ mode: null }, { '/body/mode': MODES }],
    [{ mode: 1 }, { '/body/mode': MODES }],
    [{ mode: ['upsert'] }, { '/body/mode': MODES }],
    [{ Mode: 'upsert' }, { '/body/Mode': 'is not known here' }],
  ])('do not open a run with %j', async (body, errors) => {
    const acme = await server.tenant();
    const answer = await acme.call('POST', '/runs', body);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
    expect((await acme.get('/runs')).body.data).toEqual([]);
  });

  it.each(['update', '', 'Upsert', 'null'])('do not begin an import with mode=%s', async (mode) => {
    const acme = await server.tenant();
    for (const query of [`?mode=${mode}`, `?dry_run=true&mode=${mode}`]) {
      const answer = await importRecords(acme, [{ account_id: 'a' }], { query });
      expect([answer.status, answer.body]).toEqual([400, invalid({ '/query/mode': MODES })]);
    }
    expect((await acme.get('/accounts')).body.data).toEqual([]);
  });

  it('are not known to the operations of the contract, whose query is ignored as before', async () => {
    const acme = await server.tenant();
    const answer = await server.inject({
      method: 'POST',
      url: '/api/v1_1/account?mode=update-only',
      headers: { ...headersOf(acme, {}), 'content-type': 'application/json' },
      payload: '{"account_id":"a"}',
    });
    expect([answer.status, answer.headers['account-sync-result']]).toEqual([200, 'created']);
  });

  it('count skipped records in the whole body of the run', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'old', name: 'Old' });
    server.now -= 1;
    const id = await openIn(acme, 'update-only');
    expect((await acme.get(`/runs/${id}`)).body).toMatchObject(run(acme, id, { mode: 'update-only' }));
    expect(await send(acme, { account_id: 'new' }, { run: id })).toBe('skipped');
    const batch = [{ account_id: 'new' }, { account_id: 'old', name: 'Old' }, { account_id: 'newer' }];
    expect(await send(acme, batch, { run: id })).toBe('created=0, updated=0, unchanged=1, skipped=2');
    const counts = { requests: 2, unchanged: 1, skipped: 3 };
    const body = finished(acme, id, { mode: 'update-only', ...counts });
    expect((await finishRun(acme, id)).body).toEqual(body);
    expect((await acme.get(`/runs/${id}`)).body).toEqual(body);
    expect((await acme.get('/accounts')).body.data).toHaveLength(1);
    expect((await acme.get(`/changes?run_id=${id}`)).body.data).toEqual([]);
  });

  it('skip an account that occurs twice once it exists, and not before', async () => {
    const acme = await server.tenant();
    const creating = await openIn(acme, 'create-only');
    const twice = [
      { account_id: 'a', name: 'First' },
      { account_id: ' A ', name: 'Second', licenses: 2 },
      { account_id: 'a', name: 'Third' },
    ];
    expect(await send(acme, twice, { run: creating })).toBe('created=1, updated=0, unchanged=0, skipped=2');
    expect(await show(acme, 'a')).toEqual(account('a', { name: 'First' }));
    const updating = await openIn(acme, 'update-only');
    const both = [
      { account_id: 'b', name: 'First' },
      { account_id: 'a', name: 'Fourth' },
      { account_id: 'b', name: 'Second' },
    ];
    expect(await send(acme, both, { run: updating })).toBe('created=0, updated=1, unchanged=0, skipped=2');
    expect((await acme.get('/accounts/b')).status).toBe(404);
  });

  it('know archived accounts as existing, and deleted ones as absent', async () => {
    const acme = await server.tenant();
    await archive(acme, { account_id: 'archived', name: 'Old' });
    await acme.sync({ account_id: 'deleted', name: 'Old' });
    await acme.call('DELETE', '/accounts/deleted');
    const archivedAt = async () => (await show(acme, 'archived')).archived_at;
    const before = await archivedAt();
    expect(before).not.toBeNull();
    const creating = { run: await openIn(acme, 'create-only') };
    expect(await send(acme, { account_id: 'archived', name: 'New' }, creating)).toBe('skipped');
    expect(await send(acme, [{ account_id: 'archived' }], creating)).toBe(
      'created=0, updated=0, unchanged=0, skipped=1',
    );
    expect([await archivedAt(), (await show(acme, 'archived')).name]).toEqual([before, 'Old']);
    const updating = { run: await openIn(acme, 'update-only') };
    expect(await send(acme, { account_id: 'deleted', name: 'New' }, updating)).toBe('skipped');
    expect((await acme.get('/accounts/deleted')).status).toBe(404);
    expect(await send(acme, { account_id: 'archived', name: 'New' }, updating)).toBe('updated');
    expect(await archivedAt()).toBeNull();
    expect(await send(acme, { account_id: 'deleted', name: 'New' }, creating)).toBe('created');
  });

  it('do not change what is rejected', async () => {
    const acme = await server.tenant();
    const id = await openIn(acme, 'update-only');
    const invalidRecord = { account_id: 'new', licenses: 'many' };
    const message = 'Account new, licenses has invalid integer value.';
    const single = await upsert(acme, invalidRecord, { run: id });
    expect([single.status, single.body]).toEqual([
      400,
      { success: false, errors: [message], errors_by_attributes: [{ licenses: [message] }] },
    ]);
    const batch = await upsert(acme, [{ account_id: 'other' }, invalidRecord], { run: id });
    expect(batch.body).toEqual({
      success: false,
      errors: [[], [message]],
      errors_by_attributes: [{}, { licenses: [message] }],
    });
    expect((await finishRun(acme, id)).body).toEqual(
      // All records of a batch that is not stored count as rejected.
      finished(acme, id, { mode: 'update-only', requests: 2, failed_requests: 2, rejected: 3 }),
    );
  });

  it('do not skip a record with a field of another source, but reject it', async () => {
    const acme = await server.tenant();
    const [billing, crm] = [await keyOf(acme, 'billing'), await keyOf(acme, 'crm')];
    await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
    await upsert(acme, { account_id: 'old', custom_Tier: 'gold' }, { key: billing.key });
    for (const mode of ['update-only', 'create-only'] as const) {
      const ofRun = { run: await openIn(acme, mode, crm.key), key: crm.key };
      for (const account_id of ['old', 'new']) {
        const answer = await upsert(acme, { account_id, custom_Tier: 'silver' }, ofRun);
        expect([answer.status, answer.body]).toEqual([400, refusedBody(account_id, 'custom_Tier')]);
      }
      const skipped = mode === 'update-only' ? 'new' : 'old';
      const value = mode === 'update-only' ? null : 'gold';
      expect(await send(acme, { account_id: skipped, custom_Tier: value }, ofRun)).toBe('skipped');
      const { body } = await importRecords(acme, [{ account_id: skipped, custom_Tier: 'silver' }], ofRun);
      expect(body).toMatchObject({ failed: 1, skipped: 0 });
    }
  });

  it('of an import win over that of its run, and work in dry runs', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'old', name: 'Old' });
    const id = await openIn(acme, 'create-only');
    const records = [
      { account_id: 'old', name: 'Other' },
      { account_id: 'new', name: 'New' },
      { account_id: 'new', name: 'Newer' },
      { account_id: 'bad', licenses: 'many' },
    ];
    const send = async (query: string, sender: Sender = {}) => {
      const { body } = await server.app.inject({
        method: 'POST',
        url: `/api/v2/accounts/import${query}`,
        headers: { ...headersOf(acme, sender), 'content-type': 'application/json' },
        payload: JSON.stringify(records),
      });
      const { lines, summary } = readAnswer(body);
      return [lines.map(({ status, changed }) => [status, changed]), summary];
    };
    const summary = (given: object) => ({
      records: 4,
      created: 0,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 1,
      kept: 0,
      dry_run: false,
      is_complete: true,
      problem: null,
      ...given,
    });
    const failed = ['failed', undefined];
    const skipped = ['skipped', []];
    const updateOnly = [['updated', ['name']], skipped, skipped, failed];
    const createOnly = [skipped, ['created', ['name']], skipped, failed];
    expect(await send('?dry_run=true&mode=create-only')).toEqual([
      createOnly,
      summary({ created: 1, skipped: 2, dry_run: true }),
    ]);
    expect(await send('?mode=update-only&dry_run=true')).toEqual([
      updateOnly,
      summary({ updated: 1, skipped: 2, dry_run: true }),
    ]);
    expect((await acme.get('/accounts')).body.data).toMatchObject([{ account_id: 'old', name: 'Old' }]);
    expect(await send('?mode=update-only', { run: id })).toEqual([
      updateOnly,
      summary({ updated: 1, skipped: 2 }),
    ]);
    expect(await send('', { run: id })).toEqual([createOnly, summary({ created: 1, skipped: 2 })]);
    expect(await send('?mode=upsert', { run: id })).toEqual([
      [['unchanged', []], ['unchanged', []], ['updated', ['name']], failed],
      summary({ unchanged: 2, updated: 1 }),
    ]);
    expect((await finishRun(acme, id)).body).toMatchObject({
      mode: 'create-only',
      created: 1,
      updated: 2,
      unchanged: 2,
      skipped: 4,
      rejected: 3,
    });
  });

  it('of a long import count every skipped record, also without a run', async () => {
    const acme = await server.tenant();
    const ids = Array.from({ length: 1_500 }, (_, i) => `a-${i}`);
    const records = ids.map((account_id) => ({ account_id, name: 'N' }));
    await importRecords(
      acme,
      records.filter((_, i) => i % 3 === 0),
    );
    for (const [query, counts] of [
      ['?mode=update-only', { created: 0, unchanged: 500, skipped: 1_000 }],
      ['?mode=create-only', { created: 1_000, unchanged: 0, skipped: 500 }],
    ] as const) {
      for (const dry of ['&dry_run=true', '']) {
        expect((await importRecords(acme, records, { query: `${query}${dry}` })).body).toMatchObject({
          records: 1_500,
          updated: 0,
          failed: 0,
          ...counts,
        });
      }
    }
  });

  it('create each account once if many requests arrive at once', async () => {
    const acme = await server.tenant();
    const id = await openIn(acme, 'create-only');
    const names = Array.from({ length: 30 }, (_, i) => `Name ${i}`);
    const results = await Promise.all(
      names.map((name) => send(acme, { account_id: 'a', name }, { run: id })),
    );
    expect(results.sort()).toEqual(['created', ...Array(29).fill('skipped')]);
    expect((await show(acme, 'a')).revision).toBe(1);
  });

  it('leave implicit runs alone', async () => {
    const acme = await server.tenant();
    await openIn(acme, 'update-only');
    expect(await send(acme, { account_id: 'a' })).toBe('created');
    expect(
      (await acme.get('/runs')).body.data.map(({ kind, mode }: Record<string, string>) => [kind, mode]),
    ).toEqual([
      ['implicit', 'upsert'],
      ['explicit', 'update-only'],
    ]);
  });

  it('are counted in the metrics', async () => {
    const acme = await server.tenant();
    const skipped = async () =>
      metricsIn((await server.app.inject('/metrics')).body)['account_sync_results_total{result="skipped"}'] ??
      Number.NaN;
    const before = await skipped();
    const id = await openIn(acme, 'update-only');
    await send(acme, [{ account_id: 'a' }, { account_id: 'b' }], { run: id });
    await importRecords(acme, [{ account_id: 'a' }], { run: id });
    await eventually(async () => expect(await skipped()).toBe(before + 3));
  });
});
