import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';
import { runJson } from '../support/service.js';

/** Values that are converted, half of them behind the first part of the import. */
const ROWS = Array.from({ length: 20 }, (_, row) => {
  const [day, grade] = [`${row + 1}.1.2027`, ['Gold ', 'silver'][row % 2]];
  return `a-${String(row).padStart(2, '0')};${day};${grade};${row % 3 ? 'Yes' : 'No'}\n`;
}).join('');
const FILE = `account_id;Start;Grade;Paid\n${ROWS}`;
const fieldsOf = (row: number) => ({
  custom_Start: `2027-01-${String(row + 1).padStart(2, '0')}`,
  custom_Grade: row % 2 ? 'silver' : 'Gold',
  custom_Paid: row % 3 > 0,
});

describe('a part of an import', () => {
  let callers: ImportCaller;
  beforeAll(async () => {
    callers = await ImportCaller.start([], undefined, ['declared', 'changed']);
  });
  afterAll(() => callers.end());

  const operator = (...args: string[]) => runJson(callers.database.settings, ...args);
  const keyOf = async (tenant: string) => {
    const { key } = await operator('key', 'create', tenant, '--scope', 'sync', 'read', 'admin');
    return { ACCOUNT_SYNC_URL: callers.service.url, ACCOUNT_SYNC_KEY: key as string };
  };
  const shown = (stdout: string) => stdout.split('\n')[0];

  it('converts as the first part did, with attributes that the first part has declared', async () => {
    const caller = callers.ofTenant('declared');
    const settings = await keyOf('declared');
    const args = [await caller.write('declared.csv', FILE), '--declare', '--quiet'];
    expect(await caller.importBy(settings, ...args, '--limit', '10')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect((await caller.stored()).length).toBe(10);
    expect(await caller.importBy(settings, ...args, '--resume')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect((await caller.stored()).map(({ fields }) => fields)).toEqual(
      Array.from({ length: 20 }, (_, row) => fieldsOf(row)),
    );
  });

  it('is not continued when a field has another type, since its values would have two forms', async () => {
    const caller = callers.ofTenant('changed');
    const path = await caller.write('changed.csv', FILE);
    const args = [path, '--map', 'Start=custom_Start', '--ignore', '*'];
    const first = await caller.import(...args, '--limit', '10');
    expect([first.status, shown(first.stdout)]).toEqual([
      0,
      '10 records: 10 created, 0 updated, 0 unchanged, 0 rejected.',
    ]);
    const progress = await readFile(`${path}.progress`, 'utf8');
    await operator('attribute', 'set', 'changed', 'custom_Start', '--type', 'date');
    // The server reads the change of another process within a second.
    const typeOf = async () =>
      (await caller.client.attributes()).data.find(({ name }) => name === 'custom_Start')?.type;
    await expect.poll(typeOf).toBe('date');
    const { status, stdout, stderr } = await caller.import(...args, '--resume', '--quiet');
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      'The types of the fields have changed since the earlier import started. Import the file from the beginning, without --resume: records that are already stored count as unchanged.\n',
    ]);
    expect(await readFile(`${path}.progress`, 'utf8')).toBe(progress);
    const whole = await caller.import(...args);
    expect([whole.status, shown(whole.stdout)]).toEqual([
      0,
      '20 records: 10 created, 10 updated, 0 unchanged, 0 rejected.',
    ]);
    expect((await caller.stored()).map(({ fields }) => fields)).toEqual(
      Array.from({ length: 20 }, (_, row) => ({ custom_Start: fieldsOf(row).custom_Start })),
    );
  });
});
