import { RefusedError } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLUMNS, type Column, DECLARED } from './converted-columns.js';
import { ImportCaller } from './import-caller.js';

const HEADER = 'account_id,Seats,Active,Renewal,Seen,Tier,Revenue,Note';
const MAPS = ['--map', 'Seats=licenses'];

/** Five rows are right, so that fewer than half are rejected. */
const FILE = `${HEADER}
right-1,"1,000",Yes,,,,,
right-2,,,,,,,
right-3,,,,,,,
right-4,,,,,,,
right-5,,,,,,,
wrong-1,12 seats,maybe,31.02.2021,yesterday,Platinum,"12,5,0",${'x'.repeat(65_536)}
wrong-2,many,2,0/0/2021,"now ""or"" never",Tin,1.2.3,
wrong-3,12 seats,?,2015-01-31 10:00,soon,Platinum,x,
wrong-4,more,-,31.04.2021,later,Lead,y,
wrong-5,most,!,tomorrow,in $5,Zinc,z,
`;

const REPORT = `10 records: 5 created, 0 updated, 0 unchanged, 5 rejected.

REJECTED  REASON
5         Account …, licenses has invalid integer value.
            line 7, wrong-1: "12 seats"
            line 8, wrong-2: "many"
            line 10, wrong-4: "more"
            Accepted: a whole number: 12, -3, 1,000
            Add --convert "licenses=12 seats:…" with the value to send instead, or --ignore "Seats" to leave the column out
5         Account …, custom_Active has invalid boolean value.
            line 7, wrong-1: "maybe"
            line 8, wrong-2: "2"
            line 9, wrong-3: "?"
            Accepted: true or false, 1 or 0, yes or no
            Add --convert "custom_Active=maybe:…" with the value to send instead, or --ignore "Active" to leave the column out
5         Account …, custom_Renewal has invalid date value.
            line 7, wrong-1: "31.02.2021"
            line 8, wrong-2: "0/0/2021"
            line 9, wrong-3: "2015-01-31 10:00"
            Accepted: a day: 2015-01-31, 1/31/2015, 31.01.2015, 31 Jan 2015
            Add --convert "custom_Renewal=31.02.2021:…" with the value to send instead, or --ignore "Renewal" to leave the column out
5         Account …, custom_Seen has invalid datetime value.
            line 7, wrong-1: "yesterday"
            line 8, wrong-2: "now \\"or\\" never"
            line 9, wrong-3: "soon"
            Accepted: a time: 2015-01-31T15:45:00Z, 2015-01-31 15:45, 1/31/2015 3:45 PM
            Add --convert "custom_Seen=yesterday:…" with the value to send instead, or --ignore "Seen" to leave the column out
5         Account …, custom_Tier has invalid choice value.
            line 7, wrong-1: "Platinum"
            line 8, wrong-2: "Tin"
            line 10, wrong-4: "Lead"
            Accepted: one of gold, silver, Very good
            Add --convert "custom_Tier=Platinum:…" with the value to send instead, or --ignore "Tier" to leave the column out
5         Account …, custom_Revenue has invalid decimal value.
            line 7, wrong-1: "12,5,0"
            line 8, wrong-2: "1.2.3"
            line 9, wrong-3: "x"
            Accepted: a number: 12.5, -3, 1,000.50
            Add --convert "custom_Revenue=12,5,0:…" with the value to send instead, or --ignore "Revenue" to leave the column out
1         Account …, custom_Note has invalid text value.
            line 7, wrong-1: "${'x'.repeat(58)}…
            Accepted: a text of at most 65,535 characters
            Add --ignore "Note" to leave the column out

The rejected rows are in REJECTS. Correct them there and import that file.
`;

describe('values that cannot be converted', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start(DECLARED);
  });
  afterAll(() => caller.end());

  it('are refused, and shown as they are, with the accepted forms and what to add to the command', async () => {
    const file = await caller.write('wrong.csv', FILE);
    const { status, stdout } = await caller.import(file, ...MAPS);
    expect([status, stdout]).toEqual([1, REPORT.replace('REJECTS', caller.path('wrong.rejects.csv'))]);
    expect((await caller.stored()).map(({ account_id }) => account_id)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `right-${n}`),
    );
  });

  it('are accepted with what the report says to add', async () => {
    const file = await caller.write(
      'advice.csv',
      'account_id,Renewal,Tier\nadvice-1,2015-01-31 23:00,Platinum\nadvice-2,2015-02-28 01:00,\n',
    );
    const { status, stdout } = await caller.import(file, '--dry-run');
    expect([status, stdout]).toEqual([
      2,
      `2 records, nothing stored: 0 would be created, 0 updated, 0 unchanged, 2 rejected.

REJECTED  REASON
2         Account …, custom_Renewal has invalid date value.
            line 2, advice-1: "2015-01-31 23:00"
            line 3, advice-2: "2015-02-28 01:00"
            Accepted: a day: 2015-01-31, 1/31/2015, 31.01.2015, 31 Jan 2015
            Add --convert "custom_Renewal=day" (the day of a time, as written), or --ignore "Renewal" to leave the column out
1         Account …, custom_Tier has invalid choice value.
            line 2, advice-1: "Platinum"
            Accepted: one of gold, silver, Very good
            Add --convert "custom_Tier=Platinum:…" with the value to send instead, or --ignore "Tier" to leave the column out
`,
    ]);
    const added = ['--convert', 'custom_Renewal=day', '--convert', 'custom_Tier=Platinum:gold'];
    expect(await caller.import(file, ...added)).toMatchObject({ status: 0 });
    expect((await caller.stored({ id_prefix: 'advice-' })).map(({ fields }) => fields)).toEqual([
      { custom_Renewal: '2015-01-31', custom_Tier: 'gold' },
      { custom_Renewal: '2015-02-28' },
    ]);
  });

  it('and those that the command converts are still refused over HTTP', async () => {
    /** How many cells of a column the server refuses. */
    const refused = async ({ field, cells }: Column) => {
      const requests = cells.map(async ([cell]) => {
        const answer = caller.client.upsert({ account_id: 'http', [field]: cell });
        return answer.then(
          () => 0,
          (error) => (error instanceof RefusedError ? 1 : Promise.reject(error)),
        );
      });
      return sum(await Promise.all(requests));
    };
    const converted = ({ plan }: Column) =>
      sum([...plan.matchAll(/^Value +(\d+)/gm)].map(([, n]) => Number(n)));
    for (const column of COLUMNS) {
      // 1.000 is one for the server, so it accepts it. It has no empty cells, so it refuses blanks.
      const accepted = column.cells.some(([cell]) => cell === '1.000') ? 1 : 0;
      const blanks = column.cells.filter(([, stored]) => stored === undefined).length;
      const expected = converted(column) - accepted + blanks;
      expect([column.what, await refused(column)]).toEqual([column.what, expected]);
    }
  });
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
