import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';
import { all, cut, ScriptedServer } from '../client/scripted-server.js';
import { databases } from '../support/databases.js';
import { run, runJson, type Settings } from '../support/service.js';
import { forward } from './forward.js';

const TENANTS = [
  'archive',
  'report',
  'too-many',
  'refused',
  'resumed',
  'ended',
  'part',
  'tracked',
  'unreadable',
  'other',
];

describe.each(databases)('import --missing, from a server on %s', (_name, createDatabase) => {
  let callers: ImportCaller;
  let proxy: ScriptedServer;
  /** How many requests with records reach the server; the others are cut. */
  let allowed = Number.POSITIVE_INFINITY;
  beforeAll(async () => {
    callers = await ImportCaller.start([], createDatabase, TENANTS);
    const onward = forward(callers.service.url);
    proxy = await ScriptedServer.start([
      (request, response) => {
        if (request.url?.startsWith('/api/v2/accounts/import')) allowed -= 1;
        return allowed < 0 ? cut(request, response) : onward(request, response);
      },
    ]);
  });
  afterAll(async () => {
    await proxy.stop();
    await callers.end();
  });

  const numbered = (count: number) => Array.from({ length: count }, (_, i) => `a-${i}`);
  const csv = (caller: ImportCaller, name: string, ids: readonly string[]) =>
    caller.write(name, ['account_id,name', ...ids.map((id) => `${id},Name of ${id}`), ''].join('\n'));
  const json = async ({ settings }: { readonly settings: Settings }, ...args: string[]) => {
    const { status, stdout } = await run([...args, '--json'], settings);
    return { status, ...JSON.parse(stdout) };
  };
  const isArchived = async ({ client }: ImportCaller, id: string) =>
    (await client.get(id))?.archived_at !== null;
  const lines = (text: string) => text.trimEnd().split('\n');

  it('archive: archives nothing if a row names no account, since it may be any', async () => {
    const caller = callers.ofTenant('unreadable');
    const whole = await csv(caller, 'unreadable-1.csv', numbered(20));
    expect((await caller.import(whole, '--missing', 'archive')).status).toBe(0);
    const rows = numbered(19).map((id) => `${id},Name of ${id}`);
    const file = await caller.write(
      'unreadable-2.csv',
      ['account_id,name', ...rows, 'a-19,19,more', ''].join('\n'),
    );
    const { status, stderr } = await run(['import', file, '--missing', 'archive'], caller.settings);
    expect(status).toBe(2);
    const [, id = ''] = /None is archived, and run (\d+) is still open/.exec(stderr) ?? [];
    expect(stderr).toContain('1 rejected row names no account, so it is not known what is missing.');
    expect(await isArchived(caller, 'a-19')).toBe(false);
    expect((await run(['run', 'finish', id, '--abandon'], caller.settings)).status).toBe(0);
  });

  it('archive: archives what is not in the file, and says so', async () => {
    const caller = callers.ofTenant('archive');
    const whole = await csv(caller, 'archive-1.csv', numbered(20));
    expect((await caller.import(whole, '--missing', 'archive')).status).toBe(0);
    const file = await csv(caller, 'archive-2.csv', numbered(19));
    const { status, stdout } = await run(['import', file, '--missing', 'archive'], caller.settings);
    expect(status).toBe(0);
    expect(lines(stdout)).toContain(
      '1 of the 20 accounts that this source has pushed is not in the file, and archived.',
    );
    expect([await isArchived(caller, 'a-18'), await isArchived(caller, 'a-19')]).toEqual([false, true]);
    const [, id = ''] = /^Run (\d+)\./m.exec(stdout) ?? [];
    const shown = await run(['run', 'show', id], caller.settings);
    expect(shown.stdout).toContain('\nMissing    1 of 20 accounts of the source\n');
    // The account comes back with the file, and three others are gone.
    const last = await csv(caller, 'archive-3.csv', numbered(20).slice(3));
    const report = await json(caller, 'import', last, '--missing', 'archive', '--max-missing', '15%');
    expect(report).toMatchObject({
      status: 0,
      is_complete: true,
      missing: { action: 'archive', accounts: 3, of: 20 },
    });
    expect(await isArchived(caller, 'a-19')).toBe(false);
    expect(await caller.client.run(report.run)).toMatchObject({ state: 'finished', archived: 3 });
  });

  it('report: counts them, and says how to list and archive them', async () => {
    const caller = callers.ofTenant('report');
    const whole = await csv(caller, 'report-1.csv', numbered(3));
    const untracked = await json(caller, 'import', whole);
    expect(untracked).toMatchObject({ status: 0, missing: null });
    const ids = numbered(3).slice(1);
    const file = await csv(caller, 'report-2.csv', ids);
    const { status, stdout } = await run(['import', file, '--missing', 'report'], caller.settings);
    expect(status).toBe(0);
    const [, id = ''] = /^Run (\d+)\./m.exec(stdout) ?? [];
    expect(lines(stdout)).toContain(
      `1 of the 3 accounts that this source has pushed is not in the file. List them with: account-sync run missing ${id}`,
    );
    expect(lines(stdout)).toContain(
      'If the file is complete, and these are gone, import it with --missing archive.',
    );
    expect(await isArchived(caller, 'a-0')).toBe(false);
    expect(lines((await run(['run', 'missing', id], caller.settings)).stdout)).toEqual([
      'ACCOUNT  NAME',
      'a-0      Name of a-0',
    ]);
    expect(await runJson(caller.settings, 'run', 'missing', id)).toEqual([
      { account_id: 'a-0', name: 'Name of a-0' },
    ]);
    // The default of the server, which is to report from now on.
    expect(await json(caller, 'import', file)).toMatchObject({
      missing: { action: 'report', accounts: 1, of: 3 },
    });
    expect(await json(caller, 'import', file, '--missing', 'ignore')).toMatchObject({ missing: null });
    // Nothing is missing from a file with all accounts.
    const complete = await run(['import', whole, '--missing', 'report'], caller.settings);
    expect([complete.status, complete.stdout]).toEqual([
      0,
      expect.not.stringContaining('accounts that this source has pushed'),
    ]);
    const [, last = ''] = /^Run (\d+)\./m.exec(complete.stdout) ?? [];
    expect((await run(['run', 'missing', last], caller.settings)).stdout).toBe(
      `No account is missing from run ${last}.\n`,
    );
  });

  it('archive: stores the records and archives nothing if too many are missing, and says what to do', async () => {
    const caller = callers.ofTenant('too-many');
    await json(caller, 'import', await csv(caller, 'many-1.csv', numbered(10)), '--missing', 'archive');
    const file = await csv(caller, 'many-2.csv', [...numbered(8), 'new']);
    const { status, stdout, stderr } = await run(['import', file, '--missing', 'archive'], caller.settings);
    expect(status).toBe(2);
    const said = `${stdout}${stderr}`;
    const [, id = ''] = /are missing from run (\d+), more than 10 %\./.exec(said) ?? [];
    expect(said).toContain(`2 of the 11 accounts that source default has pushed are missing from run ${id}`);
    expect(said).toContain(`account-sync run finish ${id} --max-missing`);
    expect(await isArchived(caller, 'new')).toBe(false);
    expect(await isArchived(caller, 'a-9')).toBe(false);
    expect(await caller.client.run(id)).toMatchObject({ state: 'open', archived: 0 });
    expect((await run(['run', 'show', id], caller.settings)).stdout).toContain('\nMissing ');
    const refused = await run(['run', 'finish', id, '--max-missing', '18%'], caller.settings);
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('more than 18 %');
    const finished = await run(['run', 'finish', id, '--max-missing', '19%'], caller.settings);
    expect([finished.status, finished.stderr]).toEqual([0, '']);
    expect(finished.stdout).toContain('\nMissing    2 of 11 accounts of the source\n');
    expect(await isArchived(caller, 'a-9')).toBe(true);
    expect(await caller.client.run(id)).toMatchObject({ state: 'finished', created: 1, archived: 2 });

    const again = await csv(caller, 'many-3.csv', ['new']);
    const json2 = await json(caller, 'import', again, '--missing', 'archive', '--max-missing', '0');
    expect(json2).toMatchObject({ status: 2, problem: expect.stringContaining('9 accounts') });
    expect(json2.unchanged).toBe(1);
    const abandoned = await run(['run', 'finish', json2.run, '--abandon', '--json'], caller.settings);
    expect([abandoned.status, JSON.parse(abandoned.stdout)]).toMatchObject([
      0,
      { state: 'abandoned', archived: 0, missing: { action: 'archive', accounts: null, of: null } },
    ]);
    expect(await isArchived(caller, 'a-0')).toBe(false);
  });

  it('archive: is refused with --dry-run and --limit, and for a share that is none, before anything is sent', async () => {
    const caller = callers.ofTenant('refused');
    const file = await csv(caller, 'refused.csv', ['a']);
    for (const [args, message] of [
      [['--missing', 'archive', '--dry-run'], '--dry-run'],
      [['--missing', 'archive', '--limit', '1'], '--limit'],
      [['--missing', 'archive', '--max-missing', '101%'], 'Give a share from 0 to 100'],
      [['--missing', 'archive', '--max-missing', 'all'], 'Give a share from 0 to 100'],
      [['--missing', 'delete'], 'Allowed choices are archive, report, ignore'],
    ] as const) {
      const { status, stdout, stderr } = await run(['import', file, ...args], caller.settings);
      expect([args, status, stdout]).toEqual([args, 2, '']);
      expect(stderr).toContain(message);
    }
    expect(await all(caller.client.runs())).toEqual([]);
    expect(await all(caller.client.list())).toEqual([]);
  });

  describe('an interrupted import', () => {
    const COUNT = 600;
    const through = (caller: ImportCaller) => ({
      settings: { ...caller.settings, ACCOUNT_SYNC_URL: `http://127.0.0.1:${proxy.port}` },
    });
    /** All accounts are imported; then a file without the first one is imported until the server goes away. */
    const interrupt = async (caller: ImportCaller, name: string, missing = ['--missing', 'archive']) => {
      const ids = numbered(COUNT);
      const whole = await csv(caller, `${name}-1.csv`, ids);
      expect(await json(caller, 'import', whole, '--missing', 'archive')).toMatchObject({ status: 0 });
      const file = await csv(caller, `${name}-2.csv`, ids.slice(1));
      // The check of the first records, and one with records to store.
      allowed = 2;
      const args = [...missing, '--concurrency', '1', '--give-up-after', '0s', '--json'];
      const { status, stdout } = await run(['import', file, ...args], through(caller).settings);
      allowed = Number.POSITIVE_INFINITY;
      const report = JSON.parse(stdout);
      expect([status, report]).toMatchObject([2, { is_complete: false, is_resumable: true }]);
      expect(await caller.client.run(report.run)).toMatchObject({ state: 'open', archived: 0 });
      return { file, id: report.run as string };
    };

    it('is not resumed with another option', async () => {
      const caller = callers.ofTenant('other');
      const { file, id } = await interrupt(caller, 'other');
      for (const missing of [[], ['--missing', 'ignore'], ['--missing', 'report']]) {
        const { status } = await run(['import', file, '--resume', ...missing], through(caller).settings);
        expect(status).toBe(2);
      }
      expect(await caller.client.run(id)).toMatchObject({ state: 'open', archived: 0 });
    });

    it('is one run with its resumption, from which only the account is missing', async () => {
      const caller = callers.ofTenant('resumed');
      const { file, id } = await interrupt(caller, 'resumed');
      const resumed = await json(through(caller), 'import', file, '--missing', 'archive', '--resume');
      expect(resumed).toMatchObject({
        status: 0,
        run: id,
        is_complete: true,
        missing: { action: 'archive', accounts: 1, of: COUNT },
      });
      expect(await caller.client.run(id)).toMatchObject({ state: 'finished', archived: 1 });
      expect(await isArchived(caller, 'a-0')).toBe(true);
    });

    it('is not resumed with --missing archive if its run has ended meanwhile', async () => {
      const caller = callers.ofTenant('ended');
      const { file, id } = await interrupt(caller, 'ended');
      await caller.client.finishRun(id, { abandon: true });
      const args = ['import', file, '--missing', 'archive', '--resume'];
      const { status, stderr } = await run(args, through(caller).settings);
      expect(status).toBe(2);
      expect(stderr).toContain('The run of the interrupted import has ended');
      const [latest] = await all(caller.client.runs());
      expect(latest?.id).toBe(id);
      expect(await isArchived(caller, 'a-0')).toBe(false);
    });

    it('is resumed without the option if its run has ended meanwhile, and nothing is counted', async () => {
      const caller = callers.ofTenant('part');
      const { file, id } = await interrupt(caller, 'part', []);
      await caller.client.finishRun(id, { abandon: true });
      // The new run has only a part of the file.
      const resumed = await json(through(caller), 'import', file, '--resume');
      expect(resumed).toMatchObject({ status: 0, is_complete: true, missing: null });
      expect(resumed.run).not.toBe(id);
      expect(await isArchived(caller, 'a-0')).toBe(false);
    });
  });

  it('source set: --track and --no-track', async () => {
    const caller = callers.ofTenant('tracked');
    const { settings } = callers.database;
    const set = (...args: string[]) => runJson(settings, 'source', 'set', 'tracked', 'default', ...args);
    expect(await set('--track')).toMatchObject({ name: 'default', is_tracked: true });
    expect(await set('--label', 'Main')).toMatchObject({ label: 'Main', is_tracked: true });
    // The server reads the change of another process within a second.
    const missing = async () => (await caller.client.openRun()).missing;
    await expect.poll(missing).toEqual({ action: 'report', accounts: null, of: null });
    expect(await set('--no-track')).toMatchObject({ is_tracked: false });
    await expect.poll(missing).toBeNull();
    const [listed] = await runJson(settings, 'source', 'list', 'tracked');
    expect(listed).toMatchObject({ name: 'default', is_tracked: false });
  });
});
