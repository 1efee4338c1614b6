import { spawn } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AccountSync } from '@account-sync/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  all,
  cut,
  gate,
  overloaded,
  problem,
  type RequestHandler,
  ScriptedServer,
} from '../client/scripted-server.js';
import {
  environment,
  freshDirectory,
  PROGRAM,
  run,
  Service,
  type Settings,
  start,
} from '../support/service.js';

/** More than a page, and more than a pipe can buffer. */
const ACCOUNTS = 1_200;
const NOTE = 'x'.repeat(200);

let service: Service;
let directory: string;
let out: string;
let temporary: string;
let proxy: ScriptedServer | undefined;
beforeAll(async () => {
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  const client = new AccountSync({ url: service.url, key: service.key });
  const records = Array.from({ length: ACCOUNTS }, (_, i) => ({
    account_id: `account-${i}`,
    custom_Note: NOTE,
  }));
  await all(client.upsertMany(records));
});
afterAll(() => service.stopAndRemove());
beforeEach(async () => {
  directory = await freshDirectory();
  out = join(directory, 'accounts.csv');
  temporary = join(directory, 'temporary');
  await mkdir(temporary);
  await writeFile(out, 'the previous one');
});
afterEach(async () => {
  await proxy?.stop();
  proxy = undefined;
  await rm(directory, { recursive: true });
});

const caller = (url = service.url): Settings => ({
  ACCOUNT_SYNC_URL: url,
  ACCOUNT_SYNC_KEY: service.key,
  TMPDIR: temporary,
});

/** Forwards a request to the service. */
const pass: RequestHandler = async (request, response) => {
  const headers = { authorization: request.headers.authorization ?? '' };
  const answer = await fetch(new URL(request.url ?? '', service.url), { headers });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
};

/** A proxy to the service that sends these responses instead of the second page. */
async function insteadOfSecondPage(...answers: RequestHandler[]): Promise<Settings> {
  proxy = await ScriptedServer.start([pass, pass, ...answers]);
  return caller(`http://127.0.0.1:${proxy.port}`);
}

async function expectPreviousOne(): Promise<void> {
  expect(await readFile(out, 'utf8')).toBe('the previous one');
  expect((await readdir(directory)).sort()).toEqual(['accounts.csv', 'temporary']);
  expect(await readdir(temporary)).toEqual([]);
}

describe('a file of accounts', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('stays unchanged if %s ends the export', async (signal) => {
    const held = gate();
    const { child, finished } = start(['export', '--out', out], await insteadOfSecondPage(() => held.open()));
    await held.opened;
    expect((await readdir(directory)).sort()).toEqual(['accounts.csv', 'accounts.csv.part', 'temporary']);
    child.kill(signal);
    expect(await finished).toEqual({
      status: 2,
      stdout: '',
      stderr: `Stopped by ${signal}: nothing was written to ${out}.\n`,
    });
    await expectPreviousOne();
  });

  it('stays unchanged if the server rejects a page or goes away', async () => {
    const refused = await insteadOfSecondPage(problem(401, 'unauthenticated', 'The key was revoked.'));
    expect(await run(['export', '--out', out], refused)).toEqual({
      status: 2,
      stdout: '',
      stderr: `GET ${refused.ACCOUNT_SYNC_URL}/api/v2/accounts returned 401: The key was revoked. Check the key, and that it belongs to this host. (request r1)\n`,
    });
    await expectPreviousOne();
    await proxy?.stop();
    const gone = await insteadOfSecondPage(cut);
    const { status, stderr } = await run(['export', '--out', out, '--give-up-after', '0s'], gone);
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^The connection for GET .* failed: /)]);
    await expectPreviousOne();
  });

  it('waits for a server that is back soon, and reports it', async () => {
    const settings = await insteadOfSecondPage(overloaded, overloaded, pass);
    const { status, stdout, stderr } = await run(['export', '--out', out], settings);
    expect([status, stdout, stderr.replace(/after \d+ s/, 'after N s')]).toEqual([
      0,
      '',
      `GET ${settings.ACCOUNT_SYNC_URL}/api/v2/accounts returned 503: Too many writes. (request r1) Trying again.\n` +
        `The server responds again, after N s.\n1,200 accounts exported to ${out}.\n`,
    ]);
    expect((await readFile(out, 'utf8')).split('\r\n')).toHaveLength(ACCOUNTS + 2);
  });

  it('never mixes two exports', async () => {
    const [held, further] = [gate(), gate()];
    const settings = await insteadOfSecondPage(async (request, response) => {
      held.open();
      await further.opened;
      await pass(request, response);
    });
    const first = start(['export', '--out', out], settings);
    await held.opened;
    expect((await run(['export', '--out', out, '--format', 'ndjson'], caller())).status).toBe(0);
    further.open();
    expect(await first.finished).toEqual({
      status: 2,
      stdout: '',
      stderr: `This export was stopped: another export to ${out} has started.\n`,
    });
    expect((await readFile(out, 'utf8')).split('\n')).toHaveLength(ACCOUNTS + 1);
    expect((await readdir(directory)).sort()).toEqual(['accounts.csv', 'temporary']);
  });

  it('keeps its mode, and a link to it stays a link', async () => {
    await chmod(out, 0o600);
    const link = join(directory, 'link.csv');
    await symlink(out, link);
    // A killed export left this file.
    await writeFile(`${out}.part`, 'half of one');
    expect((await run(['export', '--out', link], caller())).status).toBe(0);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect((await readFile(out, 'utf8')).split('\r\n')).toHaveLength(ACCOUNTS + 2);
    expect((await readdir(directory)).sort()).toEqual(['accounts.csv', 'link.csv', 'temporary']);
  });

  it('must have a writable path', async () => {
    const elsewhere = join(directory, 'no', 'accounts.csv');
    expect(await run(['export', '--out', elsewhere], caller())).toMatchObject({
      status: 2,
      stderr: `Cannot write ${elsewhere}: ENOENT: no such file or directory, open '${elsewhere}.part'.\n`,
    });
    expect(await run(['export', '--out', temporary], caller())).toMatchObject({
      status: 2,
      stderr: `${temporary} is not a regular file. Choose another path.\n`,
    });
    const TMPDIR = join(directory, 'no');
    expect(await run(['export', '--out', out], { ...caller(), TMPDIR })).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^Cannot write temporary files to .*\/no: ENOENT: .*\. Set TMPDIR to a directory with space for all accounts, or export as NDJSON\.\n$/,
      ),
    });
    await expectPreviousOne();
  });
});

describe('an export to standard output', () => {
  it.each([
    ['csv', /^account_id,.*,custom_Note\r\n$/],
    ['ndjson', /^\{"account_id":"account-0","custom_Note":"x{200}"\}\n$/],
  ])('ends quietly if the reader of %s closes the pipe', async (format, first) => {
    const script = '{ "$0" "$@"; echo "status $?" >&2; } | head -n 1';
    const args = ['-c', script, process.execPath, PROGRAM, 'export', '--format', format];
    const child = spawn('sh', args, { env: environment(caller()) });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([stdout, stderr]).toEqual([expect.stringMatching(first), 'status 0\n']);
    expect(await readdir(temporary)).toEqual([]);
  });

  it('reports that it is incomplete if a signal ends it', async () => {
    const held = gate();
    const settings = await insteadOfSecondPage(() => held.open());
    const { child, finished } = start(['export', '--format', 'ndjson'], settings);
    await held.opened;
    child.kill('SIGTERM');
    expect(await finished).toMatchObject({
      status: 2,
      stderr: 'Stopped by SIGTERM: the export is incomplete.\n',
    });
  });
});
