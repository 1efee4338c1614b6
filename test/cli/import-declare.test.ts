import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJson } from '../support/service.js';
import { ImportCaller } from './import-caller.js';
import { DECLARED, FILE, NUMBERS, PLAN, stored } from './new-columns.js';

describe('import --declare', () => {
  let caller: ImportCaller;
  let admin: ImportCaller;
  let file: string;
  beforeAll(async () => {
    caller = await ImportCaller.start([], undefined, ['strict', 'trial', 'types', 'blanks']);
    admin = await caller.withScopes('sync', 'read', 'admin');
    file = await caller.write('new.csv', FILE);
  });
  afterAll(() => caller.end());

  const declared = async (of: ImportCaller) => {
    const { data } = await of.client.attributes();
    return data.filter((each) => !each.built_in).map(({ name, type, choices }) => [name, type, choices]);
  };

  it('with --dry-run shows the types that fit all values, and declares nothing', async () => {
    const { status, stdout, stderr } = await caller.import(file, '--declare', '--dry-run');
    expect(stderr.replace(file, 'FILE')).toBe(
      `${PLAN}A dry run declares no attribute. To give one another type, add --type "field=type"\n\n`,
    );
    expect([status, stdout]).toEqual([
      0,
      '12 records, nothing stored: 12 would be created, 0 updated, 0 unchanged, 0 rejected.\n',
    ]);
    expect(await declared(caller)).toEqual([]);
  });

  it('declares nothing and stores nothing with a key that lacks the scope admin', async () => {
    const { status, stdout, stderr } = await caller.import(file, '--declare');
    expect([status, stdout, stderr.replace(file, 'FILE')]).toEqual([
      2,
      '',
      `${PLAN}The key lacks the scope admin, so it cannot declare attributes, and nothing was sent. Create a key that can, on the server: account-sync key create <tenant> --label import --scope sync read admin\n`,
    ]);
    expect([await declared(caller), await caller.stored()]).toEqual([[], []]);
  });

  it('declares the attributes and stores their values with a key that has it', async () => {
    const { status, stdout, stderr } = await admin.import(file, '--declare');
    expect([status, stdout]).toEqual([0, '12 records: 12 created, 0 updated, 0 unchanged, 0 rejected.\n']);
    expect(stderr.replace(file, 'FILE')).toBe(
      `${PLAN}Declared custom_Active, custom_Seats, custom_Price, custom_Renewal, custom_Seen, custom_Tier, custom_Stage, custom_Tags, custom_Code, custom_Note, custom_Amount, custom_Both.\n\n`,
    );
    expect(await declared(caller)).toEqual(DECLARED);
    expect(await caller.stored()).toEqual(NUMBERS.map(stored));
  });

  it('declares nothing more the next time, also with a key that lacks the scope admin', async () => {
    const { status, stdout } = await caller.import(file, '--declare', '--type', 'custom_Seats=integer');
    expect([status, stdout]).toEqual([0, '12 records: 0 created, 0 updated, 12 unchanged, 0 rejected.\n']);
    expect(await declared(caller)).toEqual(DECLARED);
  });

  it('leaves out a column without values, which a server that rejects undeclared fields would not accept', async () => {
    const strict = await caller.ofTenant('strict').withScopes('sync', 'read', 'admin');
    await runJson(caller.database.settings, 'tenant', 'set', 'strict', '--undeclared-fields', 'reject');
    const { status, stdout } = await strict.import(file, '--declare');
    expect([status, stdout]).toEqual([0, '12 records: 12 created, 0 updated, 0 unchanged, 0 rejected.\n']);
    const saved = caller.path('strict.json');
    const again = await strict.import(file, '--declare', '--save-mapping', saved, '--json');
    const { columns } = JSON.parse(again.stdout) as { columns: { column: string }[] };
    const none = { column: 'Fax', field: null, type: '', conversions: [] };
    expect(columns.filter(({ column }) => column === 'Fax')).toEqual([none]);
    expect(JSON.parse(await readFile(saved, 'utf8'))).toMatchObject({ Note: 'custom_Note', Fax: null });
    const records = await strict.write('new.ndjson', '{"account_id":"n-1","Fax":null,"Note":"x"}\n');
    expect(await strict.import(records, '--declare')).toMatchObject({ status: 0 });
    expect(await strict.stored({ id_prefix: 'n-' })).toEqual([
      { account_id: 'n-1', parent_account_id: null, name: null, fields: { custom_Note: 'x' } },
    ]);
  });

  it('with --dry-run leaves out all new columns where the server rejects undeclared fields', async () => {
    await runJson(caller.database.settings, 'tenant', 'set', 'trial', '--undeclared-fields', 'reject');
    const { status, stdout, stderr } = await caller.ofTenant('trial').import(file, '--declare', '--dry-run');
    expect(stderr.replace(file, 'FILE')).toBe(
      `${PLAN}A dry run declares no attribute, and sends no new one, since this server rejects undeclared fields. To give one another type, add --type "field=type"\n\n`,
    );
    expect([status, stdout]).toEqual([
      0,
      '12 records, nothing stored: 12 would be created, 0 updated, 0 unchanged, 0 rejected.\n',
    ]);
  });

  it('takes cells of blanks for empty ones, except in a text', async () => {
    const blanks = await caller.ofTenant('blanks').withScopes('sync', 'read', 'admin');
    const rows = NUMBERS.map((n) =>
      [`b-${n}`, ...(n % 2 === 1 ? ['Gold', '1/31/2015', 'Yes', 'x', ' '] : [' ', '  ', ' ', ' ', ' '])].join(
        ',',
      ),
    );
    const content = `account_id,Tier,When,Flag,Text,Blank\n${rows.join('\n')}\nb-13,Silver,,,y,\nb-14,Silver,,,z,\n`;
    const blank = await caller.write('blanks.csv', content);
    expect(await blanks.import(blank, '--declare')).toMatchObject({ status: 0 });
    expect(await declared(blanks)).toEqual([
      ['custom_Flag', 'boolean', []],
      ['custom_Text', 'text', []],
      ['custom_Tier', 'choice', ['Gold', 'Silver']],
      ['custom_When', 'date', []],
    ]);
    const [first, , , , , , second] = await blanks.stored();
    expect([first?.fields, second?.fields]).toEqual([
      { custom_Tier: 'Gold', custom_When: '2015-01-31', custom_Flag: true, custom_Text: 'x' },
      { custom_Text: ' ' },
    ]);
    const state = (n: number) => (n % 2 === 1 ? 'on hold' : '');
    const records = NUMBERS.map((n) => JSON.stringify({ account_id: `e-${n}`, State: state(n) }));
    const empty = await caller.write('empty.ndjson', `${records.join('\n')}\n`);
    expect(await blanks.import(empty, '--declare')).toMatchObject({ status: 0 });
    expect(await declared(blanks)).toContainEqual(['custom_State', 'text', []]);
  });

  describe('with --type', () => {
    const types = (...pairs: readonly string[]) => pairs.flatMap((pair) => ['--type', pair]);

    it('declares the types that it names', async () => {
      const others = await caller.ofTenant('types').withScopes('sync', 'read', 'admin');
      const chosen = types(
        'custom_Tier=text',
        'custom_Both=boolean',
        'custom_Stage=choice',
        'custom_Fax=text',
      );
      expect(await others.import(file, '--declare', ...chosen)).toMatchObject({ status: 0 });
      const names = ['custom_Tier', 'custom_Both', 'custom_Stage', 'custom_Fax'];
      expect((await declared(others)).filter(([name]) => names.includes(String(name)))).toEqual([
        ['custom_Both', 'boolean', []],
        ['custom_Fax', 'text', []],
        ['custom_Stage', 'choice', ['open']],
        ['custom_Tier', 'text', []],
      ]);
      const [first] = await others.stored();
      expect(first?.fields).toEqual({ ...stored(1).fields, custom_Tier: 'Silver ', custom_Both: true });
    });

    it('that its values do not have refuses them, with the accepted form', async () => {
      const others = await caller.ofTenant('types').withScopes('sync', 'read', 'admin');
      const wrong = await others.write('wrong.csv', 'account_id,Size\nw-1,12\nw-2,large\n');
      const { status, stdout } = await others.import(wrong, '--declare', ...types('custom_Size=integer'));
      expect([status, stdout]).toEqual([
        1,
        `2 records: 1 created, 0 updated, 0 unchanged, 1 rejected.

REJECTED  REASON
1         Account …, custom_Size has invalid integer value.
            line 3, w-2: "large"
            Accepted: a whole number: 12, -3, 1,000
            Add --convert "custom_Size=large:…" with the value to send instead, or --ignore "Size" to leave the column out

The rejected rows are in ${caller.path('wrong.rejects.csv')}. Correct them there and import that file.
`,
      ]);
    });

    it.each([
      [
        'custom_Tier=tier',
        '--type needs "field=type" with one of the types text, integer, decimal, boolean, date, datetime, choice; it is "custom_Tier=tier".\n',
      ],
      ['custom_Size=text', 'No column is sent as custom_Size, which --type names. Check the name.\n'],
      [
        'custom_Tier=text',
        'custom_Tier is declared as choice already, so --type cannot make it text. Leave out this --type.\n',
      ],
    ])('%s stops if it has no effect', async (type, problem) => {
      const { status, stderr } = await admin.import(file, '--declare', ...types(type));
      expect([status, stderr.slice(-problem.length)]).toEqual([2, problem]);
      expect(await declared(caller)).toEqual(DECLARED);
    });
  });
});
