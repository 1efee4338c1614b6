import type { Run } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { ImportCaller, withoutNumbers } from '../cli/import-caller.js';
import { cut, ScriptedServer } from '../client/scripted-server.js';
import { databases } from '../support/databases.js';
import { run, runJson } from '../support/service.js';
import { forward } from './forward.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const SHORT_TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC`;
const ID = expect.stringMatching(/^\d+$/);

describe.each(databases)('sources and runs on the command line on %s', (name, createDatabase) => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([], createDatabase, ['other', 'third']);
  });
  afterAll(() => caller.end());

  const operator = (...args: string[]) => run(args, caller.database.settings);
  const operatorJson = (...args: string[]) => runJson(caller.database.settings, ...args);
  const json = (...args: string[]) => runJson(caller.settings, ...args);
  /** The message of a command that fails; the first line of a command on a database names that. */
  const failure = async (status: number, ...args: string[]) => {
    const settings = { ...caller.database.settings, ...caller.settings };
    const { stdout, stderr, ...end } = await run(args, settings);
    expect([end.status, stdout]).toEqual([status, '']);
    return stderr.replace(/^Database: .*\n/, '').trimEnd();
  };
  const csv = (name: string, ids: readonly string[]) =>
    caller.write(
      name,
      ['account_id,name,licenses', ...ids.map((id) => `${id},Name of ${id},1`), ''].join('\n'),
    );

  describe('source', () => {
    it('creates, changes, lists and removes sources', async () => {
      const plain = {
        name: 'crm',
        label: 'crm',
        expect_every_seconds: null,
        grace_seconds: 0,
        is_tracked: false,
        is_late: false,
        last_finished_at: null,
        next_expected_at: null,
        created_at: TIME,
      };
      expect(await operatorJson('source', 'set', 'other', 'crm')).toEqual(plain);
      const expected = await operator(
        ...['source', 'set', 'other', 'crm', '--label', 'Our CRM', '--expect-every', '90m', '--grace', '2h'],
      );
      expect([expected.status, expected.stdout]).toEqual([
        0,
        'The source crm (Our CRM) is expected to finish a run every 90m, with a grace of 2h.\n',
      ]);
      // What is not given stays.
      expect(await operatorJson('source', 'set', 'other', 'crm', '--grace', '0m')).toEqual({
        ...plain,
        label: 'Our CRM',
        expect_every_seconds: 5_400,
        next_expected_at: TIME,
      });
      const { stdout } = await operator('source', 'list', 'other');
      expect(stdout.replace(new RegExp(SHORT_TIME), 'TIME')).toBe(
        [
          'SOURCE   LABEL    EXPECTED EVERY  GRACE  LAST FINISHED  NEXT EXPECTED         STATE',
          'crm      Our CRM  90m             0s     –              TIME  on time',
          'default  default  –               –      –              –                     –',
          '',
        ].join('\n'),
      );
      const relaxed = await operator('source', 'set', 'other', 'crm', '--no-expect-every');
      expect(relaxed.stdout).toBe('The source crm (Our CRM) may push whenever it likes.\n');
      expect(await operatorJson('source', 'list', 'other')).toEqual([
        { ...plain, label: 'Our CRM' },
        { ...plain, name: 'default', label: 'default' },
      ]);
      expect(await operatorJson('source', 'remove', 'other', 'crm')).toEqual({ name: 'crm', removed: true });
      expect(
        (await operatorJson('source', 'list', 'other')).map(({ name }: Run & { name: string }) => name),
      ).toEqual(['default']);
    });

    it('rejects bad names, times and unknown sources', async () => {
      expect(await failure(1, 'source', 'set', 'other', 'Our CRM')).toBe(
        '"Our CRM" cannot name a source: use lower-case letters, digits and hyphens, 63 at most.',
      );
      for (const [option, value, message] of [
        ['--expect-every', '59s', 'Give a time from 1m to 366d, such as 90m, 24h or 7d.'],
        ['--expect-every', 'daily', 'Give a time from 1m to 366d, such as 90m, 24h or 7d.'],
        ['--grace', '367d', 'Give a time up to 366d, such as 0m, 90m or 2h.'],
        ['--label', '  ', 'Give a text of 1 to 200 characters.'],
      ] as const) {
        expect(await failure(1, 'source', 'set', 'other', 'crm', option, value)).toContain(message);
      }
      expect(await failure(1, 'source', 'remove', 'other', 'nobody')).toBe(
        'The tenant other has no source nobody. List its sources with: account-sync source list other',
      );
      expect(await failure(1, 'source', 'remove', 'other', 'default')).toMatch(
        /^The key \w+ belongs to the source default\. Revoke it, or give it another source first\.$/,
      );
      expect(await failure(1, 'source', 'list', 'nobody')).toContain('The tenant nobody does not exist.');
    });
  });

  it('key: takes a source that exists, or creates one for its label, and is moved', async () => {
    const sourceOf = async (id: string) =>
      (await operatorJson('key', 'list', 'third')).find((key: { id: string }) => key.id === id).source;
    expect(await failure(1, 'key', 'create', 'third', '--source', 'erp')).toBe('There is no source erp.');
    await operatorJson('source', 'set', 'third', 'erp');
    const named = await operatorJson('key', 'create', 'third', '--source', 'erp', '--label', 'Nightly job');
    const labelled = await operatorJson('key', 'create', 'third', '--label', 'Nightly job');
    expect([await sourceOf(named.id), await sourceOf(labelled.id)]).toEqual(['erp', 'nightly-job']);
    const moved = await operator('key', 'set', 'third', labelled.id, '--source', 'erp');
    expect([moved.status, moved.stdout]).toEqual([
      0,
      `The key ${labelled.id} belongs to the source erp from now on.\n`,
    ]);
    expect(await sourceOf(labelled.id)).toBe('erp');
    expect(await failure(1, 'key', 'set', 'third', labelled.id, '--source', 'nobody')).toBe(
      'There is no source nobody.',
    );
    expect(await failure(1, 'key', 'set', 'third', 'nobody', '--source', 'erp')).toBe(
      'The tenant third has no key nobody. List its keys with: account-sync key list third',
    );
    expect(await failure(1, 'key', 'set', 'third', labelled.id)).toContain(
      "required option '--source <name>'",
    );
  });

  it('import: opens and finishes a run, which run and changes show', async () => {
    const file = await csv('one.csv', ['a', 'b', 'n/a']);
    const first = await run(['import', file], caller.settings);
    const [, id = ''] =
      /\nRun (\d+)\. Show it again with: account-sync run show \1\n/.exec(first.stdout) ?? [];
    expect([first.status, withoutNumbers(first).stdout.split('\n')[0]]).toEqual([
      1,
      '3 records: 2 created, 0 updated, 0 unchanged, 1 rejected.',
    ]);
    await caller.write('two.csv', 'account_id,name,licenses\na,Name of a,1\nb,Name of b,2\n');
    const second = await json('import', caller.path('two.csv'));
    expect(second).toMatchObject({ run: ID, is_complete: true, is_resumable: false, records: 2 });
    expect(second.run).not.toBe(id);
    const shown = await json('run', 'show', id);
    expect(shown).toEqual({
      id,
      source: 'default',
      kind: 'explicit',
      mode: 'upsert',
      state: 'finished',
      key_id: expect.any(String),
      user: null,
      started_at: TIME,
      ended_at: TIME,
      last_request_at: TIME,
      requests: 1,
      failed_requests: 0,
      created: 2,
      updated: 0,
      archived: 0,
      restored: 0,
      unchanged: 0,
      skipped: 0,
      kept: 0,
      rejected: 1,
      missing: null,
      undo: null,
      undone_by: null,
      fields: [
        { field: 'licenses', changes: 2 },
        { field: 'name', changes: 2 },
      ],
    });
    const { stdout } = await run(['run', 'show', second.run], caller.settings);
    expect(stdout.replace(new RegExp(SHORT_TIME, 'g'), 'TIME')).toBe(
      [
        `Run        ${second.run} (explicit, finished)`,
        'Source     default',
        `Key        ${shown.key_id}`,
        'Started    TIME',
        'Ended      TIME',
        'Requests   1, of which failed: 0',
        'Created    0',
        'Updated    1',
        'Unchanged  1',
        'Rejected   0',
        '',
        'FIELD     CHANGES',
        'licenses  1',
        '',
      ].join('\n'),
    );
    const { fields: _fields, undone_by: _undoneBy, ...listed } = shown;
    const runs: Run[] = await json('run', 'list');
    expect(runs.map((one) => one.id)).toEqual([second.run, id]);
    expect(runs[1]).toEqual(listed);
    expect(await json('run', 'list', '--limit', '1', '--state', 'finished', '--source', 'default')).toEqual([
      runs[0],
    ]);
    const table = (await run(['run', 'list', '--limit', '1'], caller.settings)).stdout.split('\n');
    expect(table[0]?.split(/ {2,}/)).toEqual([
      'RUN',
      'SOURCE',
      'STATE',
      'STARTED',
      'ENDED',
      'REQUESTS',
      'CREATED',
      'UPDATED',
      'UNCHANGED',
      'REJECTED',
    ]);
    expect(table[1]?.split(/ {2,}/)).toMatchObject([
      second.run,
      'default',
      'finished',
      {},
      {},
      '1',
      '0',
      '1',
      '1',
      '0',
    ]);
    expect((await run(['run', 'list', '--state', 'open'], caller.settings)).stdout).toBe('No runs.\n');

    const changes = async (...args: string[]) => {
      const { stdout } = await run(['changes', '--json', ...args], caller.settings);
      return stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    };
    const all = await changes();
    expect(all.map((one) => [one.account_id, one.kind, one.run_id, one.source])).toEqual([
      ['a', 'created', id, 'default'],
      ['b', 'created', id, 'default'],
      ['b', 'updated', second.run, 'default'],
    ]);
    expect(await changes('--run', id)).toEqual(all.slice(0, 2));
    expect(await changes('--run', second.run, '--source', 'default')).toEqual(all.slice(2));
    expect(await changes('--request-id', all[2].request_id)).toEqual(all.slice(2));
    expect(await changes('--key-id', shown.key_id)).toEqual(all);
    expect(await changes('--key-id', 'nobody')).toEqual([]);
    expect(await changes('--source', 'crm')).toEqual([]);
    expect(await changes('--run', '999999999')).toEqual([]);
  });

  it('run and changes: reject what does not exist or cannot be combined', async () => {
    expect(await failure(2, 'run', 'show', '999999999')).toBe(
      'There is no run 999999999. List runs with: account-sync run list',
    );
    expect(await failure(2, 'run', 'list', '--limit', '0')).toBe(
      'Give --limit a whole number of at least 1.',
    );
    expect(await failure(2, 'run', 'list', '--state', 'ended')).toContain(
      'Allowed choices are open, finished',
    );
    expect(await failure(2, 'changes', '--follow', '--run', '1')).toBe(
      '--follow prints all changes: leave out --run, --source, --key-id, --user-id and --request-id.',
    );
  });

  it('import: a dry run opens no run', async () => {
    const other = caller.ofTenant('other');
    const file = await csv('dry.csv', ['a']);
    expect(await runJson(other.settings, 'import', file, '--dry-run')).toMatchObject({
      run: null,
      created: 1,
    });
    expect((await other.import(file, '--dry-run')).stdout).not.toContain('Run ');
    expect(await runJson(other.settings, 'run', 'list')).toEqual([]);
  });

  describe('an interrupted import', () => {
    let proxy: ScriptedServer;
    let isDown = false;
    beforeAll(async () => {
      const onward = forward(caller.service.url);
      let imports = 0;
      // The second request with records to store, and all after it, find no server. The check of the first records, a
      // dry run, does.
      proxy = await ScriptedServer.start([
        (request, response) => {
          if (request.url === '/api/v2/accounts/import') imports += 1;
          if (isDown && imports > 1) return cut(request, response);
          if (!isDown) imports = 0;
          return onward(request, response);
        },
      ]);
    });
    afterAll(() => proxy.stop());

    const COUNT = 600;
    const through = (key: string) => ({
      ACCOUNT_SYNC_URL: `http://127.0.0.1:${proxy.port}`,
      ACCOUNT_SYNC_KEY: key,
    });
    const importJson = async (key: string, ...args: string[]) => {
      const { status, stdout } = await run(['import', ...args, '--json'], through(key));
      return { status, ...JSON.parse(stdout) };
    };
    /** Imports a file until the server goes away. */
    const interrupt = async (name: string, key: string) => {
      const file = await csv(
        `${name}.csv`,
        Array.from({ length: COUNT }, (_, i) => `${name}-${i}`),
      );
      isDown = true;
      const report = await importJson(key, file, '--concurrency', '1', '--give-up-after', '0s');
      isDown = false;
      expect(report).toMatchObject({
        status: 2,
        is_complete: false,
        is_resumable: true,
        run: ID,
        created: 250,
      });
      return { file, id: report.run as string };
    };

    it('goes on with its run, which is open until then', async () => {
      const other = caller.ofTenant('other');
      const { file, id } = await interrupt('resumed', other.key);
      expect(await other.client.run(id)).toMatchObject({ id, state: 'open', ended_at: null });
      const resumed = await importJson(other.key, file, '--resume');
      expect(resumed).toMatchObject({ status: 0, run: id, is_complete: true, created: COUNT });
      expect(await other.client.run(id)).toMatchObject({ state: 'finished', created: COUNT, unchanged: 0 });
      expect(await runJson(other.settings, 'run', 'list')).toHaveLength(1);
    });

    it('goes on with another run if its own has ended meanwhile', async () => {
      const third = caller.ofTenant('third');
      const { file, id } = await interrupt('ended', third.key);
      await third.client.finishRun(id, { abandon: true });
      const resumed = await importJson(third.key, file, '--resume');
      expect(resumed).toMatchObject({ status: 0, run: ID, is_complete: true, created: COUNT });
      expect(resumed.run).not.toBe(id);
      expect(await third.client.run(id)).toMatchObject({ state: 'abandoned', created: 250 });
      expect(await third.client.run(resumed.run)).toMatchObject({ state: 'finished', created: COUNT - 250 });
    });

    it('goes on with another run at the second attempt if the key cannot read runs', async () => {
      const args = ['--scope', 'sync', '--source', 'default'];
      const { key } = await operatorJson('key', 'create', 'third', ...args);
      const { file, id } = await interrupt('blind', key);
      await caller.ofTenant('third').client.finishRun(id);
      expect(await importJson(key, file, '--resume')).toMatchObject({
        status: 2,
        problem: expect.stringContaining(`Run ${id} has ended. Open a new one.`),
        is_resumable: true,
        run: null,
      });
      expect(await importJson(key, file, '--resume')).toMatchObject({ status: 0, run: ID, created: COUNT });
    });
  });

  // The PostgreSQL servers of tests are not durable, and doctor stops at that.
  it.runIf(name === 'SQLite')('doctor names late sources with advice', async () => {
    const sources = async () => {
      const { status, stdout } = await operator('doctor', '--json');
      const { findings } = JSON.parse(stdout);
      return [status, findings.filter(({ check }: { check: string }) => check === 'sources')];
    };
    expect(await sources()).toEqual([
      0,
      [{ check: 'sources', state: 'ok', found: 'none is expected regularly' }],
    ]);
    const store = await openStore({ database: caller.database.url });
    const { id = 0 } = (await store.directory.findTenant({ name: 'third' })) ?? {};
    const expectSince = (at: string) =>
      store.directory.sources.set(
        id,
        'late-crm',
        { expectEveryMs: 86_400_000, graceMs: 7_200_000 },
        { at: Date.parse(at), senderId: null, requestId: null },
      );
    await expectSince(new Date().toISOString());
    expect(await sources()).toEqual([0, [{ check: 'sources', state: 'ok', found: 'on time: 1' }]]);
    await store.directory.sources.remove(id, 'late-crm');
    await expectSince('2026-01-31T12:00:00Z');
    const finding = {
      check: 'sources',
      state: 'warning',
      found: 'late-crm of tenant third is late since 2026-02-01 14:00 UTC; it has finished no run yet',
      advice: 'It is expected every 1d. Check the job that pushes its accounts, and its rejections.',
    };
    expect(await sources()).toEqual([0, [finding]]);
    const { stdout } = await operator('doctor');
    expect(stdout).toContain(
      `warning  sources          ${finding.found}\n${' '.repeat(26)}${finding.advice}\n`,
    );
    const run = await store.runs.open({
      tenantId: id,
      source: 'late-crm',
      senderId: 'k',
      at: Date.parse('2026-01-30T12:00:00Z'),
    });
    await store.runs.end(id, run.id, 'finished', Date.parse('2026-02-10T12:00:00Z'));
    expect((await sources())[1]).toEqual([
      {
        ...finding,
        found:
          'late-crm of tenant third is late since 2026-02-11 14:00 UTC; its last run: 2026-02-10 12:00 UTC',
      },
    ]);
    const listed = await operator('source', 'list', 'third');
    expect(listed.stdout).toMatch(/^late-crm .* LATE$/m);
    await store.close();
  });
});
