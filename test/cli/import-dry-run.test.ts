import { readFile } from 'node:fs/promises';
import { RefusedError } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { all } from '../client/scripted-server.js';
import { runJson } from '../support/service.js';
import { ImportCaller } from './import-caller.js';

const HEADER = 'account_id,parent_account_id,name,licenses,custom_Is_Valid,custom_External_Created_On,Tier';
const LONG = 'x'.repeat(192);
const ROWS = [
  'a-01,ACME,"New ""name""",007,0,2027-02-01,',
  'a-02,,Two,1,,,',
  ...Array.from({ length: 10 }, (_, n) => `a-${String(n + 3).padStart(2, '0')},,,2,,,`),
  'new,,Fresh,1,,,',
  'NEW,,Fresh,2,,,',
  'r-1,,,many,,,',
  'r-2,,,12 seats,,,',
  'r-3,,,,maybe,,',
  'r-4,,,,,31.02.2027,',
  'r-5,,,,,,bronze',
  ',,nobody,,,,',
  'r-6,R-6,,,,,',
  `r-7,,${LONG},,,,`,
  `r-8,${LONG},,,,,`,
  `${LONG},,,,,,`,
  'n/a,,,,,,',
  'r-9,,,,',
  'r-10,"a"b,,,,,',
];
const REASONS = `REJECTED  REASON
2         Account …, licenses has invalid integer value.
            line 16, r-1: "many"
            line 17, r-2: "12 seats"
            Accepted: a whole number: 12, -3, 1,000
            Add --convert "licenses=many:…" with the value to send instead, or --ignore "licenses" to leave the column out
1         Account …, custom_Is_Valid has invalid boolean value.
            line 18, r-3: "maybe"
            Accepted: true or false, 1 or 0, yes or no
            Add --convert "custom_Is_Valid=maybe:…" with the value to send instead, or --ignore "custom_Is_Valid" to leave the column out
1         Account …, custom_External_Created_On has invalid date value.
            line 19, r-4: "31.02.2027"
            Accepted: a day: 2015-01-31, 1/31/2015, 31.01.2015, 31 Jan 2015
            Add --convert "custom_External_Created_On=31.02.2027:…" with the value to send instead, or --ignore "custom_External_Created_On" to leave the column out
1         Account …, custom_Tier has invalid choice value.
            line 20, r-5: "bronze"
            Accepted: one of gold, silver
            Add --convert "custom_Tier=bronze:…" with the value to send instead, or --ignore "Tier" to leave the column out
1         account_id does not exist.
            line 21: ""
1         account_id and parent_account_id can't be same.
            line 22, r-6: "R-6"
1         The name may not be greater than 191 characters.
            line 23, r-7: "${LONG.slice(0, 58)}…
1         The parent_account_id may not be greater than 191 characters.
            line 24, r-8: "${LONG.slice(0, 58)}…
1         The account_id may not be greater than 191 characters.
            line 25, ${LONG.slice(1)}: "${LONG.slice(0, 58)}…
1         account_id blocked by system.
            line 26, n/a: "n/a"
and 2 more reasons
`;
const CHANGES = `FOR EXAMPLE  FIELD                       CHANGE
a-01         parent_account_id           – → "acme"              line 2
a-01         name                        "Old" → "New \\"name\\""  line 2
a-01         licenses                    1 → 7                   line 2
a-01         custom_Is_Valid             true → false            line 2
a-01         custom_External_Created_On  – → "2027-02-01"        line 2
a-01         custom_Tier                 "gold" → –              line 2
a-03         licenses                    1 → 2                   line 4
a-04         licenses                    1 → 2                   line 5
a-05         licenses                    1 → 2                   line 6
a-06         licenses                    1 → 2                   line 7
a-07         licenses                    1 → 2                   line 8
a-08         licenses                    1 → 2                   line 9
a-09         licenses                    1 → 2                   line 10
a-10         licenses                    1 → 2                   line 11
a-11         licenses                    1 → 2                   line 12
`;
const PLAN = `FILE: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).

COLUMN                      FIELD                       TYPE
account_id                  account_id                  id
parent_account_id           parent_account_id           id
name                        name                        text
licenses                    licenses                    integer
custom_Is_Valid             custom_Is_Valid             boolean
custom_External_Created_On  custom_External_Created_On  date
Tier                        custom_Tier                 choice: gold, silver  by its name

1 row has an id that differs from that of an earlier row only by case or Unicode form, which is the same account: NEW in line 15, as in line 14.

`;

