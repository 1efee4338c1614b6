import { AccountSync } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, databases } from '../support/databases.js';
import { run, Service, type Settings } from '../support/service.js';

describe.each(databases)('account-sync undo, from a server on %s', (_name, createDatabase) => {
  let database: Database;
  let service: Service;
  let client: AccountSync;
  let caller: Settings;
  beforeAll(async () => {
    database = await createDatabase();
    service = await Service.start(database.settings);
    client = new AccountSync({ url: service.url, key: service.key });
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
  });
  afterAll(async () => {
    await service.stop();
    await database.remove();
  });

  /** A run that changes `a`, which was changed since, and `b`, and creates `c`. */
  async function badRun(): Promise<{ id: string; requestId: string }> {
    const before = await client.openRun();
    for (const account_id of ['a', 'b'])
      await client.upsert({ account_id, name: account_id, licenses: 5 }, { run: before.id });
    await client.finishRun(before.id);
    const { id } = await client.openRun();
    await client.upsert({ account_id: 'a', licenses: 1 }, { run: id });
    const { requestId } = await client.upsert({ account_id: 'b', licenses: 1 }, { run: id });
    await client.upsert({ account_id: 'c', name: 'c' }, { run: id });
    await client.finishRun(id);
    await client.upsert({ account_id: 'a', licenses: 9 });
    return { id, requestId };
  }

  it('shows what it would do, does it, and can be undone', async () => {
    const { id } = await badRun();
    const counts = 'Updated    1\nArchived   1\nRestored   0\nConflicts  1\n';
    const conflicts =
      '\nLeft as they are:\n  a, licenses: 5 before, 1 by the run, 9 now\n\nTake them back, too, with --force.\n';
    const dry = `Dry run, nothing was stored. An undo of run ${id} would have these results:\n`;
    expect(await run(['undo', id, '--dry-run'], caller)).toEqual({
      status: 0,
      stdout: `${dry}${counts}${conflicts}`,
      stderr: '',
    });
    expect(await client.get('c')).toMatchObject({ archived_at: null });
    const { stdout } = await run(['undo', id], caller);
    const [, undo = ''] = /^Run \d+ is undone, by run (\d+)\.$/m.exec(stdout) ?? [];
    expect(stdout).toBe(
      `Run ${id} is undone, by run ${undo}.\n${counts}${conflicts}\nTake back the undo with: account-sync undo ${undo}\n`,
    );
    expect(await client.get('b')).toMatchObject({ fields: { licenses: 5 } });
    expect(await client.get('c')).toMatchObject({ archived_at: expect.any(String) });
    expect((await run(['run', 'show', undo], caller)).stdout).toContain(
      `\nUndoes     run ${id}\nExamined   3 of 3 changes, conflicts: 1\n`,
    );
    expect((await run(['run', 'show', id], caller)).stdout).toContain(`\nUndone by  run ${undo}\n`);
    expect((await run(['export', '--format', 'ndjson', '--archived', 'only'], caller)).stdout).toBe(
      '{"account_id":"c","name":"c"}\n',
    );
    expect((await run(['undo', undo], caller)).stdout).toContain('Restored   1\nConflicts  0\n');
    expect(await client.get('c')).toMatchObject({ archived_at: null });
  });

  it('prints JSON, with --force and for one request, whose run it finds', async () => {
    const { id, requestId } = await badRun();
    const one = await run(['undo', '--request', requestId, '--json'], caller);
    expect({ ...one, stdout: JSON.parse(one.stdout) }).toEqual({
      status: 0,
      stderr: '',
      stdout: {
        run_id: expect.any(String),
        undoes: id,
        changes: 1,
        updated: 1,
        archived: 0,
        restored: 0,
        conflicts: 0,
        dry_run: false,
        is_complete: true,
        code: null,
        problem: null,
        conflict_list: [],
      },
    });
    const forced = await run(['undo', id, '--force', '--json'], caller);
    expect(JSON.parse(forced.stdout)).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await client.get('a')).toMatchObject({ fields: { licenses: 5 } });
  });

  it('fails with what to do', async () => {
    expect(await run(['undo'], caller)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'Give the id of a run. List runs with: account-sync run list\n',
    });
    expect(await run(['undo', '--request', 'none'], caller)).toMatchObject({
      status: 2,
      stderr: 'No run has changes of the request none.\n',
    });
    const unknown = await run(['undo', '999999'], caller);
    expect(unknown).toMatchObject({ status: 2, stdout: '' });
    expect(unknown.stderr).toContain('There is no run 999999.');
  });
});
