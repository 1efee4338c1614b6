import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { at, eventually, invalid, type Tenant, useServer } from './v2-server.js';

const DAY = 86_400_000;

describe.each(databases)('rejections on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase, { maxBodyBytes: 1_000_000 });

  const send = (tenant: Tenant, path: string, body: unknown, headers: Record<string, string> = {}) =>
    server.inject({
      method: 'POST',
      url: `/api/v1_1/${path}`,
      headers: {
        authorization: `Bearer ${tenant.key}`,
        'content-type': 'application/json',
        'x-request-id': 'r',
        ...headers,
      },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const listed = async (tenant: Tenant, count: number) => {
    await eventually(async () => expect((await tenant.get('/rejections')).body.data).toHaveLength(count));
    return (await tenant.get('/rejections')).body.data;
  };
  const rejection = (tenant: Tenant, given: object) => ({
    id: expect.stringMatching(/^\d+$/),
    at: at(),
    request_id: 'r',
    key_id: tenant.keyId,
    user: null,
    source: 'default',
    run_id: expect.stringMatching(/^\d+$/),
    operation: 'upsert-account',
    status: 400,
    index: null,
    account_id: null,
    errors: null,
    problem: null,
    record: null,
    ...given,
  });

  it('are listed, newest first, with every message and the record', async () => {
    const acme = await server.tenant();
    expect((await acme.get('/rejections')).body).toEqual({ data: [], next: null });
    const bad = { account_id: ' Acme', licenses: 'many', name: 7 };
    await send(acme, 'account', bad);
    server.now += 1;
    await send(acme, 'accounts', [{ account_id: 'a' }, bad, 'nonsense']);
    await send(acme, 'account', '{"account_id":');
    await send(acme, 'account', 'x', { 'content-type': 'text/plain' });
    await send(acme, 'account', `"${'x'.repeat(1_000_000)}"`);
    const errors = {
      name: ['The name must be a string.'],
      licenses: ['Account Acme, licenses has invalid integer value.'],
    };
    const later = { at: at(1) };
    expect(await listed(acme, 6)).toEqual([
      rejection(acme, { ...later, status: 413, problem: 'The body may not be larger than 1000000 bytes.' }),
      rejection(acme, { ...later, status: 415, problem: 'The Content-Type must be application/json.' }),
      rejection(acme, {
        ...later,
        problem: 'The body is not valid JSON: unexpected end at line 1, column 15.',
      }),
      rejection(acme, {
        ...later,
        operation: 'upsert-batch',
        index: 2,
        errors: { account_id: ['account_id does not exist.'] },
        record: 'nonsense',
      }),
      rejection(acme, {
        ...later,
        operation: 'upsert-batch',
        index: 1,
        account_id: 'Acme',
        errors,
        record: bad,
      }),
      rejection(acme, { account_id: 'Acme', errors, record: bad }),
    ]);
    expect((await acme.get('/accounts')).body.data).toEqual([]);
  });

  it.concurrent('contain no secrets, and only the beginning of a large record', async () => {
    const acme = await server.tenant();
    const secrets = { password: 's3cret', custom_API_Key: 's3cret', deep: [{ Token: { a: 's3cret' } }] };
    await send(acme, 'account', { account_id: 'a', licenses: 'x', ...secrets });
    await send(acme, 'account', {
      account_id: 'b',
      licenses: 'x',
      custom_Long: 'ü'.repeat(10_000),
      ...secrets,
    });
    const names = Array.from({ length: 100 }, (_, i) => `custom_${i}_${'x'.repeat(1_000)}`);
    await server.store.directory.changeTenant(acme.id, { undeclaredFields: 'reject' });
    await eventually(async () => {
      const { status } = await send(acme, 'account', { account_id: 'a', custom_One: 1 });
      expect(status).toBe(400);
    });
    await send(acme, 'account', {
      account_id: 'x'.repeat(300),
      ...Object.fromEntries(names.map((n) => [n, 1])),
    });
    await eventually(async () =>
      expect((await acme.get('/rejections')).body.data[0]?.account_id).toBe('x'.repeat(191)),
    );
    const { data } = (await acme.get('/rejections')).body;
    expect(JSON.stringify(data)).not.toContain('s3cret');
    expect(data.at(-1).record).toEqual({
      account_id: 'a',
      licenses: 'x',
      password: '[redacted]',
      custom_API_Key: '[redacted]',
      deep: [{ Token: '[redacted]' }],
    });
    expect(data.at(-2).record).toEqual({
      truncated: '{"account_id":"b","licenses":"x","custom_Long":"'.padEnd(4_096, 'ü'),
    });
    expect(Object.keys(data[0].errors)).toHaveLength(20);
    for (const messages of Object.values(data[0].errors) as string[][]) {
      for (const message of messages) expect(message.length).toBeLessThanOrEqual(500);
    }
  });

  it.concurrent('are kept even if the record contains text that cannot be stored', async () => {
    const acme = await server.tenant();
    await send(acme, 'account', '{"account_id":"a\\u0000b","name":"\\ud800","custom_\\u0000":1}');
    const [found] = await listed(acme, 1);
    expect(found.account_id).toBe('a\ufffdb');
    expect(Object.keys(found.errors)).toContain('custom_\ufffd');
  });

  it.concurrent('are recorded only for authenticated requests', async () => {
    const acme = await server.tenant();
    await send(acme, 'account', { account_id: '' }, { authorization: 'Bearer nobody' });
    const reader = await acme.addKey(['read']);
    await send(acme, 'account', { account_id: '' }, { authorization: `Bearer ${reader}` });
    expect(await listed(acme, 1)).toEqual([
      rejection(acme, {
        key_id: expect.any(String),
        run_id: null,
        status: 403,
        problem: 'This key lacks the scope sync.',
      }),
    ]);
  });

  it.concurrent('have pages, and accept only their own cursors', async () => {
    const acme = await server.tenant();
    await send(
      acme,
      'accounts',
      Array.from({ length: 7 }, () => ({})),
    );
    const all = await listed(acme, 7);
    expect(all.map(({ index }: { index: number }) => index)).toEqual([6, 5, 4, 3, 2, 1, 0]);
    for (const limit of [1, 3, 7]) expect(await acme.all('/rejections', limit)).toEqual(all);
    const { next } = (await acme.get('/rejections?limit=1')).body;
    expect((await acme.get(`/audit?cursor=${next}`)).body).toEqual(
      invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' }),
    );
    expect((await acme.get('/rejections?limit=0')).body).toEqual(invalid({ '/query/limit': 'must be >= 1' }));
  });

  it('are filtered by key, operation, account and time, and by all together', async () => {
    const acme = await server.tenant();
    const other = await acme.addKey(['sync'], {
      id: `${acme.keyId}-other`,
      key: 'other-key'.padEnd(32, '-'),
    });
    const by = { authorization: `Bearer ${other}` };
    const bad = (account_id: string) => ({ account_id, licenses: 'x' });
    await send(acme, 'account', bad(' Bücher.DE'));
    server.now += 1;
    await send(acme, 'account', bad('b'), by);
    server.now += 1;
    await send(acme, 'accounts', [bad('BU\u0308CHER.de'), bad('bücher.de'), {}], by);
    server.now += 1;
    await send(acme, 'account', 'nonsense');
    const all = await listed(acme, 6);
    const found = async (query: string) =>
      (await acme.all(`/rejections?${query}`, 1)).map((one) =>
        all.findIndex(({ id }: { id: string }) => id === (one as { id: string }).id),
      );
    const time = (milliseconds: number) => encodeURIComponent(at(milliseconds));
    expect(await found(`key_id=${acme.keyId}`)).toEqual([0, 5]);
    expect(await found(`key_id=${acme.keyId}-other`)).toEqual([1, 2, 3, 4]);
    expect(await found('key_id=nobody')).toEqual([]);
    expect(await found('operation=upsert-batch')).toEqual([1, 2, 3]);
    expect(await found('operation=import-accounts')).toEqual([]);
    expect(await found('account_id=B%C3%9CCHER.de')).toEqual([2, 3, 5]);
    expect(await found('account_id=b')).toEqual([4]);
    expect(await found('account_id=nobody')).toEqual([]);
    expect(await found(`since=${time(1)}`)).toEqual([0, 1, 2, 3, 4]);
    expect(await found(`until=${time(2)}`)).toEqual([4, 5]);
    expect(await found(`since=${time(1)}&until=${time(2)}`)).toEqual([4]);
    const together = `key_id=${acme.keyId}-other&operation=upsert-batch&account_id=b%C3%BCcher.de&since=${time(2)}&until=${time(3)}`;
    expect((await acme.get(`/rejections?${together}`)).body).toEqual({ data: all.slice(2, 4), next: null });
    await acme.call('PATCH', '/settings', { account_ids: 'domain' });
    expect(await found('account_id=xn--bcher-kva.de')).toEqual([2, 3, 5]);
  });

  it.each([
    ['key_id=', { '/query/key_id': 'must NOT have fewer than 1 characters' }],
    [
      'operation=upsert',
      { '/query/operation': 'must be one of upsert-account, upsert-batch, import-accounts' },
    ],
    ['account_id=%20', { '/query/account_id': 'must not be blank' }],
    [`account_id=${'x'.repeat(192)}`, { '/query/account_id': 'must NOT have more than 191 characters' }],
    ['since=yesterday', { '/query/since': 'must be a timestamp such as 2027-01-31T12:00:00Z' }],
    ['until=2027-01-31', { '/query/until': 'must be a timestamp such as 2027-01-31T12:00:00Z' }],
    ['status=400', { '/query/status': 'is not known here' }],
  ])('reject the query %s', async (query, errors) => {
    const acme = await server.tenant();
    const answer = await acme.get(`/rejections?${query}`);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
  });

  it('continue with the same filters, in any order', async () => {
    const acme = await server.tenant();
    await send(acme, 'accounts', [{}, {}, {}]);
    const all = await listed(acme, 3);
    const batch = 'operation=upsert-batch';
    const { next } = (await acme.get(`/rejections?${batch}&key_id=${acme.keyId}&limit=2`)).body;
    const rest = await acme.get(`/rejections?cursor=${next}&key_id=${acme.keyId}&${batch}&limit=2`);
    expect(rest.body).toEqual({ data: all.slice(2), next: null });
    expect((await acme.get(`/rejections?cursor=${next}&${batch}`)).body).toEqual(
      invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' }),
    );
  });

  it.concurrent('are all counted in a flood, and partly stored', async () => {
    const acme = await server.tenant();
    const started = performance.now();
    for (let i = 0; i < 10; i += 1) {
      await Promise.all(Array.from({ length: 50 }, () => send(acme, 'account', { account_id: '' })));
    }
    const batch = Array.from({ length: 1_500 }, () => ({ account_id: '' }));
    for (let i = 0; i < 3; i += 1) await send(acme, 'accounts', batch);
    await eventually(async () =>
      expect((await acme.get('/stats?unit=minute')).body.data).toEqual([
        { start: at(), created: 0, updated: 0, archived: 0, restored: 0, deleted: 0, refused: 5_000 },
      ]),
    );
    const seconds = Math.ceil((performance.now() - started) / 1_000) + 1;
    const kept = (await acme.get('/rejections?limit=1000')).body.data.length;
    expect(kept).toBeGreaterThanOrEqual(50);
    expect(kept).toBeLessThanOrEqual(50 * seconds);
    const one = {
      requestId: 'r',
      senderId: 'k',
      runId: null,
      operation: 'o',
      status: 400,
      errors: null,
      problem: null,
    };
    const rejections = Array.from({ length: 1_500 }, (_, place) => ({
      ...one,
      at: server.now,
      place,
      accountId: null,
      record: null,
    }));
    const all = [{ tenantId: acme.id, rejections, total: new Map() }];
    await server.store.jobs.recordRejections(all, server.now);
    const places = (await acme.all('/rejections', 1_000)).map((entry) => (entry as { index: number }).index);
    expect(places).toEqual(Array.from({ length: 1_000 }, (_, i) => 1_499 - i));
  });

  it.each([
    ['in another case', 'ACME', 'acme', 'any'],
    ['in another script', 'bücher.de', 'xn--bcher-kva.de', 'domain'],
  ] as const)('goes with its account, sent %s, be it recorded yet or not', async (_how, sent, id, mode) => {
    const acme = await server.tenant({ accountIds: mode });
    await acme.sync({ account_id: id });
    await send(acme, 'account', { account_id: sent, licenses: 'recorded' });
    await listed(acme, 1);
    await send(acme, 'account', { account_id: sent, licenses: 'not yet' });
    expect((await acme.call('DELETE', `/accounts/${id}`)).status).toBe(204);
    server.now += 1;
    await acme.sync({ account_id: id });
    await send(acme, 'account', { account_id: sent, licenses: 'later' });
    await eventually(async () => {
      const { data } = (await acme.get('/rejections')).body;
      expect(data.map(({ record }: { record: unknown }) => record)).toEqual([
        { account_id: sent, licenses: 'later' },
      ]);
    });
  });

  it('are kept for a week', async () => {
    const acme = await server.tenant();
    await send(acme, 'account', {});
    await send(acme, 'account', { name: 7 });
    await listed(acme, 2);
    server.now += 7 * DAY;
    expect((await acme.get('/rejections')).body.data).toHaveLength(2);
    server.now += 1;
    expect((await acme.get('/rejections')).body).toEqual({ data: [], next: null });
  });

  it('are kept for the days that the tenant sets', async () => {
    const acme = await server.tenant({ rejectionDays: 30 });
    await send(acme, 'account', {});
    server.now += 8 * DAY;
    expect(await listed(acme, 1)).toEqual([rejection(acme, { problem: 'No data available.' })]);
    await acme.call('PATCH', '/settings', { rejection_days: 2 });
    expect((await acme.get('/rejections')).body).toEqual({ data: [], next: null });
    await acme.call('PATCH', '/settings', { rejection_days: 9 });
    expect((await acme.get('/rejections')).body.data).toHaveLength(1);
  });

  it('are removed with their account, in any spelling of its id', async () => {
    const acme = await server.tenant();
    const long = 'é'.repeat(191);
    await acme.sync({ account_id: 'acme' }, { account_id: long }, { account_id: 'other' });
    const ids = ['acme\0', ' \0ACME', 'ac\ud800me', 'acme', long.normalize('NFD'), `${long}\0`, 'other\0'];
    for (const account_id of ids) await send(acme, 'account', { account_id, licenses: 'many' });
    await listed(acme, ids.length);
    const ofAcme = await acme.get('/rejections?account_id=Acme');
    expect(ofAcme.body.data.map((one: { account_id: string }) => one.account_id)).toEqual([
      'acme',
      'ac\uFFFDme',
      '\uFFFDACME',
      'acme\uFFFD',
    ]);
    // Not written yet when the accounts are deleted.
    await send(acme, 'account', { account_id: 'acme\0', licenses: 'late' });
    for (const id of ['acme', encodeURIComponent(long)])
      expect((await acme.call('DELETE', `/accounts/${id}`)).status).toBe(204);
    await send(acme, 'account', { account_id: 'last', licenses: 'many' });
    const left = await listed(acme, 2);
    expect(left.map((one: { account_id: string }) => one.account_id)).toEqual(['last', 'other\uFFFD']);
  });
});
