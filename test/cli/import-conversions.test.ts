import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, DECLARED } from './converted-columns.js';
import { ImportCaller } from './import-caller.js';

describe('import converts', () => {
  let caller: ImportCaller;
  let turn = 0;
  beforeAll(async () => {
    caller = await ImportCaller.start(DECLARED);
  });
  afterAll(() => caller.end());

  /** Imports one column, and returns the output and the stored values. */
  const imported = async (cells: readonly string[], field: string, ...args: readonly string[]) => {
    turn += 1;
    const rows = cells.map((cell, at) => `t${turn}-${at};${cell}\n`).join('');
    const file = await caller.write(`t${turn}.csv`, `account_id;Value\n${rows}`);
    const finished = await caller.import(file, '--map', `Value=${field}`, ...args);
    const accounts = await caller.stored({ id_prefix: `t${turn}-` });
    const [, shown = ''] = finished.stderr.split(/^Value .*--map\n\n/m);
    return { ...finished, shown, values: accounts.map(({ fields }) => fields[field]) };
  };

  it.each(COLUMNS.map((column) => [column.what, column] as const))(
    '%s',
    async (_what, { field, cells, plan }) => {
      const { status, shown, values } = await imported(
        cells.map(([cell]) => cell),
        field,
      );
      expect([status, shown]).toEqual([0, plan === '' ? '' : `${plan}\n\n`]);
      expect(values).toEqual(cells.map(([, stored]) => stored));
    },
  );

  it('the texts of NDJSON, and shows them in the same way', async () => {
    const file = await caller.write(
      'types.ndjson',
      '{"account_id":"json-1","custom_Active":"Yes","licenses":"1,000","custom_Note":"Yes"}\n' +
        '{"account_id":"json-2","custom_Active":false,"licenses":5,"custom_Note":null}\n',
    );
    const { status, stderr } = await caller.import(file);
    expect(status).toBe(0);
    expect(stderr).toBe(`${file}: JSON, one record per line.

FIELD IN FILE  FIELD          TYPE
account_id     account_id     id
custom_Active  custom_Active  boolean
licenses       licenses       integer
custom_Note    custom_Note    text

CONVERTED      VALUES  HOW                       FOR EXAMPLE
custom_Active  1       yes/no                    Yes → true
licenses       1       commas between thousands  1,000 → 1000

`);
    expect((await caller.stored({ id_prefix: 'json-' })).map(({ fields }) => fields)).toEqual([
      { custom_Active: true, licenses: 1000, custom_Note: 'Yes' },
      { custom_Active: false, licenses: 5 },
    ]);
  });

  it('what --convert names and replaces, where it says so', async () => {
    const day = ['2015-03-04T23:30:00-08:00', '2015-03-05 01:00', '2015-03-06'];
    expect(await imported(day, 'custom_Renewal', '--convert', 'custom_Renewal=day')).toMatchObject({
      status: 0,
      shown: `CONVERTED  VALUES  HOW                            FOR EXAMPLE
Value      2       the day of a time, as written  2015-03-04T23:30:00-08:00 → 2015-03-04, 2015-03-05 01:00 → 2015-03-05

`,
      values: ['2015-03-04', '2015-03-05', '2015-03-06'],
    });
    const written = ['03/04/2015 22:00', '1/2/2015'];
    expect(await imported(written, 'custom_Renewal', '--convert', 'custom_Renewal=day')).toMatchObject({
      status: 2,
      shown:
        'Column "Value" can be read in two ways: "03/04/2015 22:00" is "2015-03-04" (mdy) or "2015-04-03" (dmy). No other value of the column decides it. Add --dates mdy or --dates dmy\n',
      values: [],
    });
    const dayFirst = ['--convert', 'custom_Renewal=day', '--dates', 'dmy'];
    expect(await imported(written, 'custom_Renewal', ...dayFirst)).toMatchObject({
      status: 0,
      values: ['2015-04-03', '2015-02-01'],
    });
    expect(
      await imported([...written, '31/1/2015 9:00'], 'custom_Renewal', ...dayFirst.slice(0, 2)),
    ).toMatchObject({
      status: 0,
      values: ['2015-04-03', '2015-02-01', '2015-01-31'],
    });
    const tiers = ['Premium', 'std: new', 'n/a', 'Gold'];
    const replaced = ['Premium:gold', 'std: new:silver', 'n/a:'].flatMap((pair) => [
      '--convert',
      `custom_Tier=${pair}`,
    ]);
    expect(await imported(tiers, 'custom_Tier', ...replaced)).toMatchObject({
      status: 0,
      values: ['gold', 'silver', undefined, 'gold'],
    });
  });

  it.each([
    [
      'custom_Renewal=nonsense',
      '--convert "custom_Renewal=nonsense" names no form of the type date. Use one of: trim, mdy, dmy, ymd, day-month, month-day, mdy-day, dmy-day, day, excel, as-is; single values are replaced by --convert "custom_Renewal=from:to"\n',
    ],
    ['custom_Other=mdy', 'No column is sent as custom_Other, which --convert names. Check the name.\n'],
  ])('nothing with --convert %s, which names nothing', async (convert, problem) => {
    const { status, stderr, values } = await imported(['2015-03-04'], 'custom_Renewal', '--convert', convert);
    expect([status, stderr.slice(stderr.indexOf('--map\n\n') + 7), values]).toEqual([2, problem, []]);
  });

  describe('nothing of a column that can be read in two ways', () => {
    const cells = ['03/04/2015', '01/02/2015'];
    const problem = 'Column "Value" can be read in two ways: ';
    const advice = 'Add --dates mdy or --dates dmy\n';

    it('but stops, and stores nothing', async () => {
      expect(await imported(cells, 'custom_Renewal')).toMatchObject({
        status: 2,
        stdout: '',
        shown: `${problem}"03/04/2015" is "2015-03-04" (mdy) or "2015-04-03" (dmy). No other value of the column decides it. ${advice}`,
        values: [],
      });
    });

    it('also if some values fit only the one way, and some only the other', async () => {
      expect(await imported(['1/31/2015', '31/1/2015', '3/4/2015'], 'custom_Renewal')).toMatchObject({
        status: 2,
        shown: `${problem}"3/4/2015" is "2015-03-04" (mdy) or "2015-04-03" (dmy). Some values of the column fit only the one, some only the other. ${advice}`,
        values: [],
      });
    });

    it.each([
      [
        'mdy',
        ['2015-03-04', '2015-01-02'],
        'month/day/year  03/04/2015 → 2015-03-04, 01/02/2015 → 2015-01-02',
      ],
      [
        'dmy',
        ['2015-04-03', '2015-02-01'],
        'day/month/year  03/04/2015 → 2015-04-03, 01/02/2015 → 2015-02-01',
      ],
    ])('until --dates or --convert says %s', async (order, stored, how) => {
      const expected = {
        status: 0,
        shown: `CONVERTED  VALUES  HOW             FOR EXAMPLE\nValue      2       ${how}\n\n`,
        values: stored,
      };
      expect(await imported(cells, 'custom_Renewal', '--dates', order)).toMatchObject(expected);
      const convert = `custom_Renewal=${order}`;
      expect(await imported(cells, 'custom_Renewal', '--convert', convert)).toMatchObject(expected);
    });

    it('of numbers: 1.000 seats are one or a thousand', async () => {
      const options = '--convert "licenses=as-is" or --convert "licenses=1.000,00"';
      expect(await imported(['1.000'], 'licenses')).toMatchObject({
        status: 2,
        shown: `${problem}"1.000" is 1 (as-is) or 1000 (1.000,00). No other value of the column decides it. Add ${options}\n`,
        values: [],
      });
      const [asIs, grouped] = [
        await imported(['1.000'], 'licenses', '--convert', 'licenses=as-is'),
        await imported(['1.000'], 'licenses', '--convert', 'licenses=1.000,00'),
      ];
      expect([asIs.values, grouped.values]).toEqual([[1], [1000]]);
    });

    it('of amounts in several currencies, until --convert says to drop them', async () => {
      expect(await imported(['$1,500.50', '€2,000'], 'custom_Revenue')).toMatchObject({
        status: 2,
        shown:
          'Column "Value" has amounts in several currencies: $, €. Add --convert "custom_Revenue=1,000.00" to send the numbers without them, or --ignore "Value"\n',
        values: [],
      });
      const convert = 'custom_Revenue=1,000.00';
      const { values } = await imported(['$1,500.50', '€2,000'], 'custom_Revenue', '--convert', convert);
      expect(values).toEqual([1500.5, 2000]);
    });
  });
});
