import { describe, expect, it } from 'vitest';
import type { UpsertCounts } from '../../dist/store/requests.js';
import { databases } from '../support/databases.js';
import { dumpTables } from '../support/dump-tables.js';
import { forms, importBody, JSON_ARRAY, NDJSON, post } from './import-request.js';
import { ImportServer, MAX_BYTES } from './import-server.js';

describe.each(databases)('an import on %s', (_name, createDatabase) => {
  const server = new ImportServer(createDatabase);

  describe.each(forms)('of %s', (_form, type, write) => {
    it('returns the result of each record, in order', async () => {
      const target = await server.freshTarget();
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
        skipped: 0,
        failed: 3,
        kept: 0,
        dry_run: false,
        is_complete: true,
        problem: null,
      });
      expect(await server.running.store.accounts.find(target.tenantId, 'new')).toMatchObject({
        fields: { custom_X: { deep: [1] } },
        revision: 2,
      });
    });

    it('applies records of one account in order, across groups', async () => {
      const target = await server.freshTarget();
      const records = Array.from({ length: 1_000 }, (_, i) => ({ account_id: `a-${i % 3}`, licenses: i }));
      const { lines, summary } = await importBody(target, type, write(records));
      expect(lines).toEqual(
        records.map(({ account_id }, index) => {
          return { index, account_id, status: index < 3 ? 'created' : 'updated', changed: ['licenses'] };
        }),
      );
      expect(summary).toMatchObject({ records: 1_000, created: 3, updated: 997 });
      const history = await server.running.store.history.read(target.tenantId, 'a-0');
      expect(history.map(({ changes }) => changes.licenses?.[1])).toEqual(
        records.filter((_, i) => i % 3 === 0).map(({ licenses }) => licenses),
      );
    });

    it('reports the same messages for an invalid record as the batch', async () => {
      const target = await server.freshTarget();
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
        const answer = await server.running.post('/api/v1_1/accounts', target.key, [record]);
        expect(lines[i]?.errors).toEqual(answer.json().errors_by_attributes[0]);
        expect(lines[i]).toMatchObject({ index: i, status: 'failed' });
      }
    });

    it('that is a dry run returns the same results, and changes no table', async () => {
      const target = await server.freshTarget();
      await importBody(target, type, write([{ account_id: 'old', name: 'Old' }, { account_id: 'same' }]));
      const records = [
        ...Array.from({ length: 450 }, (_, i) => ({ account_id: `a-${i % 300}`, licenses: i })),
        { account_id: 'old', name: null, custom_Y: 1 },
        { account_id: 'same' },
        { account_id: 'bad', licenses: 'many' },
        { account_id: 'old', name: 'New' },
      ];
      await server.running.stop();
      const before = await dumpTables(server.databaseUrl);
      await server.start();
      const trial = await importBody({ ...target, url: server.url }, type, write(records), '?dry_run=true');
      const rejected = await post({ ...target, url: server.url }, type, '', '?dry_run=true');
      expect(rejected.status).toBe(400);
      await server.running.stop();
      expect(await dumpTables(server.databaseUrl)).toEqual(before);
      await server.start();
      const real = await importBody({ ...target, url: server.url }, type, write(records));
      expect(trial.lines).toEqual(real.lines);
      expect(trial.summary).toEqual({ ...real.summary, dry_run: true });
      expect(real.summary).toMatchObject({
        records: 454,
        created: 300,
        updated: 152,
        unchanged: 1,
        skipped: 0,
        failed: 1,
        kept: 0,
      });
    }, 30_000);
  });

  it('stores a small body in one group, also if its last line does not end', async () => {
    const target = await server.freshTarget();
    const groups: UpsertCounts[] = [];
    server.running.store.observe({ groupCommitted: (counts) => groups.push(counts) });
    await importBody(target, NDJSON, '{"account_id":"a"}\n{"account_id":"a","name":"A"}');
    expect(groups).toEqual([
      { created: 1, updated: 1, unchanged: 0, skipped: 0, archived: 0, restored: 0, deleted: 0 },
    ]);
  });

  it('continues after lines that are not JSON, are rejected, or are too large', async () => {
    const target = await server.freshTarget();
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

  it('rejects a record that is not UTF-8', async () => {
    const target = await server.freshTarget();
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
  ])('ends at an invalid array: one %s', async (_what, body, problem) => {
    const target = await server.freshTarget();
    const { lines, summary } = await importBody(target, JSON_ARRAY, body);
    expect(lines).toEqual([{ index: 0, account_id: 'a', status: 'created', changed: [] }]);
    expect(summary).toEqual({
      records: 1,
      created: 1,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 0,
      kept: 0,
      dry_run: false,
      is_complete: false,
      problem,
    });
    expect(await server.running.store.accounts.find(target.tenantId, 'b')).toBeUndefined();
  });

  it('of an empty array is complete, without records', async () => {
    const { lines, summary } = await importBody(await server.freshTarget(), JSON_ARRAY, ' [ ] ');
    expect(lines).toEqual([]);
    expect(summary).toMatchObject({ records: 0, is_complete: true, problem: null });
  });

  it.each([
    ['no bytes', NDJSON, '', 400, 'no_data', 'No data available.'],
    ['no bytes of any type', 'text/csv', '', 400, 'no_data', 'No data available.'],
    ['white space', JSON_ARRAY, ' \n ', 400, 'no_data', 'No data available.'],
    [
      'an object where an array is due',
      JSON_ARRAY,
      '{"account_id":"a"}',
      400,
      'not_an_array',
      'The body must be a JSON array, or have the Content-Type application/x-ndjson.',
    ],
    [
      'another type',
      'text/csv',
      'account_id\na',
      415,
      'content_type_not_records',
      'The Content-Type must be application/x-ndjson, or application/json for an array.',
    ],
    [
      'what is no type',
      'nonsense',
      '{}',
      415,
      'content_type_not_records',
      'The Content-Type must be application/x-ndjson, or application/json for an array.',
    ],
  ])('is rejected as a whole if the body is %s', async (_what, type, body, status, code, detail) => {
    const answer = await post(await server.freshTarget(), type, body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await answer.json()).toEqual({
      type: `urn:problem:account-sync:${status === 400 ? 'invalid-request' : 'unsupported-media-type'}`,
      title: status === 400 ? 'Bad Request' : 'Unsupported Media Type',
      status,
      detail,
      code,
      request_id: answer.headers.get('x-request-id'),
      errors: [],
    });
  });

  it('is rejected if it is compressed or the query is invalid', async () => {
    const target = await server.freshTarget();
    const headers = { 'content-type': NDJSON, 'content-encoding': 'gzip' };
    const compressed = await server.running.post('/api/v2/accounts/import', target.key, {}, { headers });
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

  it('records its rejections, and stores its records', async () => {
    const target = await server.freshTarget();
    const body = '{"account_id":"Bad","licenses":"many"}\n{"account_id":"good"}\nnonsense\n';
    await importBody(target, NDJSON, body);
    await importBody(target, JSON_ARRAY, '[{"account_id":"good"}');
    await server.running.stop();
    expect(server.running.log).toContainEqual(
      expect.objectContaining({ operation: 'import-accounts', status: 200, records: 3, key: target.name }),
    );
    await server.start();
    const range = { before: undefined, limit: 10, oldest: 0 };
    const noted = await server.running.store.rejections.page(target.tenantId, range);
    const common = {
      id: expect.any(Number),
      at: 1_000,
      requestId: expect.any(String),
      senderId: target.name,
      source: 'default',
      user: null,
      runId: expect.any(Number),
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
});
