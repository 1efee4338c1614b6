import { describe, expect, it } from 'vitest';
import { expectFailure, expectResult } from './expectations.js';
import { FreshSource, freshIds } from './fresh-source.js';
import { readOnly } from './messages.js';
import { expectCounts, importSummary, ownAttribute } from './owned-fields.js';
import { freshId, type HttpResponse, send, withKey } from './requests.js';
import { target } from './target.js';

const resultOf = ({ status, headers, text }: HttpResponse) => {
  expect([status, text]).toEqual([200, '{"success":true}']);
  return headers.get('account-sync-result');
};

const revisionOf = async (source: FreshSource, id: string) => {
  const { status, body } = await source.call('GET', `/accounts/${id}`);
  return status === 404 ? undefined : body.revision;
};

const deleteAccount = async (id: string) => {
  const headers = withKey(target.keys.admin);
  expect((await send(`/api/v2/accounts/${id}`, { method: 'DELETE', headers })).status).toBe(204);
};

/** Creates an account, and a run without it that archives it. */
const createArchived = async (source: FreshSource, id: string) => {
  await source.mirror([id]);
  const run = await source.open('archive');
  expect((await source.finish(run, { max_missing_percent: 100 })).body.archived).toBe(1);
};

describe('a run', () => {
  it('has the mode upsert unless it is opened with another one, and always shows it', async () => {
    const crm = await FreshSource.create();
    const plain = await crm.call('POST', '/runs');
    expect([plain.status, plain.body]).toMatchObject([201, { mode: 'upsert', skipped: 0, kept: 0 }]);
    for (const mode of ['upsert', 'update-only', 'create-only'] as const) {
      const id = await crm.openIn(mode);
      expect((await crm.call('GET', `/runs/${id}`)).body).toMatchObject({ mode, skipped: 0, kept: 0 });
      expect((await crm.finish(id)).body).toMatchObject({ mode, state: 'finished' });
    }
    await crm.push(freshIds(1));
    const { data } = (await crm.call('GET', `/runs?source=${crm.name}`)).body;
    expect(data.map(({ kind, mode }: Record<string, string>) => [kind, mode])).toEqual([
      ['implicit', 'upsert'],
      ['explicit', 'create-only'],
      ['explicit', 'update-only'],
      ['explicit', 'upsert'],
      ['explicit', 'upsert'],
    ]);
  });

  it.each([{ mode: 'update' }, { mode: 'UPSERT' }, { mode: null }, { mode: true }, { mode: ['upsert'] }])(
    'is not opened with %j',
    async (body) => {
      const crm = await FreshSource.create();
      const refused = await crm.call('POST', '/runs', body);
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
      expect((await crm.call('GET', `/runs?source=${crm.name}`)).body.data).toEqual([]);
    },
  );

  it('that only updates skips accounts that do not exist, in every operation', async () => {
    const crm = await FreshSource.create();
    const [old, absent, deleted] = freshIds(3) as [string, string, string];
    await crm.push([old, deleted]);
    await deleteAccount(deleted);
    const run = await crm.openIn('update-only');
    expect(resultOf(await crm.send({ account_id: absent, name: 'New' }, run))).toBe('skipped');
    expect(resultOf(await crm.send({ account_id: deleted, name: 'New' }, run))).toBe('skipped');
    expect(resultOf(await crm.send({ account_id: old, name: 'Old' }, run))).toBe('updated');
    expect(resultOf(await crm.send({ account_id: old, name: 'Old' }, run))).toBe('unchanged');
    const batch = [
      { account_id: absent, name: 'New' },
      { account_id: old, name: 'Older' },
      { account_id: absent, name: 'Newer' },
    ];
    expect(resultOf(await crm.send(batch, run))).toBe('created=0, updated=1, unchanged=0, skipped=2');
    const none = [{ account_id: old }];
    expect(resultOf(await crm.send(none, run))).toBe('created=0, updated=0, unchanged=1');
    expect(await crm.import(batch, { run })).toEqual([
      { index: 0, account_id: absent, status: 'skipped', changed: [] },
      { index: 1, account_id: old, status: 'unchanged', changed: [] },
      { index: 2, account_id: absent, status: 'skipped', changed: [] },
      importSummary({ records: 3, unchanged: 1, skipped: 2 }),
    ]);
    await crm.finish(run);
    await expectCounts(crm, run, {
      mode: 'update-only',
      requests: 7,
      failed_requests: 0,
      created: 0,
      updated: 2,
      unchanged: 3,
      skipped: 6,
      rejected: 0,
    });
    expect(await revisionOf(crm, absent)).toBeUndefined();
    expect(await revisionOf(crm, deleted)).toBeUndefined();
    const changes = (await crm.call('GET', `/changes?run_id=${run}`)).body.data;
    expect(changes.map(({ account_id }: { account_id: string }) => account_id)).toEqual([old, old]);
  });

  it('that only creates skips accounts that exist, in every operation', async () => {
    const crm = await FreshSource.create();
    const [old, young, younger, archived, deleted, imported] = freshIds(6) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    await createArchived(crm, archived);
    await crm.push([old, deleted]);
    await deleteAccount(deleted);
    const run = await crm.openIn('create-only');
    expect(resultOf(await crm.send({ account_id: old, name: 'Other' }, run))).toBe('skipped');
    expect(resultOf(await crm.send({ account_id: young, name: 'New' }, run))).toBe('created');
    expect(resultOf(await crm.send({ account_id: young, name: 'Newer' }, run))).toBe('skipped');
    expect(resultOf(await crm.send({ account_id: archived, name: 'Other' }, run))).toBe('skipped');
    expect(resultOf(await crm.send({ account_id: deleted, name: 'Again' }, run))).toBe('created');
    const batch = [
      { account_id: younger, name: 'First' },
      { account_id: younger, name: 'Second' },
      { account_id: old, licenses: 1 },
    ];
    expect(resultOf(await crm.send(batch, run))).toBe('created=1, updated=0, unchanged=0, skipped=2');
    const lines = await crm.import(
      [
        { account_id: imported, name: 'First' },
        { account_id: old, name: 'Other' },
        { account_id: imported, name: 'Second' },
      ],
      { run },
    );
    expect(lines).toEqual([
      { index: 0, account_id: imported, status: 'created', changed: ['name'] },
      { index: 1, account_id: old, status: 'skipped', changed: [] },
      { index: 2, account_id: imported, status: 'skipped', changed: [] },
      importSummary({ records: 3, created: 1, skipped: 2 }),
    ]);
    await crm.finish(run);
    await expectCounts(crm, run, {
      mode: 'create-only',
      created: 4,
      updated: 0,
      restored: 0,
      unchanged: 0,
      skipped: 7,
    });
    for (const id of [old, young, younger, imported, archived]) {
      const { data } = (await crm.call('GET', `/accounts/${id}/history`)).body;
      const kinds = data.map(({ kind }: { kind: string }) => kind);
      expect(kinds).toEqual(id === archived ? ['archived', 'created'] : ['created']);
    }
    expect(await crm.isArchived(archived)).toBe(true);
    expect((await crm.call('GET', `/accounts/${younger}`)).body).toMatchObject({ name: 'First' });
  });

  it('that only updates restores archived accounts that are sent', async () => {
    const crm = await FreshSource.create();
    const archived = freshId();
    await createArchived(crm, archived);
    const run = await crm.openIn('update-only');
    expect(resultOf(await crm.send({ account_id: archived }, run))).toBe('updated');
    expect(await crm.isArchived(archived)).toBe(false);
  });

  it('has no effect on requests that do not name it', async () => {
    const crm = await FreshSource.create();
    await crm.openIn('update-only');
    expectResult(await crm.send({ account_id: freshId() }), 'created');
  });

  it('that skips everything can be undone, and takes back nothing', async () => {
    const crm = await FreshSource.create();
    const run = await crm.openIn('update-only');
    await crm.send(
      freshIds(3).map((account_id) => ({ account_id })),
      run,
    );
    await crm.finish(run);
    const { status, text } = await send(`/api/v2/runs/${run}/undo`, { headers: withKey(crm.key) });
    expect(status).toBe(200);
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').summary).toMatchObject({
      changes: 0,
      updated: 0,
      archived: 0,
      restored: 0,
      is_complete: true,
    });
  });

  it.each(['update-only', 'create-only'] as const)(
    'that is %s has pushed what it skips, so that it is not missing',
    async (mode) => {
      const crm = await FreshSource.create();
      const [sent, silent] = freshIds(2) as [string, string];
      await crm.mirror([sent, silent]);
      const opened = await crm.call('POST', '/runs', { mode, missing: 'report' });
      const run = opened.body.id;
      expect(opened.body).toMatchObject({ mode, missing: { action: 'report' } });
      await crm.send([{ account_id: sent }, { account_id: freshId() }], run);
      expect(await crm.missing(run)).toEqual([silent]);
    },
  );

  it.each(['upsert', 'update-only', 'create-only'] as const)(
    'that is %s rejects a field of another source also in records that it would skip',
    async (mode) => {
      const [billing, crm] = [await FreshSource.create(), await FreshSource.create()];
      const field = await ownAttribute(billing, crm, 'reject');
      const [old, absent] = freshIds(2) as [string, string];
      await billing.send({ account_id: old, [field]: 'gold' });
      const run = await crm.openIn(mode);
      for (const account_id of [old, absent]) {
        const message = readOnly(account_id, field);
        const refused = await crm.send({ account_id, [field]: 'silver' }, run);
        expectFailure(refused, 400, [message], [{ [field]: [message] }]);
      }
      await crm.finish(run);
      await expectCounts(crm, run, { rejected: 2, failed_requests: 2, skipped: 0 });
    },
  );

  it('keeps no values of records that it skips', async () => {
    const [billing, crm] = [await FreshSource.create(), await FreshSource.create()];
    const field = await ownAttribute(billing, crm, 'keep');
    const run = await crm.openIn('update-only');
    const response = await crm.send({ account_id: freshId(), [field]: 'silver' }, run);
    expect([resultOf(response), response.headers.get('account-sync-kept')]).toEqual(['skipped', null]);
    await crm.finish(run);
    await expectCounts(crm, run, { skipped: 1, kept: 0 });
  });
});

