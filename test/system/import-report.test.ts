import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';

const MANY = 'Account many, licenses has invalid integer value.';

describe('import', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([]);
  });
  afterAll(() => caller.end());

  const kept = (path: string) =>
    `The rejected rows are in ${path}. Correct them there and import that file.\n`;

  it('prints the result as JSON on standard output, and nothing else', async () => {
    const file = await caller.write('json.csv', 'Account ID,licenses\njson-1,1\nmany,many\n');
    const { status, stdout, stderr } = await caller.import(file, '--json');
    expect([status, JSON.parse(stdout)]).toEqual([
      1,
      {
        file,
        dry_run: false,
        is_complete: true,
        problem: null,
        is_resumable: false,
        run: '1',
        records: 2,
        line: 3,
        created: 1,
        updated: 0,
        unchanged: 0,
        skipped: 0,
        refused: 1,
        kept: 0,
        missing: null,
        seconds: expect.any(Number),
        rejects: caller.path('json.rejects.csv'),
        refusals: [
          {
            message: 'Account …, licenses has invalid integer value.',
            count: 1,
            line: 3,
            account_id: 'many',
            field: 'licenses',
            samples: [{ line: 3, account_id: 'many', value: 'many' }],
            accepted: 'a whole number: 12, -3, 1,000',
            add: '--convert "licenses=many:…" with the value to send instead, or --ignore "licenses" to leave the column out',
          },
        ],
        changes: [],
        columns: [
          { column: 'Account ID', field: 'account_id', type: 'id', conversions: [] },
          { column: 'licenses', field: 'licenses', type: 'integer', conversions: [] },
        ],
        repeated_ids: { same: 0, other_spelling: 0 },
      },
    ]);
    expect(stderr).toBe('');
  });

  it('prints nothing with --quiet, unless a record is rejected', async () => {
    const good = await caller.write('quiet.ndjson', '{"account_id":"quiet","licenses":1}\n');
    expect(await caller.import(good, '--quiet')).toEqual({ status: 0, stdout: '', stderr: '' });
    const bad = await caller.write('loud.json', '[{"account_id":"many","licenses":"many"},\n 1e400]');
    expect(await caller.import(bad, '--quiet', '--max-rejected', '100')).toEqual({
      status: 1,
      stdout: `2 records: 0 created, 0 updated, 0 unchanged, 2 rejected.

REJECTED  REASON
1         Account …, licenses has invalid integer value.
            line 1, many: "many"
            Accepted: a whole number: 12, -3, 1,000
            Add --convert "licenses=many:…" with the value to send instead, or --ignore "licenses" to leave the column out
1         account_id does not exist.
            line 2

${kept(caller.path('loud.rejects.ndjson'))}`,
      stderr: '',
    });
    expect(await readFile(caller.path('loud.rejects.ndjson'), 'utf8')).toBe(
      `{"rejected_because":{"line":1,"account_id":"many","messages":["${MANY}"]},"account_id":"many","licenses":"many"}\n` +
        '{"rejected_because":{"line":2,"account_id":null,"messages":["account_id does not exist."],"text":"1e400"}}\n',
    );
  });

  it('clears the stored value for an empty cell, or keeps it with --empty keep', async () => {
    await caller.client.upsert({ account_id: 'empty', name: 'Acme', licenses: 5 });
    const file = await caller.write('empty.csv', 'account_id,name,licenses\nempty,,\n');
    const { stderr, ...kept } = await caller.import(file, '--empty', 'keep');
    expect(kept).toEqual({
      status: 0,
      stdout: '1 record: 0 created, 0 updated, 1 unchanged, 0 rejected.\n',
    });
    expect(stderr.split('\n')[0]).toBe(
      `${file}: CSV, separated by commas. An empty cell keeps the stored value (--empty clear clears it).`,
    );
    expect(await caller.import(file, '--quiet')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(await caller.stored({ id_prefix: 'empty' })).toEqual([
      { account_id: 'empty', parent_account_id: null, name: null, fields: {} },
    ]);
  });

  it('sends at most --limit records, and continues after them with --resume', async () => {
    const rows = ['limit-1,1', 'many,many', 'limit-3,1', 'many-more,many', 'limit-5,1'];
    const file = await caller.write('limit.csv', `account_id,licenses\n${rows.join('\n')}\n`);
    const rejects = caller.path('limit.rejects.csv');
    const counts = async (...args: string[]) => {
      const { status, stdout, stderr } = await caller.import(file, ...args);
      return [status, stdout.split('\n')[0], stderr.split('\n').slice(6).join('\n')];
    };
    const started = [1, '3 records: 2 created, 0 updated, 0 unchanged, 1 rejected.', ''];
    expect(await counts('--limit', '3')).toEqual(started);
    expect(await caller.files()).toContain('limit.csv.progress');
    expect(await caller.stored({ id_prefix: 'limit' })).toMatchObject([
      { account_id: 'limit-1' },
      { account_id: 'limit-3' },
    ]);
    expect(await counts('--resume')).toEqual([
      1,
      '5 records: 3 created, 0 updated, 0 unchanged, 2 rejected.',
      'Continuing after 3 records, at line 4.\n\n',
    ]);
    expect(await caller.files()).not.toContain('limit.csv.progress');
    expect(
      await readFile(rejects, 'utf8'),
    ).toBe(`rejected_line,rejected_id,rejected_because,account_id,licenses
3,many,"${MANY}",many,many
5,many-more,"Account many-more, licenses has invalid integer value.",many-more,many
`);
    expect(await counts('--resume')).toEqual([
      1,
      '5 records: 0 created, 0 updated, 3 unchanged, 2 rejected.',
      'No interrupted import of this file was found. Starting from the beginning.\n\n',
    ]);
  });
});
