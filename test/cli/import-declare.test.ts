import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJson } from '../support/service.js';
import { ImportCaller, type Stored } from './import-caller.js';

const HEADER = 'account_id,Active,Seats,Price,Renewal,Seen,Tier,Stage,Tags,Code,Fax,Note,Amount,Both';
const TIERS = ['Gold', 'Silver ', 'Bronze'];
const TAGS = ['red', 'red, blue', 'blue'];
const NUMBERS = Array.from({ length: 12 }, (_, at) => at + 1);
const row = (n: number) => [
  `d-${String(n).padStart(2, '0')}`,
  n % 2 === 1 ? 'Yes' : 'No',
  `"${n},000"`,
  `${n}.5`,
  `1/${n + 12}/2015`,
  `2015-01-${n + 10} 10:00`,
  TIERS[n % 3],
  'open',
  `"${TAGS[n % 3]}"`,
  `0${n}`,
  '',
  `note ${n}`,
  `$${n}.00`,
  String(n % 2),
];
const FILE = `${[HEADER, ...NUMBERS.map((n) => row(n).join(','))].join('\n')}\n`;

const stored = (n: number): Stored => ({
  account_id: `d-${String(n).padStart(2, '0')}`,
  parent_account_id: null,
  name: null,
  fields: {
    custom_Active: n % 2 === 1,
    custom_Seats: n * 1000,
    custom_Price: n + 0.5,
    custom_Renewal: `2015-01-${n + 12}`,
    custom_Seen: `2015-01-${n + 10}T10:00:00.000Z`,
    custom_Tier: TIERS[n % 3]?.trim() ?? '',
    custom_Stage: 'open',
    custom_Tags: TAGS[n % 3] ?? '',
    custom_Code: `0${n}`,
    custom_Note: `note ${n}`,
    custom_Amount: n,
    custom_Both: n % 2,
  },
});

const PLAN = `FILE: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).

COLUMN      FIELD           TYPE
account_id  account_id      id
Active      custom_Active   new   --declare
Seats       custom_Seats    new   --declare
Price       custom_Price    new   --declare
Renewal     custom_Renewal  new   --declare
Seen        custom_Seen     new   --declare
Tier        custom_Tier     new   --declare
Stage       custom_Stage    new   --declare
Tags        custom_Tags     new   --declare
Code        custom_Code     new   --declare
Fax         custom_Fax      new   --declare
Note        custom_Note     new   --declare
Amount      custom_Amount   new   --declare
Both        custom_Both     new   --declare

CONVERTED  VALUES  HOW                       FOR EXAMPLE
Active     12      yes/no                    Yes → true, No → false
Seats      12      commas between thousands  1,000 → 1000, 2,000 → 2000, 3,000 → 3000
Renewal    12      month/day/year            1/13/2015 → 2015-01-13, 1/14/2015 → 2015-01-14, 1/15/2015 → 2015-01-15
Tier       4       without blanks around it  "Silver " → Silver
Amount     12      commas between thousands  $1.00 → 1, $2.00 → 2, $3.00 → 3

NEW ATTRIBUTE   TYPE                          FROM
custom_Active   boolean                       Active
custom_Seats    integer                       Seats
custom_Price    decimal                       Price
custom_Renewal  date                          Renewal
custom_Seen     datetime                      Seen
custom_Tier     choice: Bronze, Gold, Silver  Tier
custom_Stage    text                          Stage
custom_Tags     text                          Tags
custom_Code     text                          Code
custom_Note     text                          Note
custom_Amount   decimal                       Amount
custom_Both     integer                       Both

Not sent and not declared, because they have no values: Fax

`;

const DECLARED = [
  ['custom_Active', 'boolean', []],
  ['custom_Amount', 'decimal', []],
  ['custom_Both', 'integer', []],
  ['custom_Code', 'text', []],
  ['custom_Note', 'text', []],
  ['custom_Price', 'decimal', []],
  ['custom_Renewal', 'date', []],
  ['custom_Seats', 'integer', []],
  ['custom_Seen', 'datetime', []],
  ['custom_Stage', 'text', []],
  ['custom_Tags', 'text', []],
  ['custom_Tier', 'choice', ['Bronze', 'Gold', 'Silver']],
];

describe('import --declare', () => {
  let caller: ImportCaller;
  let admin: ImportCaller;
  let file: string;
  beforeAll(async () => {
    caller = await ImportCaller.start([], undefined, ['strict', 'types']);
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
    const records = await strict.write('new.ndjson', '{"account_id":"n-1","Fax":null,"Note":"x"}\n');
    expect(await strict.import(records, '--declare')).toMatchObject({ status: 0 });
    expect(await strict.stored({ id_prefix: 'n-' })).toEqual([
      { account_id: 'n-1', parent_account_id: null, name: null, fields: { custom_Note: 'x' } },
    ]);
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
