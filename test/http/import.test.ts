import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, databases } from '../databases.js';
import { dumpTables } from '../dump-tables.js';
import {
  asLines,
  forms,
  importBody,
  JSON_ARRAY,
  NDJSON,
  openImport,
  post,
  type Target,
} from './import-request.js';
import { RunningServer } from './running-server.js';

const MAX_BYTES = 64 * 1024;
const BROKEN = 'Something failed on our side; the log tells what, under the request id.';

describe.each(databases)('an import on %s', (_name, createDatabase) => {
  let database: Database;
  let server: RunningServer;
  let url: string;
  let tenants = 0;

  const start = async () => {
    const store = { database: database.url };
    server = await RunningServer.start({ store, config: { maxBodyBytes: MAX_BYTES }, clock: () => 1_000 });
    url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  };
  /** A tenant that has nothing stored. */
  const freshTarget = async (): Promise<Target & { name: string; tenantId: number }> => {
    tenants += 1;
    const name = `tenant-${tenants}`;
    const key = await server.addTenant(name);
    const tenant = await server.store.directory.findTenant({ name });
    return { url, key, name, tenantId: tenant?.id ?? 0 };
  };

  beforeAll(async () => {
    database = await createDatabase();
    await start();
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    await database.remove();
  }, 60_000);

  describe.each(forms)('of %s', (_form, type, write) => {
    it('tells what became of each record, in order', async () => {
      const target = await freshTarget();
      await importBody(
        target,
        type,
        write([
          { account_id: 'old', name: 'Old' },
          { account_id: 'same', licenses: 1 },
        ]),
      );
      const { lines, summary } = await importBody(
        target,
        type,
        write([
          { account_id: ' New ', name: 'New', custom_X: { deep: [1] } },
          { account_id: 'OLD', name: 'Older', parent_account_id: 'NEW' },
          { account_id: ' Bad ', licenses: 'many', name: 7 },
          { account_id: 'same', licenses: '1' },
          { name: 'Nobody' },
          null,
          { account_id: 'new', name: null },
        ]),
      );
      const ofBad = ['The name must be a string.', 'Account Bad, licenses has invalid integer value.'];
      const missing = { account_id: ['account_id does not exist.'] };
      expect(lines).toEqual([
        { index: 0, account_id: 'new', status: 'created', changed: ['name', 'custom_X'] },
        { index: 1, account_id: 'old', status: 'updated', changed: ['parent_account_id', 'name'] },
        { index: 2, account_id: 'Bad', status: 'failed', errors: { name: [ofBad[0]], licenses: [ofBad[1]] } },
        { index: 3, account_id: 'same', status: 'unchanged', changed: [] },
        { index: 4, account_id: null, status: 'failed', errors: missing },
        { index: 5, account_id: null, status: 'failed', errors: missing },
        { index: 6, account_id: 'new', status: 'updated', changed: ['name'] },
      ]);
      expect(summary).toEqual({
        records: 7,
        created: 1,
        updated: 2,
        unchanged: 1,
        failed: 3,
        dry_run: false,
        is_complete: true,
        problem: null,
      });
      expect(await server.store.accounts.find(target.tenantId, 'new')).toMatchObject({
        fields: { custom_X: { deep: [1] } },
        revision: 2,
      });
    });

    it('applies records of one account in order, over all groups', async () => {
      const target = await freshTarget();
      const records = Array.from({ length: 1_000 }, (_, i) => ({ account_id: `a-${i % 3}`, licenses: i }));
      const { lines, summary } = await importBody(target, type, write(records));
      expect(lines).toEqual(
        records.map(({ account_id }, index) => {
          return { index, account_id, status: index < 3 ? 'created' : 'updated', changed: ['licenses'] };
        }),
      );
      expect(summary).toMatchObject({ records: 1_000, created: 3, updated: 997 });
      const history = await server.store.accounts.history(target.tenantId, 'a-0');
      expect(history.map(({ changes }) => changes.licenses?.[1])).toEqual(
        records.filter((_, i) => i % 3 === 0).map(({ licenses }) => licenses),
      );
    });

    it('says of a bad record what the batch says', async () => {
      const target = await freshTarget();
      const bad: unknown[] = [
        { account_id: 'x'.repeat(192), name: 'n'.repeat(192), parent_account_id: 'p'.repeat(192) },
        { account_id: 'null' },
        { account_id: 'a', parent_account_id: ' A ', custom_Is_Valid: 'yes', created_at: 1 },
        { account_id: 'a', parent_account_id: {}, custom_External_Created_On: '2021-02-30', 7: 2 ** 60 },
        { account_id: 'a\u0000', region: 2 ** 60, text: '\ud800' },
        { account_id: {}, licenses: [] },
        [{ account_id: 'a' }],
        'a',
      ];
      const { lines } = await importBody(target, type, write(bad));
      for (const [i, record] of bad.entries()) {
        const answer = await server.post('/api/v1_1/accounts', target.key, [record]);
        expect(lines[i]?.errors).toEqual(answer.json().errors_by_attributes[0]);
        expect(lines[i]).toMatchObject({ index: i, status: 'failed' });
      }
    });

    it('that is a trial tells the same, and changes no table', async () => {
      const target = await freshTarget();
      await importBody(target, type, write([{ account_id: 'old', name: 'Old' }, { account_id: 'same' }]));
      const records = [
        ...Array.from({ length: 450 }, (_, i) => ({ account_id: `a-${i % 300}`, licenses: i })),
        { account_id: 'old', name: null, custom_Y: 1 },
        { account_id: 'same' },
        { account_id: 'bad', licenses: 'many' },
        { account_id: 'old', name: 'New' },
      ];
      await server.stop();
      const before = await dumpTables(database.url);
      await start();
      const trial = await importBody({ ...target, url }, type, write(records), '?dry_run=true');
      const refused = await post({ ...target, url }, type, '', '?dry_run=true');
      expect(refused.status).toBe(400);
      await server.stop();
      expect(await dumpTables(database.url)).toEqual(before);
      await start();
      const real = await importBody({ ...target, url }, type, write(records));
      expect(trial.lines).toEqual(real.lines);
      expect(trial.summary).toEqual({ ...real.summary, dry_run: true });
      expect(real.summary).toMatchObject({
        records: 454,
        created: 300,
        updated: 152,
        unchanged: 1,
        failed: 1,
      });
    }, 30_000);
  });

  it('goes on behind lines that are no JSON, are not taken, or are too large', async () => {
    const target = await freshTarget();
    const body = [
      '\ufeff{"account_id":"a"}\r',
      '',
      '{"account_id":',
      '{"account_id":"b"} {"account_id":"c"}',
      `{"account_id":"large","x":"${'x'.repeat(3 * MAX_BYTES)}"}`,
      '{"account_id":"d","__proto__":{}}',
      `{"account_id":"e","x":${'['.repeat(40)}${']'.repeat(40)}}`,
      '   ',
      '{"account_id":"f"}',
    ].join('\n');
    const { lines, summary } = await importBody(target, NDJSON, body);
    const failed = (index: number, problem: string) => ({
      index,
      account_id: null,
      status: 'failed',
      problem,
    });
    expect(lines).toEqual([
      { index: 0, account_id: 'a', status: 'created', changed: [] },
      failed(1, 'The record is not valid JSON: unexpected end at line 1, column 15.'),
      failed(2, 'The record is not valid JSON: unexpected character at line 1, column 20.'),
      failed(3, 'A record may not be larger than 65536 bytes.'),
      failed(4, 'The record may not contain the key __proto__.'),
      failed(5, 'The record may not be nested deeper than 32 levels.'),
      { index: 6, account_id: 'f', status: 'created', changed: [] },
    ]);
    expect(summary).toMatchObject({ records: 7, created: 2, failed: 5, is_complete: true, problem: null });
  });

  it('of bytes that are no UTF-8 fails for that record', async () => {
    const target = await freshTarget();
    const body = Buffer.from('{"account_id":"\xff"}\n{"account_id":"a"}', 'latin1');
    const answer = await post(target, NDJSON, body);
    expect(
      (await answer.text())
        .split('\n')
        .slice(0, 2)
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { index: 0, account_id: null, status: 'failed', problem: 'The record is not valid UTF-8.' },
      { index: 1, account_id: 'a', status: 'created', changed: [] },
    ]);
  });

  it.each([
    [
      'that is cut',
      '[{"account_id":"a"},{"account_id":"b"',
      'Record 1: The body ends before the array does.',
    ],
    [
      'without a comma',
      '[{"account_id":"a"} {"account_id":"b"}]',
      'Record 1: A comma or the end of the array has to come before this record.',
    ],
    [
      'with a record that is no JSON',
      '[{"account_id":"a"},{"account_id"},{"account_id":"b"}]',
      'Record 1: The record is not valid JSON: unexpected character at line 1, column 14.',
    ],
    [
      'with a record that is too large',
      `[{"account_id":"a"},{"account_id":"b","x":"${'x'.repeat(3 * MAX_BYTES)}"},{"account_id":"c"}]`,
      'Record 1: A record may not be larger than 65536 bytes.',
    ],
  ])('ends where an array is broken: one %s', async (_what, body, problem) => {
    const target = await freshTarget();
    const { lines, summary } = await importBody(target, JSON_ARRAY, body);
    expect(lines).toEqual([{ index: 0, account_id: 'a', status: 'created', changed: [] }]);
    expect(summary).toEqual({
      records: 1,
      created: 1,
      updated: 0,
      unchanged: 0,
      failed: 0,
      dry_run: false,
      is_complete: false,
      problem,
    });
    expect(await server.store.accounts.find(target.tenantId, 'b')).toBeUndefined();
  });

  it('of an empty array is complete, and of nothing', async () => {
    const { lines, summary } = await importBody(await freshTarget(), JSON_ARRAY, ' [ ] ');
    expect(lines).toEqual([]);
    expect(summary).toMatchObject({ records: 0, is_complete: true, problem: null });
  });

  it.each([
    ['no bytes', NDJSON, '', 400, 'No data available.'],
    ['no bytes of any type', 'text/csv', '', 400, 'No data available.'],
    ['white space', JSON_ARRAY, ' \n ', 400, 'No data available.'],
    [
      'an object where an array is due',
      JSON_ARRAY,
      '{"account_id":"a"}',
      400,
      'The body must be a JSON array, or have the Content-Type application/x-ndjson.',
    ],
    [
      'another type',
      'text/csv',
      'account_id\na',
      415,
      'The Content-Type must be application/x-ndjson, or application/json for an array.',
    ],
    [
      'what is no type',
      'nonsense',
      '{}',
      415,
      'The Content-Type must be application/x-ndjson, or application/json for an array.',
    ],
  ])('is refused as a whole where the body is %s', async (_what, type, body, status, detail) => {
    const answer = await post(await freshTarget(), type, body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await answer.json()).toEqual({
      type: `urn:problem:account-sync:${status === 400 ? 'invalid-request' : 'unsupported-media-type'}`,
      title: status === 400 ? 'Bad Request' : 'Unsupported Media Type',
      status,
      detail,
      request_id: answer.headers.get('x-request-id'),
      errors: [],
    });
  });

  it('is refused where it is compressed, or the query is wrong', async () => {
    const target = await freshTarget();
    const headers = { 'content-type': NDJSON, 'content-encoding': 'gzip' };
    const compressed = await server.post('/api/v2/accounts/import', target.key, {}, { headers });
    expect([compressed.statusCode, compressed.json().detail]).toEqual([
      415,
      'The Content-Encoding gzip is not supported: send the body uncompressed.',
    ]);
    const wrong = await post(target, NDJSON, '{}', '?dry_run=perhaps');
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({
      errors: [{ pointer: '/query/dry_run', detail: 'must be boolean' }],
    });
  });

  it('leaves its refusals and its records to be found', async () => {
    const target = await freshTarget();
    const body = '{"account_id":"Bad","licenses":"many"}\n{"account_id":"good"}\nnonsense\n';
    await importBody(target, NDJSON, body);
    await importBody(target, JSON_ARRAY, '[{"account_id":"good"}');
    await server.stop();
    expect(server.log).toContainEqual(
      expect.objectContaining({ operation: 'import-accounts', status: 200, records: 3, key: target.name }),
    );
    await start();
    const range = { before: undefined, limit: 10, oldest: 0 };
    const noted = await server.store.rejections.page(target.tenantId, range);
    const common = {
      id: expect.any(Number),
      at: 1_000,
      requestId: expect.any(String),
      keyId: target.name,
      operation: 'import-accounts',
      status: 400,
    };
    const nothing = { accountId: null, errors: null, record: null };
    expect(noted).toEqual([
      { ...common, ...nothing, place: 1, problem: 'The body ends before the array does.' },
      {
        ...common,
        ...nothing,
        place: 2,
        problem: 'The record is not valid JSON: unexpected character at line 1, column 1.',
      },
      {
        ...common,
        place: 0,
        accountId: 'Bad',
        errors: { licenses: ['Account Bad, licenses has invalid integer value.'] },
        problem: null,
        record: { account_id: 'Bad', licenses: 'many' },
      },
    ]);
  });

  it('begins its answer before the body has ended, and tells of a group once it is stored', async () => {
    const target = await freshTarget();
    const request = openImport(target, NDJSON);
    request.write('{"account_id":"first"}\n');
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(200);
    request.write(asLines(Array.from({ length: 199 }, (_, i) => ({ account_id: `a-${i}` }))));
    const [chunk] = await once(response, 'data');
    expect(String(chunk)).toContain('{"index":0,"account_id":"first","status":"created","changed":[]}\n');
    expect(await server.store.accounts.find(target.tenantId, 'first')).toBeDefined();
    request.end();
    await once(response.resume(), 'end');
  });

  it('follows settings that change meanwhile, and ends where its key is revoked', async () => {
    const target = await freshTarget();
    const { directory } = server.store;
    const request = openImport(target, NDJSON);
    const group = (stem: string) =>
      asLines(Array.from({ length: 200 }, (_, i) => ({ account_id: `${stem}-${i}` })));
    request.write(group('before'));
    const [response] = await once(request, 'response');
    let told = '';
    response.on('data', (chunk: Buffer) => {
      told += chunk;
    });
    const tell = (line: string) => expect.poll(() => told, { timeout: 5_000, interval: 20 }).toContain(line);
    await tell('{"index":199,');
    await directory.blocked.add(target.tenantId, '*.blocked');
    // Caches are up to half a second old.
    await expect
      .poll(async () => (await post(target, NDJSON, '{"account_id":"x.blocked"}', '?dry_run=true')).text(), {
        timeout: 5_000,
      })
      .toContain('"failed":1');
    request.write(`{"account_id":"y.blocked"}\n${group('after')}`);
    await tell('{"index":200,"account_id":"y.blocked","status":"failed"');
    await directory.keys.revoke(target.tenantId, target.name, 1);
    await expect.poll(async () => (await post(target, NDJSON, '{}')).status, { timeout: 5_000 }).toBe(401);
    request.write(group('late'));
    await tell('"is_complete":false,"problem":"Record 401: The key is not live any more."');
    expect(await server.store.accounts.find(target.tenantId, 'late-0')).toBeUndefined();
    request.destroy();
  });

  it('that is left half-way has stored whole records only, and the server goes on', async () => {
    const target = await freshTarget();
    const request = openImport(target, NDJSON);
    request.on('error', () => {});
    const record = (i: number) => ({ account_id: `a-${i}`, name: `Name ${i}`, licenses: i });
    request.write(asLines(Array.from({ length: 1_000 }, (_, i) => record(i))));
    request.write('{"account_id":"a-1000","name":"Na');
    const [response] = await once(request, 'response');
    response.on('error', () => {});
    const [chunk] = await once(response, 'data');
    const [told] = String(chunk).split('\n');
    expect(JSON.parse(told ?? '')).toMatchObject({ index: 0, status: 'created' });
    request.destroy();
    await expect
      .poll(() => server.log, { timeout: 4_000 })
      .toContainEqual(expect.objectContaining({ msg: 'import broke off' }));
    expect((await importBody(target, NDJSON, '{"account_id":"next"}')).summary.created).toBe(1);
    const ids = Array.from({ length: 1_001 }, (_, i) => `a-${i}`);
    const stored = await server.store.accounts.findAll(target.tenantId, ids);
    expect(stored.size).toBeGreaterThanOrEqual(200);
    expect(stored.has('a-1000')).toBe(false);
    for (const { accountId, fields } of stored.values()) {
      const { account_id, ...sent } = record(Number(accountId.slice(2)));
      expect([accountId, fields]).toEqual([account_id, sent]);
    }
  });

  it('waits for a caller that does not read, and gives it every line in the end', async () => {
    const target = await freshTarget();
    const connected = once(server.app.server, 'connection');
    const request = openImport(target, NDJSON);
    // The answer is longer than the body, so that it fills all that lies between both ends.
    const bad = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, 2 ** 60]));
    const line = `${JSON.stringify({ account_id: 'a'.repeat(100), pad: 'x'.repeat(2_000), ...bad })}\n`;
    const records = 8_000;
    for (let i = 0; i < records; i += 1) request.write(line);
    request.end();
    const [response] = await once(request, 'response');
    const [socket] = await connected;
    await stalled(() => socket.bytesRead);
    expect(socket.bytesRead).toBeLessThan(records * line.length);
    let lines = 0;
    for await (const chunk of response) lines += String(chunk).split('\n').length - 1;
    expect(lines).toBe(records + 1);
  }, 60_000);

  it.each([
    ['is refused', `{"account_id":"a","x":"${'x'.repeat(5_000_000)}"}`, 400],
    ['ends early', `[{"account_id":"a"} nonsense ${'x'.repeat(5_000_000)}`, 200],
  ])('that %s leaves its connection to the next request', async (_what, body, status) => {
    const { key } = await freshTarget();
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    for (const each of [body, '[{"account_id":"b"}]']) {
      const head = ['POST /api/v2/accounts/import HTTP/1.1', 'Host: a', `Authorization: Bearer ${key}`];
      head.push(`Content-Type: ${JSON_ARRAY}`, `Content-Length: ${each.length}`);
      socket.write(`${head.join('\r\n')}\r\n\r\n${each}`);
    }
    const statuses = () => [...text.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, code]) => Number(code));
    await expect.poll(statuses, { timeout: 4_000 }).toEqual([status, 200]);
    socket.destroy();
  });

  it('has to wait where twenty of its tenant are under way', async () => {
    const target = await freshTarget();
    const open = Array.from({ length: 20 }, () => openImport(target, NDJSON));
    await Promise.all(
      open.map(async (request) => {
        request.write('{"account_id":"a"}\n');
        await once(request, 'response');
      }),
    );
    const answer = await post(target, NDJSON, '{"account_id":"b"}\n');
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      429,
      '10',
      expect.objectContaining({
        type: 'urn:problem:account-sync:rate-limited',
        detail: '20 imports of this tenant are under way: wait until one has ended.',
      }),
    ]);
    expect((await post(await freshTarget(), NDJSON, '{"account_id":"b"}\n')).status).toBe(200);
    for (const request of open) {
      request.on('response', (response) => response.resume());
      request.end();
    }
    await expect
      .poll(async () => (await post(target, NDJSON, '{"account_id":"b"}\n')).status, { timeout: 5_000 })
      .toBe(200);
    for (const request of open) request.destroy();
  });

  it('that the server stops in says where to go on', async () => {
    const target = await freshTarget();
    const request = openImport(target, NDJSON);
    request.write('{"account_id":"a"}\n');
    const [response] = await once(request, 'response');
    let text = '';
    response.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    // Though it sends no more, and does not end.
    const ended = once(response, 'end');
    await server.stop();
    await ended;
    request.destroy();
    await start();
    const [summary] = text.trimEnd().split('\n').slice(-1);
    expect(JSON.parse(summary ?? '').summary).toMatchObject({
      records: 1,
      created: 1,
      is_complete: false,
      problem: 'Record 1: The service is stopping. Send this record and those behind it again.',
    });
  });
});

