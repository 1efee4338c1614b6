import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, databases } from '../support/databases.js';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { run, runJson } from '../support/service.js';

describe.each(databases)('the presentation of an attribute on the command line on %s', (_name, create) => {
  let database: Database;
  let tenant: string;
  let tenants = 0;
  beforeAll(async () => {
    database = await create();
    await (await openStore({ database: database.url })).close();
  });
  afterAll(() => database.remove());
  beforeEach(async () => {
    tenants += 1;
    tenant = `tenant-${tenants}`;
    await runJson(database.settings, 'tenant', 'create', tenant);
  });

  const args = (name: string, ...options: string[]) => ['attribute', 'set', tenant, name, ...options];
  const set = (name: string, ...options: string[]) => runJson(database.settings, ...args(name, ...options));
  const all = [
    ...['--label', 'Seats', '--description', 'How many people may use it.', '--unit', 'seats'],
    ...['--position', '10', '--group', 'Contract'],
  ];
  const seats = {
    label: 'Seats',
    description: 'How many people may use it.',
    unit: 'seats',
    position: 10,
    group: 'Contract',
  };

  it('is set, stays if it is not given, and is removed with an empty text', async () => {
    const licenses = {
      name: 'licenses',
      type: 'integer',
      choices: [],
      read_only: false,
      owner: null,
      stored: { accounts: 0, unfit: 0 },
    };
    expect(await set('licenses', ...all)).toEqual({ ...licenses, ...seats });
    expect(await set('licenses', '--position', '0')).toEqual({ ...licenses, ...seats, position: 0 });
    const emptied = ['--label', '', '--description=', '--unit=', '--position', '', '--group='];
    expect(await set('licenses', ...emptied)).toEqual({ ...licenses, ...NO_PRESENTATION });
  });

  it('is in the listing and in the text after a change', async () => {
    const { stdout } = await run(args('custom_Seats', '--type', 'integer', ...all), database.settings);
    expect(stdout).toBe(
      'custom_Seats is now integer, shown as Seats. A running server applies this within a second.\n',
    );
    expect((await runJson(database.settings, 'attribute', 'list', tenant)).at(-1)).toEqual({
      name: 'custom_Seats',
      type: 'integer',
      choices: [],
      read_only: false,
      owner: null,
      ...seats,
      index: 'none',
      index_progress: null,
      built_in: false,
    });
    const listed = await run(['attribute', 'list', tenant], database.settings);
    expect(listed.stdout.trimEnd().split('\n').at(-1)?.split(/ {2,}/)).toEqual([
      'custom_Seats',
      'Seats',
      'Contract',
      'integer',
      '–',
      'no',
      '–',
      'none',
      'no',
    ]);
  });

  it.each([
    [
      ['custom_X', '--type', 'text', '--label', ' x'],
      'It must have 1 to 100 characters, without control characters, and without white space at the ends.',
    ],
    [['custom_X', '--type', 'text', '--unit', 'a\nb'], 'It must have 1 to 20 characters'],
    [['custom_X', '--type', 'text', '--unit', 'a'.repeat(21)], 'It must have at most 20 characters'],
    [['custom_X', '--type', 'text', '--position', '10000'], 'Give a whole number from 0 to 9999.'],
    [['custom_X', '--type', 'text', '--position', '1.5'], 'Give a whole number from 0 to 9999.'],
    [['name', '--group', 'x'], 'name is not an attribute, so it has no --group.'],
  ])('is not set by %j', async (given, message) => {
    const [name = '', ...options] = given;
    const { status, stdout, stderr } = await run(args(name, ...options), database.settings);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(await runJson(database.settings, 'attribute', 'list', tenant)).toHaveLength(4);
  });
});
