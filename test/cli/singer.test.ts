import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImportCaller } from './import-caller.js';
import { BILLING, CRM, MAPPING } from './singer-messages.js';

const DECLARED = [
  { name: 'custom_Employees', type: 'integer' },
  { name: 'custom_Renewal', type: 'date' },
  { name: 'custom_Contract', type: 'text' },
  { name: 'custom_Mrr', type: 'decimal' },
] as const;

const lines = (...states: { value: unknown }[]) =>
  states.map(({ value }) => `${JSON.stringify(value)}\n`).join('');

describe('the Singer target', () => {
  let caller: ImportCaller;
  let mapping: string;
  let rejects: string;
  beforeAll(async () => {
    caller = await ImportCaller.start(DECLARED);
    mapping = await caller.write('singer.json', JSON.stringify(MAPPING));
    rejects = caller.path('rejects.ndjson');
  });
  afterAll(() => caller.end());
  beforeEach(() => rm(rejects, { force: true }));

  const singer = (messages: readonly (object | string)[], ...args: string[]) =>
    caller.singer(messages, '--mapping', mapping, '--rejects', rejects, ...args);
  const field = async (id: string, name: string) => (await caller.client.get(id))?.fields[name];

  it('stores the records of several streams, and prints states only', async () => {
    const { status, stdout, stderr } = await singer([
      { type: 'STATE', value: { current_stream: 'Account' } },
      CRM.schema,
      CRM.record({
        Id: '001A',
        Name: 'Acme',
        ParentId: null,
        NumberOfEmployees: 120,
        Renewal__c: '2027-01-31T00:00:00.000000Z',
        Contract__c: 1001,
        BillingAddress: { city: 'Bonn' },
        SystemModstamp: '2026-11-17T09:00:00.000000Z',
      }),
      CRM.record({ Id: '001B', Name: 'Acme Berlin', ParentId: '001A' }),
      CRM.activate,
      CRM.state('2026-11-17T09:00:00.000000Z'),
      { type: 'SCHEMA', stream: 'Contact', schema: { properties: {} }, key_properties: ['Id'] },
      { type: 'RECORD', stream: 'Contact', record: { Id: '003A' } },
      BILLING.schema,
      BILLING.record({
        id: 7,
        customer: '001a',
        seats: 25,
        mrr: '1200.50',
        updated_at: '2026-11-17T10:00:00Z',
      }),
      BILLING.record({ id: 8, customer: '001b', seats: null, _sdc_deleted_at: '2026-11-17T11:00:00Z' }),
      BILLING.state('2026-11-17T11:00:00+00:00'),
    ]);
    expect(status).toBe(0);
    expect(stdout.split('\n').slice(-2)).toEqual(
      lines(BILLING.state('2026-11-17T11:00:00+00:00')).split('\n'),
    );
    expect(stderr).toBe(`Stream Account:

PROPERTY           FIELD              TYPE
Id                 account_id         id                 the key
Name               name               text               by its name
ParentId           parent_account_id  id                 by its name
NumberOfEmployees  custom_Employees   integer            mapping
Renewal__c         custom_Renewal     date               mapping
Contract__c        custom_Contract    text               mapping
BillingAddress     custom_Address     any: not declared  mapping
SystemModstamp     – not sent                            mapping

The stream Contact is not mapped, so it is not sent.
Stream billing-subscriptions:

PROPERTY         FIELD       TYPE
id               – not sent           mapping
customer         account_id  id       mapping
seats            licenses    integer  mapping
mrr              custom_Mrr  decimal  mapping
updated_at       – not sent           mapping
_sdc_deleted_at  – not sent           metadata

3 records: 2 created, 1 updated, 0 unchanged, 0 rejected.
1 record is marked as deleted at the source, and was not sent: 001b
`);
    expect(await caller.stored({ id_prefix: '001' })).toEqual([
      {
        account_id: '001a',
        parent_account_id: null,
        name: 'Acme',
        fields: {
          custom_Employees: 120,
          custom_Renewal: '2027-01-31',
          custom_Contract: '1001',
          custom_Address: { city: 'Bonn' },
          licenses: 25,
          custom_Mrr: 1200.5,
        },
      },
      { account_id: '001b', parent_account_id: '001a', name: 'Acme Berlin', fields: {} },
    ]);
  });

  it('belongs to one run, which does not ask what is missing', async () => {
    await caller.client.openRun({ missing: 'report' }).then(({ id }) => caller.client.finishRun(id));
    await singer([CRM.schema, CRM.record({ Id: 'run-1' }), CRM.state('a'), CRM.record({ Id: 'run-2' })]);
    const [run] = (await caller.get<{ data: object[] }>('/api/v2/runs?limit=1')).data;
    expect(run).toMatchObject({ state: 'finished', created: 2, rejected: 0, missing: null });
  });

  it('writes rejected records with their reasons to a file, which import reads when it is corrected', async () => {
    const messages = [
      CRM.schema,
      BILLING.schema,
      CRM.record({ Id: 'ok', Name: 'Fine' }),
      CRM.record({ Id: 'bad', Name: 'Bad', NumberOfEmployees: 'many', Renewal__c: '2027-01-31T08:00:00Z' }),
      BILLING.record({ id: 1, customer: 'ok', discount: 5 }),
      CRM.state('after'),
    ];
    const { status, stdout, stderr } = await singer(messages);
    expect([status, stdout]).toEqual([1, lines(CRM.state('after'))]);
    expect(
      stderr.slice(stderr.indexOf('3 records')),
    ).toBe(`3 records: 1 created, 0 updated, 0 unchanged, 2 rejected.

REJECTED  REASON
1         Account …, custom_Employees has invalid integer value.
            line 4, bad: "many"
1         Account …, custom_Renewal has invalid date value.
            line 4, bad: "2027-01-31T08:00:00Z"
1         The property "discount" is unknown. Add it to the mapping of the stream, with a field or null.
            line 5

The rejected records are in ${rejects}. Correct them there and import that file.
`);
    const rejected = await readFile(rejects, 'utf8');
    expect(rejected).toBe(
      '{"rejected_because":{"line":4,"account_id":"bad","messages":["Account bad, custom_Employees has invalid integer value.","Account bad, custom_Renewal has invalid date value."]},"account_id":"bad","name":"Bad","custom_Employees":"many","custom_Renewal":"2027-01-31T08:00:00Z"}\n' +
        '{"rejected_because":{"line":5,"account_id":null,"messages":["The property \\"discount\\" is unknown. Add it to the mapping of the stream, with a field or null."]},"account_id":"ok","discount":5}\n',
    );
    const corrected = rejected.replace('"many"', '5').replace('T08:00:00Z"', '"');
    await caller.write('rejects.ndjson', corrected);
    expect((await caller.import(rejects, '--map', 'discount=custom_Discount')).status).toBe(0);
    expect([await field('bad', 'custom_Employees'), await field('ok', 'custom_Discount')]).toEqual([5, 5]);
  });

  it('keeps the rejected records of earlier runs, because the states have passed them', async () => {
    const bad = (id: string) => CRM.record({ Id: id, NumberOfEmployees: 'many' });
    await singer([CRM.schema, bad('first'), CRM.state('1')]);
    await singer([CRM.schema, bad('second'), CRM.state('2')]);
    const rows = (await readFile(rejects, 'utf8')).trim().split('\n');
    expect(rows.map((row) => JSON.parse(row).account_id)).toEqual(['first', 'second']);
  });

  it('stops if most of the first records are rejected, and writes no state behind them', async () => {
    const records = Array.from({ length: 600 }, (_, at) =>
      CRM.record({ Id: `guard-${at}`, NumberOfEmployees: 'many' }),
    );
    const messages = [
      CRM.state('0'),
      CRM.schema,
      ...records.slice(0, 10),
      CRM.state('10'),
      ...records.slice(10),
      CRM.state('600'),
    ];
    const stopped = await singer(messages);
    expect([stopped.status, stopped.stdout]).toEqual([2, lines(CRM.state('0'))]);
    expect(stopped.stderr).toContain(
      'records were rejected, more than 50 %. Correct the mapping or the attributes',
    );
    const allowed = await singer(messages, '--max-rejected', '100', '--quiet');
    expect([allowed.status, allowed.stdout.split('\n').slice(-2)]).toEqual([
      1,
      lines(CRM.state('600')).split('\n'),
    ]);
  });

  it('sends nothing of a stream with properties that are not mapped', async () => {
    const path = await caller.write('empty.json', '{"streams":{"Account":{}}}');
    const finished = await caller.singer(
      [CRM.state('before'), CRM.schema, CRM.record({ Id: 'unmapped' }), CRM.state('after')],
      ...['--mapping', path, '--rejects', rejects],
    );
    expect([finished.status, finished.stdout]).toEqual([2, lines(CRM.state('before'))]);
    expect(
      finished.stderr.slice(finished.stderr.indexOf('0 records')),
    ).toBe(`0 records: 0 created, 0 updated, 0 unchanged, 0 rejected.

Line 2:
Stream Account: Some properties are unknown. Add them to its mapping, each with a field or with null, or leave out all others with "*": null:
  "NumberOfEmployees": "custom_NumberOfEmployees",
  "BillingAddress": "custom_BillingAddress",
  "SystemModstamp": "custom_SystemModstamp"
The last state that was written covers only what is stored or in the file of rejected records. Run the pipeline again from it.
`);
    expect(await caller.client.get('unmapped')).toBeUndefined();
  });

  it('needs no mapping for a stream whose properties are named like fields', async () => {
    const properties = { account_id: {}, name: {}, licenses: {}, custom_Renewal: {} };
    const record = { account_id: 'plain', name: 'Plain', licenses: 3, custom_Renewal: '2027-01-31' };
    const finished = await caller.singer(
      [
        { type: 'SCHEMA', stream: 'accounts', schema: { properties }, key_properties: [] },
        { type: 'RECORD', stream: 'accounts', record },
      ],
      ...['--stream', 'accounts', '--rejects', rejects, '--quiet'],
    );
    expect(finished).toEqual({ status: 0, stdout: '', stderr: '' });
    expect((await caller.client.get('plain'))?.fields).toEqual({ licenses: 3, custom_Renewal: '2027-01-31' });
  });

  it('leaves out records that do not fit the mode', async () => {
    const { status, stderr } = await singer(
      [CRM.schema, CRM.record({ Id: 'mode-new', Name: 'New' }), CRM.state('1')],
      ...['--mode', 'update-only', '--json'],
    );
    expect(status).toBe(0);
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toEqual({
      is_complete: true,
      problem: null,
      run: expect.stringMatching(/^\d+$/),
      records: 1,
      ...{ created: 0, updated: 0, unchanged: 0, skipped: 1, refused: 0, kept: 0 },
      deleted: 0,
      absent_streams: ['billing-subscriptions'],
      seconds: expect.any(Number),
      rejects: null,
      refusals: [],
    });
  });

  describe('ends with status 2 and names the line of', () => {
    it.each([
      [
        'a line that is not JSON',
        'Starting sync',
        'This is not a Singer message but Starting sync. A tap writes one JSON object per line.',
      ],
      [
        'BATCH',
        { type: 'BATCH', stream: 'Account', manifest: [] },
        'The tap sends BATCH messages, which only name files. Remove batch_config from its configuration, so that it sends records.',
      ],
      [
        'a record before its SCHEMA',
        BILLING.record({ id: 1 }),
        'A record of the stream billing-subscriptions comes before its SCHEMA message.',
      ],
    ])('%s, after it has written the states before it', async (_what, message, problem) => {
      const { status, stdout, stderr } = await singer([
        ...[CRM.schema, CRM.record({ Id: 'line' }), CRM.state('before')],
        message,
        ...[CRM.record({ Id: 'line-behind' }), CRM.state('behind')],
      ]);
      expect([status, stdout]).toEqual([2, lines(CRM.state('before'))]);
      expect(stderr).toContain(`\nLine 4: ${problem}\n`);
      expect(await caller.client.get('line-behind')).toBeUndefined();
      const [run] = (await caller.get<{ data: object[] }>('/api/v2/runs?limit=1')).data;
      expect(run).toMatchObject({ state: 'abandoned' });
    });

    it('a line that is too long', async () => {
      const long = CRM.record({ Id: 'long', Name: 'x'.repeat(10_485_760) });
      const { status, stderr } = await singer([CRM.schema, CRM.state('before'), long, CRM.state('behind')]);
      expect(status).toBe(2);
      expect(stderr).toContain('Line 3 is longer than 10,485,760 characters.');
    });
  });

  it('abandons its run if the tap has sent nothing, so that the source is not taken for synchronized', async () => {
    expect(await singer([])).toEqual({
      status: 2,
      stdout: '',
      stderr: `0 records: 0 created, 0 updated, 0 unchanged, 0 rejected.

The tap has sent nothing. Look for the reason in what it prints.
No state was written. Run the pipeline again: records that are already stored count as unchanged.
`,
    });
    const [run] = (await caller.get<{ data: object[] }>('/api/v2/runs?limit=1')).data;
    expect(run).toMatchObject({ state: 'abandoned' });
  });

  it.each([
    ['no stream', [], 'No stream is named. Set --mapping <file>, or --stream <name> for each stream.\n'],
    [
      'no mapping file',
      ['--mapping', 'no.json'],
      "Cannot read the mapping file: ENOENT: no such file or directory, open 'no.json'.\n",
    ],
  ])('is not started with %s', async (_what, args, stderr) => {
    expect(await caller.singer([], ...args)).toEqual({ status: 2, stdout: '', stderr });
  });
});
