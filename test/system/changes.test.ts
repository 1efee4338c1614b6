import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { AccountSync, type Change } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { all } from '../client/scripted-server.js';
import { type Database, databases } from '../support/databases.js';
import {
  environment,
  freshDirectory,
  PROGRAM,
  run,
  runJson,
  Service,
  type Settings,
  start,
} from '../support/service.js';

const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The changes in complete lines. */
const changesIn = (stdout: string): Change[] =>
  (stdout.match(/^.+\n/gm) ?? []).map((line) => JSON.parse(line));

describe.each(databases)('changes of a server on %s', (_name, createDatabase) => {
  let database: Database;
  let service: Service;
  let caller: Settings;
  let client: AccountSync;
  let changes: Change[];
  beforeAll(async () => {
    database = await createDatabase();
    service = await Service.start(database.settings);
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
    client = new AccountSync({ url: service.url, key: service.key });
    await client.upsert({ account_id: 'acme', name: 'Acme', licenses: 25, custom_X: ['\u009b1m'] });
    await client.upsert({ account_id: 'acme', licenses: 30, custom_X: null });
    await client.upsert({ account_id: 'gone', name: 'Gone' });
    await client.delete('gone');
    // On PostgreSQL a change can be read once all earlier transactions of the server have ended, also those of others.
    await vi.waitFor(async () => {
      const { stdout } = await run(['changes', '--json'], caller);
      changes = changesIn(stdout);
      expect(changes).toHaveLength(4);
    }, 30_000);
  });
  afterAll(async () => {
    await service.stop();
    await database.remove();
  });

  const restart = async () => {
    const { port } = new URL(service.url);
    await service.stop('SIGKILL');
    service = await Service.start({ ...service.settings, ACCOUNT_SYNC_PORT: port });
  };

  it('are printed as JSON, as the server sends them', () => {
    const origin = { cursor: expect.any(String), at: MOMENT, request_id: expect.any(String) };
    const sender = { key_id: expect.any(String), user: null, source: 'default', run_id: '1' };
    const common = { ...origin, ...sender, is_erased: false };
    expect(changes).toEqual([
      {
        ...common,
        account_id: 'acme',
        revision: 1,
        kind: 'created',
        changes: [
          { field: 'name', from: null, to: 'Acme' },
          { field: 'licenses', from: null, to: 25 },
          { field: 'custom_X', from: null, to: ['\u009b1m'] },
        ],
      },
      {
        ...common,
        account_id: 'acme',
        revision: 2,
        kind: 'updated',
        changes: [
          { field: 'licenses', from: 25, to: 30 },
          { field: 'custom_X', from: ['\u009b1m'], to: null },
        ],
      },
      {
        ...common,
        account_id: 'gone',
        revision: 1,
        kind: 'created',
        is_erased: true,
        changes: [{ field: 'name', from: null, to: '[erased]' }],
      },
      {
        ...common,
        account_id: 'gone',
        revision: 2,
        kind: 'deleted',
        run_id: null,
        is_erased: true,
        changes: [{ field: 'name', from: '[erased]', to: null }],
      },
    ]);
  });

  it('are printed as readable lines, from the beginning or after any cursor', async () => {
    const texts = [
      'acme  created  name – → "Acme", licenses – → 25, custom_X – → ["\\u009b1m"]',
      'acme  updated  licenses 25 → 30, custom_X ["\\u009b1m"] → –',
      'gone  created  name – → "[erased]"',
      'gone  deleted  name "[erased]" → –',
    ];
    const lines = changes.map(({ cursor, at }, index) => `${cursor}  ${at}  default  ${texts[index]}\n`);
    expect(await run(['changes'], caller)).toEqual({ status: 0, stdout: lines.join(''), stderr: '' });
    for (const [index, { cursor }] of changes.entries()) {
      const rest = lines.slice(index + 1).join('');
      expect((await run(['changes', '--after', cursor], caller)).stdout).toBe(rest);
    }
    expect(await run(['changes', '--after', 'latest'], caller)).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('are followed across a server restart, which is reported once, until Ctrl-C', async () => {
    const after = changes.at(-1)?.cursor as string;
    const following = start(['changes', '--follow', '--json', '--after', after], caller);
    await client.upsert({ account_id: 'first' });
    await following.says('"first"');
    await restart();
    await following.says('The server responds again, after ');
    await client.upsert({ account_id: 'second' });
    await following.says('"second"');
    following.child.kill('SIGINT');
    const { status, stdout, stderr } = await following.finished;
    const seen = changesIn(stdout);
    expect(seen.map(({ account_id }) => account_id)).toEqual(['first', 'second']);
    expect([status, stderr.split('\n')]).toEqual([
      0,
      [
        expect.stringMatching(/^The connection for GET .*\/api\/v2\/changes failed: .*\. Trying again\.$/),
        expect.stringMatching(/^The server responds again, after \d+ s\.$/),
        `Continue with --after ${seen[1]?.cursor}.`,
        '',
      ],
    ]);
  });

  it('are not followed without the scope read', async () => {
    const { key } = await runJson(database.settings, 'key', 'create', 'default', '--scope', 'sync');
    const { status, stdout, stderr } = await run(['changes', '--follow'], {
      ...caller,
      ACCOUNT_SYNC_KEY: key,
    });
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(
        / returned 403: This key lacks the scope read\. Use a key with that scope\. \(request .*\)\n$/,
      ),
    ]);
  });
});

