import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { finishAsking, liveIds, mirror, missingFrom, openAsking, push } from './missing-requests.js';
import { finishRun, headersOf, importRecords, keyOf, openRun, upsert } from './run-requests.js';
import { eventually, invalid, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('a tracked source on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const track = async (tenant: Tenant, is_tracked: boolean, source = 'default') => {
    const { status, body } = await tenant.call('PUT', `/sources/${source}`, { is_tracked });
    expect([status, body.is_tracked]).toEqual([200, is_tracked]);
  };
  const isTracked = async (tenant: Tenant, source = 'default') =>
    (await tenant.get(`/sources/${source}`)).body.is_tracked;
  /** What a run counts that gets nothing. */
  const counts = async (tenant: Tenant, key?: string) => {
    const { accounts, of } = (
      await finishAsking(tenant, await openAsking(tenant, 'report', key), undefined, key)
    ).body.missing;
    return [accounts, of];
  };

  it('is one with a run that asks for missing accounts', async () => {
    const acme = await server.tenant();
    for (const [missing, expected] of [
      ['ignore', false],
      ['report', true],
      ['ignore', true],
      ['archive', true],
    ] as const) {
      expect((await acme.call('POST', '/runs', { missing })).status).toBe(201);
      expect(await isTracked(acme)).toBe(expected);
    }
    expect((await acme.get('/sources')).body.data).toMatchObject([{ name: 'default', is_tracked: true }]);
    const other = await server.tenant();
    await openAsking(other, 'archive');
    expect(await isTracked(other)).toBe(true);
  });

  it('is set by an administrator, and then its runs report by default', async () => {
    const acme = await server.tenant();
    await track(acme, true);
    await track(acme, true);
    const opened = await acme.call('POST', '/runs');
    expect(opened.body.missing).toEqual({ action: 'report', accounts: null, of: null });
    await acme.call('PUT', '/sources/default', { label: 'Main' });
    expect(await isTracked(acme)).toBe(true);
    await track(acme, false);
    expect((await acme.call('POST', '/runs')).body.missing).toBeNull();
    // A new source may be tracked from its beginning.
    const created = await acme.call('PUT', '/sources/crm', { is_tracked: true });
    expect([created.status, created.body.is_tracked]).toEqual([201, true]);
    const bySync = headersOf(acme, { key: await acme.addKey(['sync', 'read']) });
    expect((await acme.call('PUT', '/sources/crm', { is_tracked: false }, bySync)).status).toBe(403);
    expect(await isTracked(acme, 'crm')).toBe(true);
  });

  it.each([null, 'true', 1, {}])('is not set with %j', async (is_tracked) => {
    const acme = await server.tenant();
    const { status, body } = await acme.call('PUT', '/sources/default', { is_tracked });
    expect([status, body]).toEqual([400, invalid({ '/body/is_tracked': 'must be boolean' })]);
    expect(await isTracked(acme)).toBe(false);
  });

  it('has an entry in the audit when tracking begins or ends, in whichever way', async () => {
    const acme = await server.tenant();
    const entries = async () => {
      const { data } = (await acme.get('/audit')).body;
      return data
        .filter(({ action }: { action: string }) => action === 'source.set')
        .map(({ subject, from, to, key_id }: Record<string, Record<string, unknown>>) => [
          subject,
          from?.is_tracked,
          to?.is_tracked,
          key_id,
        ])
        .reverse();
    };
    await track(acme, true);
    await track(acme, false);
    const run = await openAsking(acme);
    await finishAsking(acme, run);
    await openAsking(acme);
    const expected = [
      ['default', false, true, acme.keyId],
      ['default', true, false, acme.keyId],
      ['default', false, true, acme.keyId],
    ];
    expect(await entries()).toEqual(expected);
  });

  it('has pushed all accounts of its requests since, also those that others have created', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await push(acme, ['a', 'b', 'c', 'd', 'e']);
    await track(acme, true, 'crm');
    const run = await openRun(acme, crm.key);
    // The server may need a moment to know that the source is tracked.
    await eventually(async () => {
      await upsert(acme, { account_id: 'a' }, { key: crm.key });
      expect(await counts(acme, crm.key)).toEqual([1, 1]);
    });
    await upsert(acme, { account_id: 'b', name: 'B' }, { key: crm.key, run });
    await push(acme, ['c', 'c'], { key: crm.key });
    await importRecords(acme, [{ account_id: 'd' }], { key: crm.key });
    await importRecords(acme, [{ account_id: 'e' }], { key: crm.key, query: '?dry_run=true' });
    await finishRun(acme, run, { key: crm.key });
    expect(await counts(acme, crm.key)).toEqual([4, 4]);
  });

  it('has pushed the accounts of rejected records, if their ids are valid', async () => {
    const acme = await server.tenant();
    const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await mirror(acme, ids);
    const run = await openAsking(acme);
    const bad = { licenses: 'none' };
    const tooLong = 'x'.repeat(300);
    expect((await upsert(acme, { account_id: 'a', ...bad }, { run })).status).toBe(400);
    // All of a batch are rejected, also those without errors.
    expect((await upsert(acme, [{ account_id: 'b' }, { account_id: 'c', ...bad }], { run })).status).toBe(
      400,
    );
    const imported = await importRecords(
      acme,
      [{ account_id: ' D ', ...bad }, { account_id: 'new', ...bad }, { account_id: tooLong }, { x: 1 }, 5],
      { run },
    );
    expect(imported.body).toMatchObject({ failed: 5, is_complete: true });
    expect((await upsert(acme, { account_id: 'e', name: 5 })).status).toBe(400);
    for (const body of [
      '{"account_id":"f"',
      '[{"account_id":"f"},',
      '{"account_id":["f"]}',
      '[[{"account_id":"f"}]]',
    ])
      expect((await upsert(acme, body, { run })).status).toBe(400);
    expect(await missingFrom(acme, run)).toEqual(['f', 'g']);
    const { body } = await finishAsking(acme, run, { max_missing_percent: 100 });
    expect(body).toMatchObject({ archived: 2, missing: { accounts: 2, of: 7 } });
    expect((await acme.get('/accounts/new')).status).toBe(404);
  });

  it.each([
    [{ account_id: 'x'.repeat(300) }, 'The account_id may not be greater than 191 characters.'],
    [{ name: 'A' }, 'account_id does not exist.'],
  ])('gets the usual response for %j alone, which names no account', async (record, message) => {
    const acme = await server.tenant();
    await mirror(acme, ['a']);
    expect(await upsert(acme, record)).toMatchObject({ status: 400, body: { errors: [message] } });
    expect(await upsert(acme, [record])).toMatchObject({ status: 400, body: { errors: [[message]] } });
    expect((await importRecords(acme, [record])).body).toMatchObject({ failed: 1, is_complete: true });
  });

  it('has pushed accounts under the ids that are stored', async () => {
    const acme = await server.tenant({ accountIds: 'domain' });
    await mirror(acme, ['a.com', 'b.com', 'c.com', 'd.com']);
    const run = await openAsking(acme);
    await upsert(acme, { account_id: ' A.com ' }, { run });
    await upsert(acme, { account_id: 'B.COM', licenses: 'none' }, { run });
    await importRecords(acme, [{ account_id: 'C.com', licenses: 'none' }], { run });
    expect(await missingFrom(acme, run)).toEqual(['d.com']);
  });

  it('has pushed what it has created before, but not what it has only updated', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await push(acme, ['of-default', 'updated']);
    await push(acme, ['a', 'b', 'deleted'], { key: crm.key });
    await upsert(acme, { account_id: 'updated', name: 'x' }, { key: crm.key });
    await acme.call('DELETE', '/accounts/deleted');
    const run = await openAsking(acme, 'archive', crm.key);
    await push(acme, ['b', 'c'], { run, key: crm.key });
    const { body } = await finishAsking(acme, run, { max_missing_percent: 34 }, crm.key);
    expect(body).toMatchObject({ archived: 1, missing: { accounts: 1, of: 3 } });
    expect(await liveIds(acme)).toEqual(['b', 'c', 'of-default', 'updated']);
    // An account that was archived is not looked up in the history again.
    await push(acme, ['a']);
    expect((await mirror(acme, ['b', 'c'], crm.key)).body.missing).toMatchObject({ accounts: 0, of: 2 });
    expect(await liveIds(acme)).toContain('a');
  });

  it('has pushed what it has created before, also if too many of them are missing from its first run', async () => {
    const acme = await server.tenant();
    await push(acme, ['a', 'b']);
    const run = await openAsking(acme);
    await push(acme, ['a'], { run });
    const refused = await finishAsking(acme, run);
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_missing']);
    expect(await missingFrom(acme, run)).toEqual(['b']);
    expect((await finishAsking(acme, run, { max_missing_percent: 50 })).body).toMatchObject({
      archived: 1,
      missing: { accounts: 1, of: 2 },
    });
  });

  it('that is not tracked for a while has pushed only what it has created', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await push(acme, ['theirs']);
    await mirror(acme, ['own', 'theirs'], crm.key);
    await track(acme, false, 'crm');
    await track(acme, true, 'crm');
    expect(await counts(acme, crm.key)).toEqual([1, 1]);
  });

  it('that is not tracked for a while does not tell what is missing from a run that was open', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await mirror(acme, ['a', 'b'], crm.key);
    const run = await openAsking(acme, 'archive', crm.key);
    await track(acme, false, 'crm');
    await push(acme, ['a', 'b'], { key: crm.key });
    await track(acme, true, 'crm');
    // A later run must not make the earlier one look complete.
    await openAsking(acme, 'report', crm.key);
    const { status, body } = await finishAsking(acme, run, { max_missing_percent: 100 }, crm.key);
    expect([status, body.code]).toEqual([409, 'tracking_ended']);
    expect(await liveIds(acme)).toEqual(['a', 'b']);
  });

  it('is not tracked, and has pushed nothing, if it was removed and exists again', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await push(acme, ['theirs']);
    await mirror(acme, ['theirs'], crm.key);
    await acme.call('DELETE', `/keys/${crm.id}`);
    expect((await acme.call('DELETE', '/sources/crm')).status).toBe(204);
    const again = await keyOf(acme, 'crm');
    expect(await isTracked(acme, 'crm')).toBe(false);
    expect(await counts(acme, again.key)).toEqual([0, 0]);
  });

  it('keeps what it has pushed when its key is rotated, or another key of it is used', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await mirror(acme, ['a', 'b'], crm.key);
    const rotated = (await acme.call('POST', `/keys/${crm.id}/rotate`)).body;
    const { body } = await mirror(acme, ['a'], rotated.key);
    expect(body).toMatchObject({ source: 'crm', archived: 1, missing: { accounts: 1, of: 2 } });
  });
});
