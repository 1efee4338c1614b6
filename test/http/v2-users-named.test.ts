import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { finishRun, openRun, run as runBody, upsert } from './run-requests.js';
import { SignedInUser } from './signed-in-user.js';
import { readUndo, runOf, summary } from './undo-requests.js';
import { at, eventually, invalid, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('what a user has sent, on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const importLines = async (user: SignedInUser, records: readonly object[], run?: string) => {
    const { headers, tenant } = user;
    const { statusCode } = await tenant.server.app.inject({
      method: 'POST',
      url: '/api/v2/accounts/import',
      headers: {
        ...headers,
        'x-request-id': 'by-user',
        'content-type': 'application/x-ndjson',
        ...(run !== undefined && { 'account-sync-run': run }),
      },
      payload: records.map((record) => JSON.stringify(record)).join('\n'),
    });
    return statusCode;
  };
  const open = async (user: SignedInUser) => {
    const { status, body } = await user.call('POST', '/runs', {});
    expect(status).toBe(201);
    return body;
  };
  const data = async (tenant: Tenant, path: string) => (await tenant.get(path)).body.data;

  it('names the user in every run: opened, read, listed, of its source, and finished', async () => {
    const acme = await server.tenant();
    const kim = await SignedInUser.of(acme);
    const opened = await open(kim);
    const sender = { source: 'console', key_id: null, user: kim.shown };
    const details = { undone_by: null, fields: [] };
    const expected = runBody(acme, opened.id, sender);
    expect(opened).toEqual({ ...expected, ...details });
    expect((await acme.get(`/runs/${opened.id}`)).body).toEqual({ ...expected, ...details });
    expect(await data(acme, '/runs')).toEqual([expected]);
    expect((await acme.get('/sources/console')).body.recent_runs).toEqual([expected]);
    const sources = await data(acme, '/sources');
    expect(sources.map((one: Record<string, unknown>) => [one.name, one.recent_runs])).toEqual([
      ['console', [expected]],
      ['default', []],
    ]);
    const put = await acme.call('PUT', '/sources/console', { label: 'Our console' });
    expect(put.body.recent_runs).toEqual([expected]);
    const finished = await kim.call('POST', `/runs/${opened.id}/finish`);
    const end = { state: 'finished', ended_at: at() };
    expect([finished.status, finished.body]).toEqual([200, { ...expected, ...end, ...details }]);
  });

  it('names the user in history, feed, stream, rejections and audit', async () => {
    const acme = await server.tenant();
    const kim = await SignedInUser.of(acme, { role: 'admin' });
    const { id: run_id } = await open(kim);
    const records = [{ account_id: 'a' }, { account_id: 'b', licenses: 'x' }];
    expect(await importLines(kim, records, run_id)).toBe(200);
    const sender = { key_id: null, user: kim.shown, source: 'console', request_id: 'by-user' };
    const created = {
      ...sender,
      revision: 1,
      kind: 'created',
      at: at(),
      run_id,
      is_erased: false,
      changes: [],
    };
    const change = { cursor: expect.stringMatching(/^\d+~\d+$/), account_id: 'a', ...created };
    expect(await data(acme, '/accounts/a/history')).toEqual([created]);
    expect(await data(acme, '/changes')).toEqual([change]);
    expect(await firstEvent(acme)).toEqual(change);
    await eventually(async () => expect(await data(acme, '/rejections')).toHaveLength(1));
    expect(await data(acme, '/rejections')).toEqual([
      {
        ...sender,
        id: expect.stringMatching(/^\d+$/),
        at: at(),
        run_id,
        operation: 'import-accounts',
        status: 400,
        index: 1,
        account_id: 'b',
        errors: { licenses: ['Account b, licenses has invalid integer value.'] },
        problem: null,
        record: { account_id: 'b', licenses: 'x' },
      },
    ]);
    expect((await kim.call('POST', '/blocked-ids', { pattern: 'x' })).status).toBe(201);
    expect((await acme.get('/audit?limit=1')).body.data).toEqual([
      {
        ...sender,
        id: expect.stringMatching(/^\d+$/),
        at: at(),
        via: 'api',
        action: 'blocked-id.add',
        subject: 'x',
        from: null,
        to: 'x',
      },
    ]);
  });

  it('goes on naming a user who was removed, or has another name now', async () => {
    const acme = await server.tenant();
    const [kim, alex] = [await SignedInUser.of(acme), await SignedInUser.of(acme, { name: 'Alex' })];
    await importLines(kim, [{ account_id: 'a' }]);
    await importLines(alex, [{ account_id: 'b' }]);
    expect((await acme.call('DELETE', `/users/${kim.id}`)).status).toBe(204);
    expect((await alex.call('PATCH', '/profile', { name: 'Alexandra' })).status).toBe(200);
    const changes: { user: unknown }[] = await data(acme, '/changes');
    expect(changes.map(({ user }) => user)).toEqual([kim.shown, { id: alex.id, name: 'Alexandra' }]);
  });

  it('is selected by the user, in pages, and not by a key', async () => {
    const acme = await server.tenant();
    const [kim, alex] = [await SignedInUser.of(acme), await SignedInUser.of(acme, { name: 'Alex' })];
    await importLines(kim, [{ account_id: 'a' }, { account_id: '1', licenses: 'x' }]);
    await importLines(alex, [{ account_id: 'b' }, { account_id: '2', licenses: 'x' }]);
    await upsert(acme, { account_id: 'c' });
    await upsert(acme, { account_id: '3', licenses: 'x' });
    await importLines(kim, [{ account_id: 'd' }, { account_id: '4', licenses: 'x' }]);
    await eventually(async () => expect(await data(acme, '/rejections')).toHaveLength(4));
    const ids = (entries: { account_id: string }[]) => entries.map(({ account_id }) => account_id);
    const found = async (query: string) => [
      ids(await data(acme, `/changes?${query}`)),
      ids(await data(acme, `/rejections?${query}`)).sort(),
    ];
    expect(await found(`user_id=${kim.id}`)).toEqual([
      ['a', 'd'],
      ['1', '4'],
    ]);
    expect(await found(`user_id=${alex.id}&source=console`)).toEqual([['b'], ['2']]);
    expect(await found(`key_id=${acme.keyId}`)).toEqual([['c'], ['3']]);
    for (const query of [
      `key_id=${kim.id}`,
      `user_id=${acme.keyId}`,
      `user_id=${kim.id}&key_id=${acme.keyId}`,
    ])
      expect(await found(query)).toEqual([[], []]);
    const paged = await acme.all(`/rejections?user_id=${kim.id}`, 1);
    expect(ids(paged as unknown as { account_id: string }[]).sort()).toEqual(['1', '4']);
    const { next } = (await acme.get(`/rejections?user_id=${kim.id}&limit=1`)).body;
    expect((await acme.get(`/rejections?user_id=${alex.id}&limit=1&cursor=${next}`)).status).toBe(400);
  });

  it('is not selected by an empty id, or in a stream', async () => {
    const acme = await server.tenant();
    const empty = { '/query/user_id': 'must NOT have fewer than 1 characters' };
    for (const path of ['changes', 'rejections']) {
      const answer = await acme.get(`/${path}?user_id=`);
      expect([answer.status, answer.body]).toEqual([400, invalid(empty)]);
    }
    const stream = await acme.get('/changes?user_id=usr_1', { accept: 'text/event-stream' });
    const detail = 'cannot be combined with a stream or with last';
    expect([stream.status, stream.body]).toEqual([400, invalid({ '/query/user_id': detail })]);
  });

  describe('may be an undo', () => {
    const undo = async (user: SignedInUser, run: string) => {
      const { statusCode, body } = await server.app.inject({
        method: 'POST',
        url: `/api/v2/runs/${run}/undo`,
        headers: { ...user.headers, 'x-request-id': 'by-user' },
      });
      return { status: statusCode, body };
    };

    it('of the run of any source, which names the user', async () => {
      const acme = await server.tenant();
      const kim = await SignedInUser.of(acme);
      await acme.sync({ account_id: 'a', licenses: 1 });
      const run = await runOf(acme, [{ account_id: 'a', licenses: 2 }]);
      const answer = await undo(kim, run);
      expect(answer.status).toBe(200);
      const { summary: said } = readUndo(answer.body);
      expect(said).toEqual(summary(run, { changes: 1, updated: 1 }));
      const sender = { source: 'console', key_id: null, user: kim.shown };
      expect((await acme.get(`/runs/${said.run_id}`)).body).toMatchObject({ ...sender, kind: 'undo' });
      const [newest] = await data(acme, '/accounts/a/history');
      expect(newest).toEqual({
        ...sender,
        revision: 3,
        kind: 'updated',
        at: at(1),
        request_id: 'by-user',
        run_id: said.run_id,
        is_erased: false,
        changes: [{ field: 'licenses', from: 2, to: 1 }],
      });
    });

    it('not of a viewer', async () => {
      const acme = await server.tenant();
      const viewer = await SignedInUser.of(acme, { role: 'viewer' });
      const run = await runOf(acme, [{ account_id: 'a' }]);
      const { status, body } = await undo(viewer, run);
      expect([status, JSON.parse(body).code]).toEqual([403, 'role_missing']);
      expect((await acme.get('/accounts/a')).body.archived_at).toBeNull();
    });
  });

  it('is never stored in the run of another source', async () => {
    const acme = await server.tenant();
    const kim = await SignedInUser.of(acme, { role: 'admin' });
    const run = await openRun(acme);
    expect(await importLines(kim, [{ account_id: 'a' }], run)).toBe(409);
    const refused = await kim.call('POST', `/runs/${run}/finish`);
    expect([refused.status, refused.body.code]).toEqual([409, 'run_of_other_source']);
    expect((await acme.get('/accounts/a')).status).toBe(404);
    expect((await finishRun(acme, run)).body).toMatchObject({ key_id: acme.keyId, user: null, requests: 0 });
  });

  /** The latest change, as a stream delivers it. */
  async function firstEvent(tenant: Tenant): Promise<unknown> {
    const address = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { body } = await fetch(`${address}/api/v2/changes?last=1`, {
      headers: { authorization: `Bearer ${tenant.key}`, accept: 'text/event-stream' },
    });
    let text = '';
    for await (const bytes of body ?? []) {
      text += Buffer.from(bytes).toString();
      const [, found] = /^data: (.*)\n\n/m.exec(text) ?? [];
      // Leaving the loop closes the connection.
      if (found !== undefined) return JSON.parse(found);
    }
    throw new Error('The stream has ended.');
  }
});