describe('changes', () => {
  let service: Service;
  let caller: Settings;
  let client: AccountSync;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
    client = new AccountSync({ url: service.url, key: service.key });
    // As JSON, this is more than a pipe can buffer.
    const records = Array.from({ length: 3_000 }, (_, i) => ({
      account_id: `account-${i}`,
      name: 'x'.repeat(99),
    }));
    await all(client.upsertMany(records));
  });
  afterAll(() => service.stopAndRemove());

  it('end quietly if the reader closes the pipe', async () => {
    const script = '{ "$0" "$@"; echo "status $?" >&2; } | head -n 1';
    const args = ['-c', script, process.execPath, PROGRAM, 'changes', '--follow'];
    const child = spawn('sh', args, { env: environment(caller) });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(/^0~256 {2}\S+ {2}default {2}account-0 {2}created {2}name – → "x{38}…\n$/),
      'status 0\n',
    ]);
  });

  it('end with a signal even without a reader, and name the last written cursor', async () => {
    const args = [PROGRAM, 'changes', '--follow', '--json'];
    const child = spawn(process.execPath, args, { env: environment(caller) });
    const stderr = text(child.stderr);
    child.stdout.on('readable', () => {});
    await vi.waitFor(() => expect(child.stdout.readableLength).toBeGreaterThan(10_000), 30_000);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    const [, cursor] = /^Continue with --after (\S+)\.\n$/.exec(await stderr) ?? [];
    child.stdout.removeAllListeners('readable');
    const cursors = changesIn(await text(child.stdout)).map((change) => change.cursor);
    expect(cursors).toContain(cursor);
    expect(cursors.length).toBeLessThan(3_000);
  });

  it('are followed from the latest change', async () => {
    const following = start(['changes', '--follow', '--after', 'latest'], caller);
    // Nothing shows when the command has connected, so changes are made until one is printed.
    let isTold = false;
    const printed = following.says('account-0  updated').then(() => {
      isTold = true;
    });
    for (let licenses = 0; !isTold; licenses++) await client.upsert({ account_id: 'account-0', licenses });
    await printed;
    following.child.kill('SIGTERM');
    const { status, stdout, stderr } = await following.finished;
    const last = stdout.trimEnd().split('\n').at(-1)?.split(' ')[0];
    expect([status, stderr, stdout.includes('created')]).toEqual([
      0,
      `Continue with --after ${last}.\n`,
      false,
    ]);
  });

  it('reject an invalid cursor', async () => {
    const { status, stdout, stderr } = await run(['changes', '--after', 'yesterday'], caller);
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringContaining(
        ' returned 400: The request is not valid. /query/after: must be a cursor of this feed, or latest',
      ),
    ]);
  });
});