/** Resolves when a number has not changed for a while. */
async function stalled(read: () => number): Promise<void> {
  let last = -1;
  let times = 0;
  await expect
    .poll(
      () => {
        const now = read();
        times = now === last ? times + 1 : 0;
        last = now;
        return times;
      },
      { interval: 50, timeout: 30_000 },
    )
    .toBeGreaterThan(20);
}

describe('an import, where the store', () => {
  let server: RunningServer;

  it('fails, says so of the group, and ends', async () => {
    server = await RunningServer.start();
    const key = await server.addTenant('acme');
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    server.breakDatabase('drop table account_history');
    const body = asLines([{ account_id: 'A' }, { licenses: 'x' }, { account_id: 'b' }]);
    const { lines, summary } = await importBody({ url, key }, NDJSON, body);
    expect(lines).toEqual([
      { index: 0, account_id: 'a', status: 'failed', problem: BROKEN },
      { index: 1, account_id: null, status: 'failed', errors: expect.any(Object) },
      { index: 2, account_id: 'b', status: 'failed', problem: BROKEN },
    ]);
    expect(summary).toMatchObject({ records: 3, failed: 3, is_complete: false, problem: BROKEN });
    const [failure] = server.log.filter(({ msg }) => msg === 'import failed');
    const [line] = server.log.filter(({ msg }) => msg === 'request');
    expect(failure).toMatchObject({ id: line?.id });
    expect(JSON.stringify(failure)).toContain('no such table');
    await server.stop();
  });

  it('has no room, waits until it has', async () => {
    server = await RunningServer.start({ store: { queueLimits: { records: 1, bytes: 1_000 } } });
    const key = await server.addTenant('acme');
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const imports = ['a', 'b', 'c', 'd'].map((name) => {
      const records = Array.from({ length: 900 }, (_, i) => ({ account_id: `${name}-${i}` }));
      return importBody({ url, key }, NDJSON, asLines(records));
    });
    for (const { summary } of await Promise.all(imports)) {
      expect(summary).toMatchObject({ records: 900, created: 900, is_complete: true });
    }
    await server.stop();
  });
});
