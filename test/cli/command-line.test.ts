import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, databases } from '../support/databases.js';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { runStatements } from '../support/released-database.js';
import { run, runJson, start } from '../support/service.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe.each(databases)('the command line on %s', (_name, createDatabase) => {
  let database: Database;
  let named: string;
  beforeAll(async () => {
    database = await createDatabase();
    const store = await openStore({ database: database.url });
    named = `Database: ${store.location}\n`;
    await store.close();
    await json('tenant', 'create', 'acme');
  });
  afterAll(() => database.remove());

  const json = (...args: string[]) => runJson(database.settings, ...args);
  const text = (...args: string[]) => run(args, database.settings);

  it('shows help for every command', async () => {
    const levels = [
      [],
      ['serve'],
      ['tenant'],
      ['tenant', 'set'],
      ['tenant', 'delete'],
      ['key'],
      ['key', 'create'],
      ['user'],
      ['user', 'invite'],
      ['user', 'reset-password'],
      ['attribute'],
      ['block'],
      ['copy'],
      ['export'],
      ['changes'],
      ['demo'],
      ['doctor'],
      ['health'],
    ];
    const answers = await Promise.all(levels.map((level) => text(...level, '--help')));
    for (const [i, { status, stdout }] of answers.entries()) {
      expect([status, stdout.split('\n')[0]]).toEqual([
        0,
        expect.stringContaining(`Usage: ${['account-sync', ...(levels[i] ?? [])].join(' ')}`),
      ]);
    }
  });

  it('exits with 1 and a message on failure, as JSON with --json', async () => {
    const sentence =
      'The tenant nobody does not exist. Existing tenants: acme. Create it with: account-sync tenant create nobody';
    expect(await text('tenant', 'show', 'nobody')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${named}${sentence}\n`,
    });
    expect(await text('tenant', 'show', 'nobody', '--json')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${JSON.stringify({ error: sentence })}\n`,
    });
    expect(await text('tenant', 'create', 'acme')).toMatchObject({
      status: 1,
      stderr: `${named}There is already a tenant acme.\n`,
    });
    expect(await text('tenant', 'create', 'Not A Name')).toMatchObject({ status: 1 });
    expect(await text('tenant', 'set', 'acme')).toMatchObject({
      status: 1,
      stderr:
        'Nothing to change: give --account-ids, --undeclared-fields, --host, --history-days or --rejection-days.\n',
    });
    expect((await text('frobnicate')).status).toBe(1);
  });

  it('creates, shows, lists and sets tenants', async () => {
    const settings = [
      '--account-ids',
      'domain',
      '--undeclared-fields',
      'reject',
      '--host',
      'B.test',
      'a.test',
      '--history-days',
      '365',
    ];
    const created = await json('tenant', 'create', 'other', ...settings);
    const expected = {
      name: 'other',
      account_ids: 'domain',
      undeclared_fields: 'reject',
      hosts: ['a.test', 'b.test'],
      history_days: 365,
      rejection_days: null,
      attributes: 0,
      blocked_ids: 0,
      created_at: TIME,
    };
    expect(created).toEqual(expected);
    expect(await json('tenant', 'show', 'other')).toEqual(expected);
    expect(await json('tenant', 'set', 'other', '--no-host', '--account-ids', 'any')).toEqual({
      ...expected,
      account_ids: 'any',
      hosts: [],
    });
    expect((await text('tenant', 'list')).stdout).toBe(
      [
        'TENANT  ACCOUNT IDS  UNDECLARED FIELDS  HISTORY   HOSTS',
        'acme    any          keep               kept      –',
        'other   any          reject             365 days  –',
        '',
      ].join('\n'),
    );
    const days = ['--history-days', 'keep', '--rejection-days', '30'];
    expect((await text('tenant', 'set', 'other', ...days)).stdout).toMatch(
      /^History {12}kept\nRejections {9}30 days$/m,
    );
    expect(await json('tenant', 'set', 'other', '--rejection-days', 'default')).toMatchObject({
      history_days: null,
      rejection_days: null,
    });
    const shorter = await text('tenant', 'set', 'other', '--history-days', '1');
    expect(shorter.stdout).toMatch(/^History {12}1 day\nRejections {9}server default$/m);
    expect(shorter.stdout).toContain('It starts to remove older changes within a minute.');
  });

  it.each([
    ['--history-days', '0', '1 to 36500, or keep'],
    ['--history-days', '36501', '1 to 36500, or keep'],
    ['--history-days', 'default', '1 to 36500, or keep'],
    ['--rejection-days', '91', '1 to 90, or default'],
    ['--rejection-days', '1.5', '1 to 90, or default'],
  ])('rejects %s %s', async (option, value, range) => {
    expect(await text('tenant', 'set', 'acme', option, value)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining(`Give a whole number from ${range}.`),
    });
  });

  it('creates, lists, rotates and revokes keys', async () => {
    const key = await json(
      'key',
      'create',
      'acme',
      '--scope',
      'sync',
      'read',
      '--label',
      'crm',
      '--expires',
      '2999-12-31',
    );
    expect(key).toEqual({
      id: expect.stringMatching(/^\w{8}$/),
      key: expect.stringMatching(new RegExp(`^acs_${key.id}_\\w{38}$`)),
      tenant: 'acme',
      source: 'crm',
      scopes: ['sync', 'read'],
      expires_at: '2999-12-31T23:59:59.999Z',
    });
    const rotated = await json('key', 'rotate', 'acme', key.id, '--overlap', '2');
    expect(rotated).toMatchObject({
      scopes: ['sync', 'read'],
      expires_at: key.expires_at,
      replaced: { id: key.id, expires_at: TIME },
    });
    expect(await json('key', 'revoke', 'acme', rotated.id)).toEqual({ id: rotated.id, state: 'revoked' });
    const listed: Record<string, unknown>[] = await json('key', 'list', 'acme');
    expect(listed).toEqual([
      {
        id: key.id,
        state: 'live',
        scopes: ['sync', 'read'],
        label: 'crm',
        source: 'crm',
        created_at: TIME,
        last_used_at: null,
        expires_at: rotated.replaced.expires_at,
        revoked_at: null,
      },
      expect.objectContaining({ id: rotated.id, state: 'revoked', label: 'crm', revoked_at: TIME }),
    ]);
    expect(JSON.stringify(listed)).not.toContain(key.key);
    expect(await text('key', 'revoke', 'acme', rotated.id)).toMatchObject({
      status: 1,
      stderr: `${named}The key ${rotated.id} is already revoked.\n`,
    });
    expect((await text('key', 'revoke', 'other', key.id)).status).toBe(1);
    expect((await text('key', 'create', 'acme', '--expires', '2001-01-01')).stderr).toContain(
      'That time is in the past.',
    );
  });

  it('declares attributes, reports the stored values, and removes declarations', async () => {
    const store = await openStore({ database: database.url });
    const { id } = (await store.directory.findTenant({ name: 'acme' })) ?? { id: 0 };
    const patches = [
      { accountId: 'a', fields: { custom_Age: '12' } },
      { accountId: 'b', fields: { custom_Age: 'old' } },
    ];
    await store.upsert({ tenantId: id, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    expect(await json('attribute', 'set', 'acme', 'custom_Age', '--type', 'integer')).toEqual({
      name: 'custom_Age',
      type: 'integer',
      choices: [],
      read_only: false,
      owner: null,
      ...NO_PRESENTATION,
      stored: { accounts: 2, unfit: 1 },
    });
    const { stdout } = await text('attribute', 'set', 'acme', 'custom_Age', '--type', 'date', '--read-only');
    expect(stdout).toBe(
      'custom_Age is now date, read-only. A running server applies this within a second.\n' +
        'Stored values: 2. Values that do not fit the declaration: 2.\n' +
        'All stored values stay unchanged until a request sends the field again.\n',
    );
    expect((await store.accounts.find(id, 'b'))?.fields).toEqual({ custom_Age: 'old' });
    await store.close();
    expect((await json('attribute', 'list', 'acme')).map(({ name }: { name: string }) => name)).toEqual([
      'licenses',
      'custom_Is_Valid',
      'custom_External_Created_On',
      'custom_External_Created_At',
      'custom_Age',
    ]);
    expect(await json('attribute', 'remove', 'acme', 'custom_Age')).toEqual({
      name: 'custom_Age',
      removed: true,
    });
    expect((await text('attribute', 'remove', 'acme', 'custom_Age')).status).toBe(1);
  });

  it('indexes attributes, including built-in ones, and removes the index', async () => {
    const store = await openStore({ database: database.url });
    const { id } = (await store.directory.findTenant({ name: 'acme' })) ?? { id: 0 };
    const patches = [{ accountId: 'indexed', fields: { licenses: 77 } }];
    await store.upsert({ tenantId: id, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    const found = async () => {
      const filter = { kind: 'attribute', name: 'licenses', value: '77', isIndexed: true } as const;
      return (await store.pages.page(id, { order: 'id', filters: [filter] }, 10)).accounts.map(
        ({ accountId }) => accountId,
      );
    };
    const set = (...options: string[]) =>
      text('attribute', 'set', 'acme', 'licenses', '--type', 'integer', ...options);
    expect((await set('--indexed')).status).toBe(0);
    expect(await found()).toEqual(['indexed']);
    expect((await json('attribute', 'list', 'acme'))[0]).toEqual({
      name: 'licenses',
      type: 'integer',
      choices: [],
      read_only: false,
      owner: null,
      ...NO_PRESENTATION,
      index: 'ready',
      index_progress: null,
      built_in: true,
    });
    expect((await set('--no-indexed')).status).toBe(0);
    expect((await json('attribute', 'list', 'acme'))[0].index).toBe('none');
    // The next server removes the index entries.
    const server = await openStore({ database: database.url, serving: true });
    await expect.poll(found).toEqual([]);
    await server.close();
    await store.close();
  });

  it.each([
    [
      'a built-in attribute',
      ['custom_Is_Valid', '--type', 'text'],
      'custom_Is_Valid is built in; its type cannot be changed.',
    ],
    [
      'a choice without values',
      ['custom_X', '--type', 'choice'],
      'The type choice needs values: --choice gold silver bronze',
    ],
    [
      'values without a choice',
      ['custom_X', '--type', 'text', '--choice', 'a'],
      'Use --choice only with --type choice.',
    ],
    ['a name without the prefix', ['Tier', '--type', 'text'], '"Tier" cannot name an attribute'],
    ['an unknown type', ['custom_X', '--type', 'money'], 'Allowed choices are text, integer'],
  ])('does not declare %s', async (_what, args, sentence) => {
    const { status, stderr } = await text('attribute', 'set', 'acme', ...args);
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
  });

  it('does not declare more than 1,000 attributes, and reports it with a message and a code', async () => {
    await json('tenant', 'create', 'full');
    await runStatements(
      database,
      `with recursive numbered (i) as (select 1 union all select i + 1 from numbered where i < 1000)
       insert into attribute (tenant_id, name, type, choices, read_only, indexed)
       select id, 'custom_A' || i, 'text', '[]', 0, 0 from numbered, tenant where tenant.name = 'full'`,
    );
    const sentence =
      'A tenant may not declare more than 1000 attributes. Remove one that is no longer needed first.';
    const set = (name: string, ...options: string[]) =>
      text('attribute', 'set', 'full', name, '--type', 'text', ...options);
    expect(await set('custom_More')).toEqual({ status: 1, stdout: '', stderr: `${named}${sentence}\n` });
    expect(await set('custom_More', '--json')).toEqual({
      status: 1,
      stdout: '',
      stderr: `${JSON.stringify({ error: sentence, code: 'too_many_attributes' })}\n`,
    });
    expect((await set('custom_A7', '--read-only')).status).toBe(0);
  });

  it('blocks ids and suffixes in their canonical form', async () => {
    expect(await json('block', 'add', 'acme', ' TEST ')).toEqual({ pattern: 'test', blocked: true });
    await json('block', 'add', 'acme', '*.Example.com');
    const listed = await json('block', 'list', 'acme');
    expect(listed).toEqual({
      tenant: ['*.example.com', 'test'],
      system: expect.arrayContaining(['null', 'n/a']),
    });
    expect(await json('block', 'remove', 'acme', 'Test')).toEqual({ pattern: 'test', blocked: false });
    expect((await text('block', 'remove', 'acme', 'test')).status).toBe(1);
  });

  it('rejects an invalid pattern, and shows valid ones', async () => {
    expect(await text('block', 'add', 'acme', 'foo*')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The pattern must be an exact id without *, or a suffix such as *.example.com.\n',
    });
    expect((await json('block', 'list', 'acme')).tenant).not.toContain('foo*');
  });
});

describe.each(databases)('concurrent commands on %s', (_name, createDatabase) => {
  it('all succeed', async () => {
    const { url, settings, remove } = await createDatabase();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await (await openStore({ database: url })).close();
    const processes = names.map((name) => start(['tenant', 'create', name], settings).finished);
    for (const { status } of await Promise.all(processes)) expect(status).toBe(0);
    const listed: { name: string }[] = await runJson(settings, 'tenant', 'list');
    expect(listed.map(({ name }) => name)).toEqual(names);
    await remove();
  });
});
