import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { gate, ScriptedServer } from '../client/scripted-server.js';
import {
  type Finished,
  freshDirectory,
  run,
  runJson,
  Service,
  type Settings,
  start,
} from '../support/service.js';
import { AccountsFile } from './accounts-file.js';
import { forward, once } from './forward.js';
import { messagesIn } from './messages-in.js';

const STOPPING = 'Stopping after the requests in progress. Press Ctrl-C again to stop immediately.';
const ROWS = 10_000;
/** Records per request. */
const CHUNK = 250;
const WAIT = { timeout: 30_000, interval: 5 };

describe('a stopped import', () => {
  let service: Service;
  let server: ScriptedServer;
  let caller: Settings;
  let file: AccountsFile;
  let release: () => void;
  let files = 0;
  beforeAll(async () => {
    service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      ACCOUNT_SYNC_LOG_LEVEL: 'silent',
    });
  });
  afterAll(() => service.stopAndRemove());
  beforeEach(async () => {
    files += 1;
    file = await AccountsFile.create(`file${files}`, ROWS);
    const pass = forward(service.url);
    const { opened, open } = gate();
    release = open;
    // The requests for the schema, for the check of the first records and for a run, and six others, pass; later ones
    // wait.
    server = await ScriptedServer.start([...Array(9).fill(pass), once(opened, pass)]);
    caller = { ACCOUNT_SYNC_URL: `http://127.0.0.1:${server.port}`, ACCOUNT_SYNC_KEY: service.key };
  });
  afterEach(async () => {
    await server.stop();
    await file.remove();
  });

  /** Waits until four requests are in progress and nothing else happens. */
  const untilHeld = () => vi.waitUntil(() => server.seen.length === 13, WAIT);
  const direct = () => ({ ...caller, ACCOUNT_SYNC_URL: service.url });
  const expectReportedAndStored = async ({ status, stdout, stderr }: Finished, records: number) => {
    expect([status, messagesIn(stderr).slice(-6)]).toEqual([
      2,
      [
        '',
        STOPPING,
        '',
        'Stopped on request.',
        `Done up to line ${(records + 1).toLocaleString('en')}. To continue, run the same command with --resume.`,
        '',
      ],
    ]);
    const refused = Math.floor(records / 100);
    const [created, all] = [records - refused, records].map((count) => count.toLocaleString('en'));
    expect(stdout.split('\n')[0]).toMatch(
      new RegExp(`^${all} records.*: ${created} created, 0 updated, 0 unchanged, ${refused} rejected\\.$`),
    );
    expect((await file.standing()).records).toBe(records);
    expect(await file.rejects()).toEqual(file.expectedRejects(records));
    const stored = file.expectedExport(records).slice(0, -1);
    expect((await file.exported(direct())).slice(0, stored.length)).toEqual(stored);
  };
  const expectResumable = async () => {
    expect((await run(['import', file.path, '--resume'], caller)).status).toBe(1);
    expect(await file.exported(direct())).toEqual(file.expectedExport());
    expect(await file.rejects()).toEqual(file.expectedRejects());
  };

  it.each(['SIGINT', 'SIGTERM'] as const)('by %s ends after the requests in progress', async (signal) => {
    const importing = start(['import', file.path], caller);
    await untilHeld();
    importing.child.kill(signal);
    await importing.says(STOPPING);
    release();
    const end = await importing.finished;
    const { records } = await file.standing();
    expect(records).toBeGreaterThan(6 * CHUNK);
    // One more request may have been prepared before.
    expect([13, 14]).toContain(server.seen.length);
    await expectReportedAndStored(end, records);
    expect(await file.exported(direct())).toEqual(file.expectedExport(records));
  });

  it('ends immediately on the second signal, and counts the received results', async () => {
    const importing = start(['import', file.path], caller);
    await untilHeld();
    importing.child.kill('SIGINT');
    await importing.says(STOPPING);
    importing.child.kill('SIGINT');
    await expectReportedAndStored(await importing.finished, 6 * CHUNK);
    release();
    await expectResumable();
  });

  it('waits only a few seconds for a server that is away', async () => {
    const importing = start(['import', file.path], caller);
    await untilHeld();
    const { port } = server;
    await server.stop();
    await importing.says('Trying again.');
    importing.child.kill('SIGINT');
    const { stderr, ...end } = await importing.finished;
    const said = /^The connection for POST \S+ failed: .*\. Trying again\.\n/m;
    expect(stderr).toMatch(said);
    await expectReportedAndStored({ ...end, stderr: stderr.replace(said, '') }, 6 * CHUNK);
    release();
    server = await ScriptedServer.start([forward(service.url)], port);
    await expectResumable();
  });

  it('that cannot be resumed abandons its run, but does not wait for a server that is away', async () => {
    const importing = start(['import', '-'], caller);
    importing.child.stdin?.end(await readFile(file.path));
    await untilHeld();
    await server.stop();
    await importing.says('Trying again.');
    importing.child.kill('SIGINT');
    await importing.says(STOPPING);
    importing.child.kill('SIGINT');
    // The server would be waited for for ten minutes.
    const { status, stderr } = await importing.finished;
    expect([status, messagesIn(stderr).slice(-4)]).toEqual([
      2,
      [
        '',
        'Stopped on request.',
        'Done up to line 1,501. Run it again: records that are already stored count as unchanged.',
        '',
      ],
    ]);
    const [{ id }] = await runJson(direct(), 'run', 'list', '--limit', '1');
    expect(await runJson(direct(), 'run', 'show', id)).toMatchObject({ state: 'open', created: 1_485 });
    release();
  });

  it('ends while its first records are checked, and has opened no run', async () => {
    const { opened, open } = gate();
    const pass = forward(service.url);
    const holding = await ScriptedServer.start([pass, once(opened, pass)]);
    const url = `http://127.0.0.1:${holding.port}`;
    const importing = start(['import', file.path], { ...caller, ACCOUNT_SYNC_URL: url });
    await vi.waitUntil(() => holding.seen.length === 2, WAIT);
    importing.child.kill('SIGINT');
    await importing.says(STOPPING);
    importing.child.kill('SIGINT');
    const { status, stdout, stderr } = await importing.finished;
    expect([status, stdout, stderr.split('\n')]).toEqual([
      2,
      '',
      [...file.plan, STOPPING, 'Stopped on request.', ''],
    ]);
    expect(holding.seen.at(-1)).toBe('POST /api/v2/accounts/import?dry_run=true');
    expect(existsSync(file.progressPath)).toBe(false);
    open();
    await holding.stop();
  });

  it('ends at once while it waits for more of its standard input, and leaves nothing of it', async () => {
    const copies = await freshDirectory();
    const importing = start(['import', '-'], { ...direct(), TMPDIR: copies });
    // More than a pipe holds, so that it has read some of it when the last of it is written.
    const text = (await readFile(file.path, 'utf8')).slice(0, -10);
    await new Promise((resolve) => importing.child.stdin?.write(text, resolve));
    importing.child.kill('SIGINT');
    expect(await importing.finished).toMatchObject({ status: null, stdout: '' });
    expect(importing.child.signalCode).toBe('SIGINT');
    expect(await file.exported(direct())).toEqual(['']);
    expect(await readdir(copies)).toEqual([]);
    await rm(copies, { recursive: true });
  });
});