describe('an import', () => {
  it.each([true, false])('follows its own mode rather than that of its run; dry run: %s', async (dry_run) => {
    const crm = await FreshSource.create();
    const [old, absent] = freshIds(2) as [string, string];
    await crm.push([old]);
    const records = [
      { account_id: old, name: 'Other' },
      { account_id: absent, name: 'New' },
    ];
    // A dry run belongs to no run.
    const ofRun = dry_run ? {} : { run: await crm.openIn('update-only') };
    const importIn = (mode: string) =>
      crm.import(records, { query: `?mode=${mode}&dry_run=${dry_run}`, ...ofRun });
    const summary = (given: object) => importSummary({ records: 2, dry_run, ...given });
    expect(await importIn('create-only')).toEqual([
      { index: 0, account_id: old, status: 'skipped', changed: [] },
      { index: 1, account_id: absent, status: 'created', changed: ['name'] },
      summary({ created: 1, skipped: 1 }),
    ]);
    expect(await revisionOf(crm, absent)).toBe(dry_run ? undefined : 1);
    if (!dry_run) await deleteAccount(absent);
    expect(await importIn('update-only')).toEqual([
      { index: 0, account_id: old, status: 'updated', changed: ['name'] },
      { index: 1, account_id: absent, status: 'skipped', changed: [] },
      summary({ updated: 1, skipped: 1 }),
    ]);
    expect(await importIn('upsert')).toEqual([
      {
        index: 0,
        account_id: old,
        status: dry_run ? 'updated' : 'unchanged',
        changed: dry_run ? ['name'] : [],
      },
      { index: 1, account_id: absent, status: 'created', changed: ['name'] },
      summary(dry_run ? { updated: 1, created: 1 } : { unchanged: 1, created: 1 }),
    ]);
    if (ofRun.run === undefined) return;
    await crm.finish(ofRun.run);
    await expectCounts(crm, ofRun.run, {
      mode: 'update-only',
      requests: 3,
      created: 2,
      updated: 1,
      unchanged: 1,
      skipped: 2,
    });
  });

  it.each(['update', '', 'UPSERT', 'upsert&mode=upsert'])('has no mode %j', async (mode) => {
    const { status, text } = await send(`/api/v2/accounts/import?mode=${mode}`, {
      headers: { 'content-type': 'application/json', ...withKey(target.keys.plain) },
      body: JSON.stringify([{ account_id: freshId() }]),
    });
    expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_request']);
  });
});
