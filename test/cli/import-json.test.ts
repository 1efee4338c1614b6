import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '../support/service.js';
import { ImportCaller } from './import-caller.js';

const TIER = { name: 'custom_Tier', type: 'choice', choices: ['gold', 'silver'] } as const;
const COUNTS = { created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0, kept: 0 };
const COLUMNS = [
  { column: 'ID', field: 'account_id', type: 'id', conversions: [] },
  {
    column: 'Tier',
    field: 'custom_Tier',
    type: 'choice: gold, silver',
    conversions: [{ form: 'ignore-case', values: 1, samples: [{ from: 'Gold', to: 'gold' }] }],
  },
  { column: 'Owner', field: null, type: '', conversions: [] },
];

describe('import --json', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([TIER, { name: 'custom_Renewal', type: 'date' }]);
  });
  afterAll(() => caller.end());

  /** The exit status and the parsed output; nothing may be on standard error. */
  const imported = async (file: string, args: readonly string[] = [], settings: Settings = {}) => {
    const all = { ...caller.settings, ...settings };
    const { status, stdout, stderr } = await caller.importBy(all, file, '--json', ...args);
    expect(stderr).toBe('');
    return { status, json: JSON.parse(stdout) };
  };

  it('prints counts, columns with their conversions, and repeated ids', async () => {
    const file = await caller.write('right.csv', 'ID,Tier,Owner\na,Gold,Jo\nb,silver,\nB,silver,\na,gold,\n');
    expect(await imported(file, ['--ignore', 'Owner'])).toEqual({
      status: 0,
      json: {
        file,
        dry_run: false,
        is_complete: true,
        problem: null,
        is_resumable: false,
        run: '1',
        missing: null,
        records: 4,
        line: 5,
        ...COUNTS,
        created: 2,
        unchanged: 2,
        seconds: expect.any(Number),
        rejects: null,
        refusals: [],
        changes: [],
        columns: COLUMNS,
        repeated_ids: { same: 1, other_spelling: 1 },
      },
    });
  });

  it('prints reasons with samples and advice, and where the rejected rows are', async () => {
    const file = await caller.write(
      'some.csv',
      'ID,Tier,Owner\nc,Gold,\nd,tin,\ne,lead,\n f,silver,\n,silver,\n',
    );
    expect(await imported(file, ['--ignore', '*', '--max-rejected', '60'])).toEqual({
      status: 1,
      json: {
        file,
        dry_run: false,
        is_complete: true,
        problem: null,
        is_resumable: false,
        run: '2',
        missing: null,
        records: 5,
        line: 6,
        ...COUNTS,
        created: 2,
        refused: 3,
        seconds: expect.any(Number),
        rejects: caller.path('some.rejects.csv'),
        refusals: [
          {
            message: 'Account …, custom_Tier has invalid choice value.',
            count: 2,
            line: 3,
            account_id: 'd',
            field: 'custom_Tier',
            samples: [
              { line: 3, account_id: 'd', value: 'tin' },
              { line: 4, account_id: 'e', value: 'lead' },
            ],
            accepted: 'one of gold, silver',
            add: '--convert "custom_Tier=tin:…" with the value to send instead, or --ignore "Tier" to leave the column out',
          },
          {
            message: 'account_id does not exist.',
            count: 1,
            line: 6,
            account_id: null,
            field: 'account_id',
            samples: [{ line: 6, account_id: null, value: '' }],
            accepted: null,
            add: null,
          },
        ],
        changes: [],
        columns: COLUMNS,
        repeated_ids: { same: 0, other_spelling: 0 },
      },
    });
  });

  it('prints the same of a file of which too much would be rejected, and why it stopped', async () => {
    const file = await caller.write('wrong.csv', 'ID,Tier\ng,tin\nh,gold\ni,tin\n');
    expect(await imported(file)).toMatchObject({
      status: 2,
      json: {
        file,
        dry_run: true,
        is_complete: false,
        problem:
          '2 of the 3 records would be rejected, more than 50 %. Nothing was stored. Correct what is listed above, or store the others with --max-rejected 100.',
        run: null,
        ...COUNTS,
        created: 1,
        refused: 2,
        rejects: null,
        refusals: [{ message: 'Account …, custom_Tier has invalid choice value.', count: 2 }],
      },
    });
  });

  describe('prints the problem of an import that could not run:', () => {
    const CSV = 'ID,Tier\nz,gold\n';
    it.each<readonly [what: string, content: string, args: readonly string[], problem: string]>([
      [
        'an unknown column',
        'ID,Colour\nz,red\n',
        [],
        'Column "Colour" is unknown. Add --map "Colour=custom_Colour" to send it, or --ignore "Colour"\n' +
          'Fields not mapped yet: parent_account_id, name, licenses, custom_Is_Valid, custom_External_Created_On, custom_External_Created_At, custom_Renewal, custom_Tier',
      ],
      [
        'a column that can be read in two ways',
        'ID,Renewal\nz,3/4/2015\n',
        [],
        'Column "Renewal" can be read in two ways: "3/4/2015" is "2015-03-04" (mdy) or "2015-04-03" (dmy). No other value of the column decides it. Add --dates mdy or --dates dmy',
      ],
      [
        'a quote that never closes',
        'ID,Tier\nz,"gold\n',
        [],
        'Line 2: the quoted cell 2 that begins there has no end. Close the quote, or write quotes inside the cell twice.',
      ],
      [
        'a key without the scope for --declare',
        'ID,Colour\nz,red\n',
        ['--declare'],
        'The key lacks the scope admin, so it cannot declare attributes, and nothing was sent. Create a key that can, on the server: account-sync key create <tenant> --label import --scope sync read admin',
      ],
      [
        'an option that names nothing',
        CSV,
        ['--map', 'nonsense'],
        '--map needs "column=field", for example --map "Seats=licenses"; it is "nonsense".',
      ],
      [
        'a directory that does not exist',
        CSV,
        ['--rejects', '/nonexistent/rejects.csv'],
        "Cannot write the rejected rows: ENOENT: no such file or directory, open '/nonexistent/rejects.csv'. Choose another file with --rejects <file>.",
      ],
    ])('%s', async (_what, content, args, problem) => {
      const file = await caller.write('problem.csv', content);
      expect(await imported(file, args)).toEqual({
        status: 2,
        json: { file, is_complete: false, problem },
      });
      expect(await caller.stored({ id_prefix: 'z' })).toEqual([]);
    });

    it.each<readonly [what: string, settings: Settings, problem: RegExp]>([
      [
        'a wrong key',
        { ACCOUNT_SYNC_KEY: 'acs_wrong' },
        /^GET http:.* returned 401: Send a key that is live: /,
      ],
      [
        'no server',
        { ACCOUNT_SYNC_URL: 'http://127.0.0.1:1' },
        /ECONNREFUSED 127\.0\.0\.1:1\. Gave up after \d+ att/,
      ],
    ])('%s', async (_what, settings, problem) => {
      const file = await caller.write('problem.csv', CSV);
      expect(await imported(file, ['--give-up-after', '1s'], settings)).toEqual({
        status: 2,
        json: { file, is_complete: false, problem: expect.stringMatching(problem) },
      });
    });

    it('a file that does not exist', async () => {
      const file = caller.path('missing.csv');
      expect(await imported(file)).toEqual({
        status: 2,
        json: { file, is_complete: false, problem: `${file} does not exist. Check the path.` },
      });
    });
  });
});
