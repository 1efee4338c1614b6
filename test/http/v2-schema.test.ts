import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { IndexBuild } from '../../dist/store/jobs/attribute-index.js';
import { databases } from '../support/databases.js';
import { expectedAttribute } from './expected-attribute.js';
import { eventually, invalid, problem, type Tenant, useServer } from './v2-server.js';

const BUILT_IN = [
  ['licenses', 'integer'],
  ['custom_Is_Valid', 'boolean'],
  ['custom_External_Created_On', 'date'],
  ['custom_External_Created_At', 'datetime'],
].map(([name, type]) => expectedAttribute(String(name), { type, built_in: true }));

describe.each(databases)('the schema on %s', (name, createDatabase) => {
  const server = useServer(createDatabase, { maxBodyBytes: 2_000 });

  it('starts with the built-in attributes', async () => {
    const acme = await server.tenant();
    expect((await acme.get('/attributes')).body).toEqual({ data: BUILT_IN, undeclared: [] });
    expect((await acme.get('/attributes/licenses')).body).toEqual(BUILT_IN[0]);
  });

  it('is declared, changed, read immediately and removed', async () => {
    const acme = await server.tenant();
    const put = (name: string, body: object) => acme.call('PUT', `/attributes/${name}`, body);
    const tier = { type: 'choice', choices: ['gold', 'silver', 'gold'] };
    const made = await put('custom_Tier', tier);
    const shown = expectedAttribute('custom_Tier', { type: 'choice', choices: ['gold', 'silver'] });
    expect([made.status, made.body]).toEqual([201, shown]);
    expect((await acme.get('/attributes/custom_Tier')).body).toEqual(shown);
    const changed = await put('custom_Tier', { type: 'text', read_only: true });
    const text = expectedAttribute('custom_Tier', { read_only: true });
    expect([changed.status, changed.body]).toEqual([200, text]);
    const other = await put(encodeURIComponent('custom_Größe'), { type: 'decimal' });
    expect([other.status, other.body]).toEqual([201, expectedAttribute('custom_Größe', { type: 'decimal' })]);
    expect((await acme.get('/attributes')).body).toEqual({
      data: [...BUILT_IN, expectedAttribute('custom_Größe', { type: 'decimal' }), text],
      undeclared: [],
    });
    const removed = await acme.call('DELETE', '/attributes/custom_Tier');
    expect([removed.status, removed.body]).toEqual([204, undefined]);
    for (const [method, name, what] of [
      ['GET', 'custom_Tier', 'custom_Tier'],
      ['DELETE', 'custom_Tier', 'custom_Tier that was declared'],
      ['DELETE', 'licenses', 'licenses that was declared'],
      ['DELETE', 'name', 'name that was declared'],
    ] as const) {
      const answer = await acme.call(method, `/attributes/${name}`);
      expect([answer.status, answer.body]).toEqual([
        404,
        problem(404, 'not_found', `There is no attribute ${what}.`),
      ]);
    }
  });

  it('lists undeclared fields, and guesses their types', async () => {
    const acme = await server.tenant();
    await acme.sync(
      {
        account_id: 'a',
        name: 'A',
        parent_account_id: 'p',
        licenses: 1,
        n: 1,
        d: 1.5,
        t: 'x',
        j: {},
        b: true,
      },
      { account_id: 'b', n: '7', d: 2, day: '2027-01-31', at: '2027-01-31T12:00:00Z', gone: 1 },
      { account_id: 'b', gone: null },
    );
    await eventually(async () =>
      expect((await acme.get('/attributes')).body).toEqual({
        data: [{ ...BUILT_IN[0], accounts: 1 }, ...BUILT_IN.slice(1)],
        undeclared: [
          { name: 'd', accounts: 2, guess: 'decimal' },
          { name: 'n', accounts: 2, guess: 'integer' },
          { name: 'at', accounts: 1, guess: 'datetime' },
          { name: 'b', accounts: 1, guess: 'boolean' },
          { name: 'day', accounts: 1, guess: 'date' },
          { name: 'j', accounts: 1, guess: 'json' },
          { name: 't', accounts: 1, guess: 'text' },
        ],
      }),
    );
  });

  it.each([
    ['custom_X', undefined, { '/body': 'must be object' }],
    ['custom_X', [], { '/body': 'must be object' }],
    ['custom_X', {}, { '/body/type': 'is missing' }],
    [
      'custom_X',
      { type: 'number', indexed: 'yes', colour: 1 },
      {
        '/body/colour': 'is not known here',
        '/body/type': 'must be one of text, integer, decimal, boolean, date, datetime, choice',
        '/body/indexed': 'must be boolean',
      },
    ],
    ['custom_X', { type: 'choice' }, { '/body/choices': 'a choice needs its values' }],
    [
      'custom_X',
      { type: 'choice', choices: [''] },
      { '/body/choices/0': 'must NOT have fewer than 1 characters' },
    ],
    [
      'custom_X',
      { type: 'text', choices: ['a'] },
      { '/body/choices': 'only a choice has values to choose from' },
    ],
    [
      'licenses',
      { type: 'text', read_only: true },
      {
        '/body/type': 'must stay integer: licenses is built in',
        '/body/read_only': 'must stay false: licenses is built in',
      },
    ],
    [
      'Tier',
      { type: 'choice' },
      {
        '/path/name':
          '"Tier" cannot name an attribute: it begins with custom_, followed by letters, digits, underscores, dots or hyphens, 100 at most.',
        '/body/choices': 'a choice needs its values',
      },
    ],
  ])('rejects for %s the declaration %j', async (name, body, errors) => {
    const acme = await server.tenant();
    const answer = await acme.call('PUT', `/attributes/${name}`, body);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
    expect((await acme.get('/attributes')).body.data).toEqual(BUILT_IN);
  });

  it('rejects bodies that are not JSON, or too large', async () => {
    const acme = await server.tenant();
    const put = (body: string, headers = {}) => acme.call('PUT', '/attributes/custom_X', body, headers);
    const text = await put('type=text', { 'content-type': 'text/plain' });
    expect([text.status, text.body]).toEqual([
      415,
      problem(415, 'content_type_not_json', 'The Content-Type must be application/json.'),
    ]);
    const zipped = await put('{}', { 'content-encoding': 'gzip' });
    expect(zipped.body).toEqual(
      problem(
        415,
        'content_encoding_unsupported',
        'The Content-Encoding gzip is not supported: send the body uncompressed.',
      ),
    );
    const large = await put(JSON.stringify({ type: 'x'.repeat(2_000) }));
    expect([large.status, large.body]).toEqual([
      413,
      problem(413, 'body_too_large', 'The body may not be larger than 2000 bytes.'),
    ]);
    const broken = await put('{"type":}');
    expect(broken.body).toEqual(
      problem(400, 'invalid_json', 'The body is not valid JSON: unexpected character at line 1, column 9.'),
    );
  });

  describe('finds accounts by the value of an attribute', () => {
    const index = (tenant: Tenant, name: string, body: object) =>
      tenant.call('PUT', `/attributes/${name}`, { ...body, indexed: true });
    const find = async (tenant: Tenant, filter: string) => {
      const { status, body } = await tenant.get(`/accounts?attribute=${encodeURIComponent(filter)}`);
      return status === 200
        ? body.data.map(({ account_id }: { account_id: string }) => account_id)
        : body.errors[0].detail;
    };

    it('of every type', async () => {
      const acme = await server.tenant();
      const types = {
        text: [
          { a: 'x:y', b: 'X:Y', c: '' },
          { 'x:y': ['a'], 'X:Y': ['b'], '': ['c'], z: [] },
        ],
        integer: [
          { a: '3', b: 3, c: -4 },
          { 3: ['a', 'b'], '3.0': ['a', 'b'], ' 3': ['a', 'b'], '-4': ['c'] },
        ],
        decimal: [
          { a: 1.5, b: '1e21', c: 0.1 },
          { '1.50': ['a'], '1000000000000000000000': ['b'], '.1': ['c'] },
        ],
        boolean: [
          { a: true, b: '1', c: 'FALSE' },
          { TRUE: ['a', 'b'], 1: ['a', 'b'], false: ['c'] },
        ],
        date: [{ a: '2027-01-31' }, { '2027-01-31': ['a'], '2027-01-30': [] }],
        datetime: [{ a: '2027-01-31T13:00:00+01:00' }, { '2027-01-31T12:00Z': ['a'] }],
        choice: [
          { a: 'gold', b: '"\u2028\\ü👩\n' },
          { gold: ['a'], '"\u2028\\ü👩\n': ['b'] },
        ],
      } as const;
      const declare = (type: keyof typeof types, indexed: boolean) => {
        const choices = type === 'choice' ? { choices: Object.values(types.choice[0]) } : {};
        return acme.call('PUT', `/attributes/custom_${type}`, { type, ...choices, indexed });
      };
      const names = Object.keys(types) as (keyof typeof types)[];
      for (const type of names) expect((await declare(type, false)).body.index).toBe('none');
      await eventually(async () => expect(await find(acme, 'custom_choice:gold')).toEqual([]));
      const records = ['a', 'b', 'c'].map((account_id) => ({
        account_id,
        ...Object.fromEntries(
          names.map((type) => [
            `custom_${type}`,
            (types[type][0] as Record<string, unknown>)[account_id] ?? null,
          ]),
        ),
      }));
      // One account is stored before the indexes are built, the others after.
      await acme.sync(...records.slice(0, 1));
      for (const type of names) expect((await declare(type, true)).body.index).toBe('ready');
      await acme.sync(...records.slice(1));
      const expectAll = async () => {
        for (const type of names) {
          for (const [value, ids] of Object.entries(types[type][1])) {
            expect([type, value, await find(acme, `custom_${type}:${value}`)]).toEqual([type, value, ids]);
          }
        }
      };
      await eventually(expectAll);
      for (const type of names) expect((await declare(type, false)).body.index).toBe('none');
      await eventually(expectAll);
    }, 30_000);

    it('also of a built-in one, in pages and counted, as it changes', async () => {
      const acme = await server.tenant();
      await acme.sync(...['a', 'b', 'c', 'd'].map((account_id) => ({ account_id, licenses: 3 })));
      const answer = await index(acme, 'licenses', { type: 'integer' });
      expect([answer.status, { ...answer.body, accounts: 4 }]).toEqual([
        200,
        { ...BUILT_IN[0], index: 'ready', accounts: 4 },
      ]);
      await acme.sync({ account_id: 'b', licenses: 4 });
      await acme.call('DELETE', '/accounts/c');
      await eventually(async () => expect(await find(acme, 'licenses:3')).toEqual(['a', 'd']));
      const path = '/accounts?attribute=licenses:3';
      expect(await acme.all(path, 1)).toHaveLength(2);
      expect((await acme.get(`${path}&count=true&limit=1`)).body.count).toEqual({
        accounts: 2,
        is_exact: true,
      });
      await acme.call('PUT', '/attributes/licenses', { type: 'integer', indexed: false });
      expect((await acme.get('/attributes/licenses')).body.index).toBe('none');
      await eventually(async () => expect(await find(acme, 'licenses:3')).toEqual(['a', 'd']));
    });

    it('while its index is being built, and if it is too long for the index', async () => {
      const acme = await server.tenant();
      const text = { name: 'custom_T', type: 'text', choices: [], readOnly: false } as const;
      // An index holds values of at most 200 characters, including quotes.
      const values = { a: 'x', b: '👩'.repeat(198), c: '👩'.repeat(199) };
      await acme.sync(...Object.entries(values).map(([account_id, custom_T]) => ({ account_id, custom_T })));
      await server.store.directory.attributes.set(acme.id, { ...text, indexed: true });
      const expectAll = async () => {
        for (const [id, value] of Object.entries(values))
          expect(await find(acme, `custom_T:${value}`)).toEqual([id]);
      };
      await eventually(expectAll);
      expect((await acme.get('/attributes/custom_T')).body.index).toBe('building');
      await server.store.indexBuilds.build(acme.id, 'custom_T');
      await expectAll();
    });

    it('and shows how far the index is built, until it is ready or cancelled', async () => {
      const acme = await server.tenant();
      const ids = Array.from({ length: 600 }, (_, i) => `a-${1_000 + i}`);
      await acme.sync(...ids.slice(0, 300).map((account_id) => ({ account_id, custom_T: 'x' })));
      await acme.sync(...ids.slice(300).map((account_id) => ({ account_id, custom_T: 'x' })));
      await eventually(async () => expect((await acme.get('/stats')).body.accounts).toBe(600));
      const text = { name: 'custom_T', type: 'text', choices: [], readOnly: false } as const;
      const progress = async () => {
        const { index, index_progress } = (await acme.get('/attributes/custom_T')).body;
        return [index, index_progress];
      };
      await server.store.directory.attributes.set(acme.id, { ...text, indexed: true });
      // On PostgreSQL a build begins when transactions have ended that run meanwhile, such as those of jobs.
      const buildPage = async (begun?: IndexBuild) => {
        let { next } = await server.store.jobs.buildIndexPage(acme.id, 'custom_T', begun);
        while (next?.writesBefore !== undefined)
          ({ next } = await server.store.jobs.buildIndexPage(acme.id, 'custom_T', next));
        return next;
      };
      const seen = [await progress()];
      let build: IndexBuild | undefined;
      do {
        build = await buildPage(build);
        seen.push(await progress());
      } while (build !== undefined);
      expect(seen).toEqual([
        ['building', 0],
        ['building', 0.41],
        ['building', 0.83],
        ['ready', null],
      ]);
      await acme.call('PUT', '/attributes/custom_T', { type: 'text', indexed: false });
      await server.store.directory.attributes.set(acme.id, { ...text, indexed: true });
      await buildPage();
      expect(await progress()).toEqual(['building', 0.41]);
      await acme.call('PUT', '/attributes/custom_T', { type: 'text', indexed: false });
      expect(await progress()).toEqual(['none', null]);
    });

    // SQLite has no lock that only a build waits for.
    it.runIf(name === 'PostgreSQL')('although the response is sent before the index is built', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', custom_Slow: 'x' });
      await eventually(async () => expect((await acme.get('/stats')).body.accounts).toBe(1));
      const body = expectedAttribute('custom_Slow', { index: 'building', index_progress: 0, accounts: 1 });
      const other = new pg.Client(server.databaseUrl);
      await other.connect();
      await other.query('begin; lock table account_value in exclusive mode');
      const { status, body: answer } = await index(acme, 'custom_Slow', { type: 'text' });
      expect([status, answer]).toEqual([201, body]);
      expect((await acme.get('/attributes/custom_Slow')).body).toEqual(body);
      expect(await find(acme, 'custom_Slow:x')).toEqual(['a']);
      await other.end();
      await eventually(async () =>
        expect((await acme.get('/attributes/custom_Slow')).body).toEqual({
          ...body,
          index: 'ready',
          index_progress: null,
        }),
      );
      expect(await find(acme, 'custom_Slow:x')).toEqual(['a']);
    });

    it('and reports why if it cannot', async () => {
      const acme = await server.tenant();
      expect(await find(acme, 'licenses')).toBe('must have the form name:value');
      expect(await find(acme, 'custom_U:x')).toBe('custom_U is not declared');
      await index(acme, 'custom_N', { type: 'integer' });
      await eventually(async () =>
        expect(await find(acme, 'custom_N:x')).toBe('the value is not a valid integer value'),
      );
    });
  });
});