describe('a dry run', () => {
  let caller: ImportCaller;
  let file: string;
  beforeAll(async () => {
    caller = await ImportCaller.start([{ name: 'custom_Tier', type: 'choice', choices: ['gold', 'silver'] }]);
    file = await caller.write('accounts.csv', `${[HEADER, ...ROWS].join('\n')}\n`);
    const before = Array.from({ length: 12 }, (_, n) => ({
      account_id: `a-${String(n + 1).padStart(2, '0')}`,
      name: n === 1 ? 'Two' : null,
      licenses: 1,
      ...(n === 0 && { name: 'Old', custom_Is_Valid: true, custom_Tier: 'gold' }),
    }));
    await all(caller.client.upsertMany(before));
  });
  afterAll(() => caller.end());

  it('shows the counts, the ten most frequent rejection reasons and the first ten changes', async () => {
    expect(await caller.import(file, '--dry-run')).toEqual({
      status: 1,
      stdout: `27 records, nothing stored: 1 would be created, 12 updated, 1 unchanged, 13 rejected.\n\n${REASONS}\n${CHANGES}`,
      stderr: PLAN.replace('FILE', file),
    });
  });

  it('stores no accounts, no rejections and no files', async () => {
    const [accounts, { next }] = await Promise.all([caller.stored(), caller.changes()]);
    await caller.import(file, '--dry-run');
    expect(await caller.stored()).toEqual(accounts);
    expect(await caller.changes(next)).toEqual({ data: [], next, has_more: false });
    expect(await caller.files()).toEqual(['accounts.csv']);
    // Rejections are written in batches: if a later one is found, earlier ones would be found too.
    await expect(caller.client.upsert({ account_id: 'marker', licenses: 'x' })).rejects.toThrow(RefusedError);
    const rejections = await vi.waitFor(async () => {
      const { data } = await caller.get<{ data: { account_id: string }[] }>('/api/v2/rejections');
      expect(data).not.toEqual([]);
      return data;
    }, 10_000);
    expect(rejections.map(({ account_id }) => account_id)).toEqual(['marker']);
  });

  it('shows only the new values if the key lacks the scope read', async () => {
    const { key } = await runJson(caller.database.settings, 'key', 'create', 'acme', '--scope', 'sync');
    const path = await caller.write('one.csv', `${HEADER.replace('Tier', 'custom_Tier')}\n${ROWS[0]}\n`);
    const settings = { ...caller.settings, ACCOUNT_SYNC_KEY: key };
    const map = ['--map', 'custom_Tier=custom_Tier'];
    const { stdout } = await caller.importBy(settings, path, '--dry-run', '--json', ...map);
    expect(JSON.parse(stdout).changes).toEqual([
      {
        account_id: 'a-01',
        line: 2,
        changes: [
          { field: 'parent_account_id', to: 'acme' },
          { field: 'name', to: 'New "name"' },
          { field: 'licenses', to: 7 },
          { field: 'custom_Is_Valid', to: false },
          { field: 'custom_External_Created_On', to: '2027-02-01' },
          { field: 'custom_Tier', to: null },
        ],
      },
    ]);
  });

  it('has the counts of the following import, and saves rejected rows with --rejects', async () => {
    const rejects = caller.path('dry-run.csv');
    const dryRun = await caller.import(file, '--dry-run', '--json', '--rejects', rejects);
    const real = await caller.import(file, '--json');
    const counts = { records: 27, created: 1, updated: 12, unchanged: 1, refused: 13 };
    expect([dryRun.status, real.status]).toEqual([1, 1]);
    expect(JSON.parse(dryRun.stdout)).toMatchObject({ dry_run: true, ...counts, rejects });
    expect(JSON.parse(real.stdout)).toMatchObject({ dry_run: false, ...counts });
    expect(JSON.parse(dryRun.stdout).refusals).toEqual(JSON.parse(real.stdout).refusals);
    expect(await readFile(rejects, 'utf8')).toBe(await readFile(caller.path('accounts.rejects.csv'), 'utf8'));
  });
});
