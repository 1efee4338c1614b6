import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';
import { run, runJson } from '../support/service.js';

const TENANTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

describe('import --mode', () => {
  let acme: ImportCaller;
  let caller: ImportCaller;
  let used = 0;
  beforeAll(async () => {
    acme = await ImportCaller.start([], undefined, TENANTS);
  });
  afterAll(() => acme.end());
  beforeEach(async () => {
    caller = acme.ofTenant(TENANTS[used] ?? '');
    used += 1;
    await caller.client.upsert({ account_id: 'old', name: 'Old' });
  });

  const csv = (...rows: string[]) =>
    caller.write('accounts.csv', ['account_id,name', ...rows, ''].join('\n'));
  const names = async () =>
    Object.fromEntries((await caller.stored()).map(({ account_id, name }) => [account_id, name]));
  const firstLine = (stdout: string) => stdout.split('\n')[0];

  it.each([
    ['update-only', '2 records: 0 created, 1 updated, 0 unchanged, 1 skipped, 0 rejected.', { old: 'Other' }],
    [
      'create-only',
      '2 records: 1 created, 0 updated, 0 unchanged, 1 skipped, 0 rejected.',
      { new: 'New', old: 'Old' },
    ],
    ['upsert', '2 records: 1 created, 1 updated, 0 unchanged, 0 rejected.', { new: 'New', old: 'Other' }],
  ])('%s writes only accounts that fit, and tells how many it skipped', async (mode, summary, stored) => {
    const file = await csv('old,Other', 'new,New');
    const dry = await caller.import(file, '--mode', mode, '--dry-run');
    expect([dry.status, await names()]).toEqual([0, { old: 'Old' }]);
    expect(dry.stdout).toContain(
      summary.replace('records:', 'records, nothing stored:').replace(' created', ' would be created'),
    );
    const real = await caller.import(file, '--mode', mode);
    expect([real.status, firstLine(real.stdout), await names()]).toEqual([0, summary, stored]);
  });

  it('has the mode and the counts in its run, and as JSON', async () => {
    const file = await csv('old,Other', 'new,New', 'newer,New');
    const result = await runJson(caller.settings, 'import', file, '--mode', 'update-only');
    expect(result).toMatchObject({ records: 3, created: 0, updated: 1, skipped: 2, refused: 0, kept: 0 });
    const shown = await runJson(caller.settings, 'run', 'show', result.run);
    expect(shown).toMatchObject({ mode: 'update-only', skipped: 2, kept: 0, state: 'finished' });
    const { stdout } = await run(['run', 'show', result.run], caller.settings);
    expect(stdout).toContain(`Run        ${result.run} (explicit, update-only, finished)\n`);
    expect(stdout).toContain('\nSkipped    2\n');
    expect(stdout).not.toContain('\nKept ');
  });

  it('is one of three', async () => {
    const { status, stderr } = await caller.import(await csv('old,Other'), '--mode', 'update');
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('Allowed choices are upsert, update-only, create-only'),
    ]);
    expect(await names()).toEqual({ old: 'Old' });
  });

  it('tells how many values it kept because another source owns the field', async () => {
    const operator = (...args: string[]) => runJson(acme.database.settings, ...args);
    const tenant = TENANTS[used - 1] ?? '';
    await operator('source', 'set', tenant, 'billing');
    await operator('attribute', 'set', tenant, 'name', '--owner', 'billing', '--others', 'keep');
    const other = { account_id: 'never-stored', name: 'Other' };
    await expect
      .poll(async () => (await caller.client.import([other], { dryRun: true }).finish()).kept)
      .toBe(1);
    const file = await csv('old,Other', 'new,New', 'same,');
    const text =
      '3 records: 2 created, 0 updated, 1 unchanged, 0 rejected. ' +
      'Values of fields that another source owns, left as they are: 2.';
    const { status, stdout } = await run(['import', file], caller.settings);
    const [, id = ''] = /\nRun (\d+)\./.exec(stdout) ?? [];
    expect([status, firstLine(stdout)]).toEqual([0, text]);
    const shown = await run(['run', 'show', id], caller.settings);
    expect(shown.stdout).toContain('\nKept       2 values of fields that another source owns\n');
    expect(shown.stdout).not.toContain('\nSkipped ');
    expect(await names()).toEqual({ new: null, old: 'Old', same: null });
    const json = await runJson(caller.settings, 'import', file, '--mode', 'create-only');
    expect(json).toMatchObject({ created: 0, skipped: 3, kept: 0 });
  });
});
