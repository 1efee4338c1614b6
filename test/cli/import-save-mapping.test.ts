import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from './import-caller.js';

describe('the mapping that --save-mapping writes', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([
      { name: 'custom_Tier', type: 'choice', choices: ['gold', 'silver'] },
      { name: 'custom_Annual_Value', type: 'decimal' },
    ]);
  });
  afterAll(() => caller.end());

  const HEADER = 'Account ID;Seats;Tier;Value;External Created On;Active;Owner;\n';
  const ROWS = [
    'ROW-1;1,200;Gold;1.000,50;3/4/2027;Yes;Jo;\n',
    'ROW-2;12 seats;Premium;12,5;12/11/2027;No;;\n',
    'ROW-3;n/a;" silver ";7;;;;\n',
  ];
  const given = (option: string, ...values: readonly string[]) => values.flatMap((value) => [option, value]);
  const OPTIONS = [
    ...given('--map', 'Seats=licenses', 'Value=custom_Annual_Value', 'Active=custom_Is_Valid'),
    ...given('--convert', 'licenses=12 seats:12', 'licenses=n/a:', 'custom_Tier=Premium:gold'),
    ...given('--convert', 'custom_Tier=trim', 'custom_Tier=ignore-case'),
    ...given('--dates', 'dmy'),
    ...given('--ignore', 'Owner'),
  ];
  const MAPPING = `{
  "Account ID": "account_id",
  "Seats": {"field":"licenses","convert":"1,000.00","values":{"12 seats":"12","n/a":null}},
  "Tier": {"field":"custom_Tier","convert":["trim","ignore-case"],"values":{"Premium":"gold"}},
  "Value": {"field":"custom_Annual_Value","convert":"1.000,00"},
  "External Created On": {"field":"custom_External_Created_On","convert":"dmy"},
  "Active": {"field":"custom_Is_Valid","convert":"yes-no"},
  "Owner": null
}
`;
  const STORED = [
    {
      licenses: 1200,
      custom_Tier: 'gold',
      custom_Annual_Value: 1000.5,
      custom_External_Created_On: '2027-04-03',
      custom_Is_Valid: true,
    },
    {
      licenses: 12,
      custom_Tier: 'gold',
      custom_Annual_Value: 12.5,
      custom_External_Created_On: '2027-11-12',
      custom_Is_Valid: false,
    },
    { custom_Tier: 'silver', custom_Annual_Value: 7 },
  ];

  it('gives the same plan again, without the options', async () => {
    const [file, saved, again] = [
      await caller.write('saved.csv', HEADER + ROWS.join('')),
      caller.path('saved.json'),
      caller.path('again.json'),
    ];
    const first = await caller.import(file, ...OPTIONS, '--save-mapping', saved, '--json');
    expect([first.status, await readFile(saved, 'utf8')]).toEqual([0, MAPPING]);
    const stored = await caller.stored({ id_prefix: 'row-' });
    expect(stored.map(({ fields }) => fields)).toEqual(STORED);
    const second = await caller.import(file, '--mapping', saved, '--save-mapping', again, '--json');
    expect([second.status, second.stderr, await readFile(again, 'utf8')]).toEqual([0, '', MAPPING]);
    const [before, after] = [first, second].map(({ stdout }) => JSON.parse(stdout));
    expect(after).toEqual({
      ...before,
      run: expect.any(String),
      seconds: expect.any(Number),
      created: 0,
      unchanged: 3,
    });
  });

  it('decides how the next file is read, whatever it contains', async () => {
    const file = await caller.write(
      'next.csv',
      `${HEADER}next-1;;gold;;1/31/2027;;;\nnext-2;;;1.250;3/4/2027;;;\n`,
    );
    const { status, stdout } = await caller.import(file, '--mapping', caller.path('saved.json'), '--json');
    const { refusals } = JSON.parse(stdout) as { refusals: { samples: unknown[] }[] };
    // 1.250 and 1/31/2027 alone would show other forms than those of the mapping.
    expect([status, refusals.flatMap(({ samples }) => samples)]).toEqual([
      1,
      [{ line: 2, account_id: 'next-1', value: '1/31/2027' }],
    ]);
    const [second] = await caller.stored({ id_prefix: 'next-' });
    expect(second?.fields).toEqual({ custom_Annual_Value: 1250, custom_External_Created_On: '2027-04-03' });
  });

  it('keeps the ids of a known system, in a file with too few columns to recognise it', async () => {
    const saved = caller.path('salesforce.json');
    const header = 'Id,Name,ParentId,BillingCity';
    const file = await caller.write('sf.csv', `${header}\n0015e00000Kq7Xa,Acme,,Berlin\n`);
    expect(await caller.import(file, '--save-mapping', saved)).toMatchObject({ status: 0 });
    expect(await readFile(saved, 'utf8')).toBe(`{
  "Id": {"field":"account_id","convert":"salesforce"},
  "Name": "name",
  "ParentId": "parent_account_id",
  "BillingCity": null
}
`);
    const next = await caller.write('sf.csv', 'Id,Name,ParentId\n0015e00000Kq7XA,Acme Berlin,\n');
    const { status } = await caller.import(next, '--mapping', saved);
    expect(status).toBe(0);
    const stored = await caller.stored({ id_prefix: '0015' });
    expect(stored.map(({ account_id }) => account_id)).toEqual(['0015e00000kq7xaaaj', '0015e00000kq7xaaaz']);
  });
});
