import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ScriptedServer } from '../client/scripted-server.js';
import { type Database, databases } from '../support/databases.js';
import { metricsIn } from '../support/metrics-in.js';
import { run, Service, type Settings, start } from '../support/service.js';
import { AccountsFile } from './accounts-file.js';
import { after, forward } from './forward.js';
import { messagesIn } from './messages-in.js';

const ROWS = 15_000;
const RECEIVED = 'account_sync_records_received_total{operation="import-accounts"}';
const WAIT = { timeout: 30_000, interval: 5 };

describe.each(databases)('an import into a server on %s', (_name, createDatabase) => {
  let database: Database;
  let service: Service;
  let caller: Settings;
  beforeAll(async () => {
    database = await createDatabase();
    service = await Service.start({ ...database.settings, ACCOUNT_SYNC_LOG_LEVEL: 'silent' });
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
  });
  afterAll(async () => {
    await service.stop();
    await database.remove();
  });

  const restart = async () => {
    const { port } = new URL(caller.ACCOUNT_SYNC_URL as string);
    service = await Service.start({ ...service.settings, ACCOUNT_SYNC_PORT: port });
  };
  const received = async () => {
    const response = await fetch(`${service.url}/metrics`);
    return metricsIn(await response.text())[RECEIVED] ?? 0;
  };
  const expectAllStored = async (file: AccountsFile) => {
    expect(await file.exported(caller)).toEqual(file.expectedExport());
    expect(await file.rejects()).toEqual(file.expectedRejects());
    expect(existsSync(file.progressPath)).toBe(false);
    await file.remove();
  };

  it('that was killed continues after the last saved record', async () => {
    const file = await AccountsFile.create('killed', ROWS);
    // Slow enough to be killed in the middle on any machine.
    const slow = await ScriptedServer.start([after(25, forward(service.url))]);
    const slowly = { ...caller, ACCOUNT_SYNC_URL: `http://127.0.0.1:${slow.port}` };
    const killed = start(['import', file.path, '--concurrency', '1'], slowly);
    await vi.waitFor(async () => expect((await file.standing()).records).toBeGreaterThan(0), WAIT);
    killed.child.kill('SIGKILL');
    await killed.finished;
    const { records, line, counts } = await file.standing();
    expect([line, records < ROWS]).toEqual([records + 1, true]);
    const stored = (await file.exported(caller)).slice(0, counts.created);
    expect([...stored, '']).toEqual(file.expectedExport(records));

    const before = await received();
    const { status, stdout, stderr } = await run(['import', file.path, '--resume', '--json'], slowly);
    await slow.stop();
    const { created, unchanged, ...report } = JSON.parse(stdout);
    expect([status, report]).toMatchObject([
      1,
      { is_complete: true, records: ROWS, updated: 0, refused: 150 },
    ]);
    expect(created + unchanged).toBe(ROWS - 150);
    expect(stderr).toBe('');
    expect((await received()) - before).toBe(file.sentAfter(records));
    await expectAllStored(file);
  });

  it('continues when a killed server is back', async () => {
    const file = await AccountsFile.create('server', ROWS);
    const before = await received();
    const importing = start(['import', file.path, '--concurrency', '2'], caller);
    await vi.waitUntil(async () => (await received()) > before + 2_000, WAIT);
    await service.stop('SIGKILL');
    await importing.says('Trying again.');
    await restart();
    const { status, stdout, stderr } = await importing.finished;
    expect(messagesIn(stderr).slice(-3)).toEqual([
      expect.stringMatching(
        /^The connection for POST .*\/api\/v2\/accounts\/import failed: .*\. Trying again\.$/,
      ),
      expect.stringMatching(/^The server responds again, after \d+ s\.$/),
      '',
    ]);
    expect([status, stdout]).toEqual([
      1,
      expect.stringMatching(
        /^15,000 records in \d+ s \([\d,]+ a second\): .* 0 updated, .* 150 rejected\.\n/,
      ),
    ]);
    await expectAllStored(file);
  });

  it('gives up on a server that stays away, and shows how to continue', async () => {
    const file = await AccountsFile.create('away', ROWS);
    const before = await received();
    const importing = start(['import', file.path, '--give-up-after', '1s'], caller);
    await vi.waitUntil(async () => (await received()) > before + 2_000, WAIT);
    await service.stop('SIGKILL');
    const { status, stderr } = await importing.finished;
    const { line } = await file.standing();
    expect([status, messagesIn(stderr).slice(-4)]).toEqual([
      2,
      [
        '',
        expect.stringMatching(
          /^The connection for POST .* failed: .*ECONNREFUSED.* Gave up after \d+ attempts\. It is safe to try again later\.$/,
        ),
        `Done up to line ${line.toLocaleString('en')}. To continue, run the same command with --resume.`,
        '',
      ],
    ]);
    await restart();
    expect((await run(['import', file.path, '--resume'], caller)).status).toBe(1);
    await expectAllStored(file);
  });

  it('can be sent in parts with --limit, each record once', async () => {
    const file = await AccountsFile.create('limited', 600);
    const before = await received();
    for (const [args, records] of [
      [['--limit', '10'], 10],
      [['--resume', '--limit', '10'], 20],
      [['--resume'], 600],
    ] as const) {
      const { status, stdout } = await run(['import', file.path, '--json', ...args], caller);
      const refused = Math.floor(records / 100);
      expect([status, JSON.parse(stdout)]).toMatchObject([
        refused > 0 ? 1 : 0,
        { is_complete: true, is_resumable: records < 600, records, created: records - refused, refused },
      ]);
      expect(await file.exported(caller)).toEqual(file.expectedExport(records));
    }
    // The first ten were checked before.
    expect((await received()) - before).toBe(10 + file.sentAfter(0));
    await expectAllStored(file);
  });
});
