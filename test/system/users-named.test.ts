import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { ImportCaller } from '../cli/import-caller.js';
import { databases } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { run, runJson } from '../support/service.js';

const SHORT_TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? UTC`;

describe.each(databases)('the command line names users on %s', (_name, createDatabase) => {
  let caller: ImportCaller;
  let user: { readonly id: string; readonly name: string };
  let runId: string;
  beforeAll(async () => {
    caller = await ImportCaller.start([], createDatabase);
    const store = await openStore({ database: caller.database.url });
    const { id: tenantId = 0 } = (await store.directory.findTenant({ name: 'acme' })) ?? {};
    const { id } = await joinTenant(store, tenantId, { name: 'Kim', email: 'kim@example.com' });
    user = { id, name: 'Kim' };
    const at = Date.now();
    const started = await store.runs.open({ tenantId, source: 'console', senderId: id, at });
    runId = String(started.id);
    const by = { tenantId, requestId: 'r', at, bytes: 1 };
    const patches = (accountId: string) => [{ accountId, fields: { licenses: 1 } }];
    await store.upsert({ ...by, senderId: id, runId: started.id, patches: patches('by-user') });
    await store.upsert({ ...by, senderId: 'k', patches: patches('by-key') });
    await store.runs.end(tenantId, started.id, 'finished', at);
    await store.close();
  }, 60_000);
  afterAll(() => caller.end());

  const changes = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['changes', ...args], caller.settings);
    expect([status, stderr]).toEqual([0, '']);
    return stdout.split('\n').filter((line) => line !== '');
  };

  it('in changes, and selects them', async () => {
    const line = /^\d+~\d+ {2}\S+ {2}console \(Kim\) {2}by-user {2}created {2}licenses – → 1$/;
    expect(await changes('--user-id', user.id)).toEqual([expect.stringMatching(line)]);
    expect((await changes('--json', '--user-id', user.id)).map((text) => JSON.parse(text))).toEqual([
      {
        cursor: expect.any(String),
        account_id: 'by-user',
        revision: 1,
        kind: 'created',
        at: expect.any(String),
        request_id: 'r',
        key_id: null,
        user,
        source: 'console',
        run_id: runId,
        is_erased: false,
        changes: [{ field: 'licenses', from: null, to: 1 }],
      },
    ]);
    expect((await changes()).map((text) => text.split('  ')[3])).toEqual(['by-user', 'by-key']);
    expect(await changes('--user-id', 'usr_00000000')).toEqual([]);
    expect(await changes('--key-id', user.id)).toEqual([]);
  });

  it('not together with --follow', async () => {
    const { status, stdout, stderr } = await run(
      ['changes', '--follow', '--user-id', user.id],
      caller.settings,
    );
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      '--follow prints all changes: leave out --run, --source, --key-id, --user-id and --request-id.\n',
    ]);
  });

  it('in runs', async () => {
    expect(await runJson(caller.settings, 'run', 'show', runId)).toMatchObject({ key_id: null, user });
    const { stdout } = await run(['run', 'show', runId], caller.settings);
    expect(stdout.replace(new RegExp(SHORT_TIME, 'g'), 'TIME').split('\n').slice(0, 4)).toEqual([
      `Run        ${runId} (explicit, finished)`,
      'Source     console',
      `User       Kim (${user.id})`,
      'Started    TIME',
    ]);
  });
});
