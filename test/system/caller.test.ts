import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RequestHandler, ScriptedServer } from '../client/scripted-server.js';
import { freshDirectory, run, Service, type Settings } from '../support/service.js';

const KEY = { ACCOUNT_SYNC_KEY: 'acs_x' };

describe.each(['export', 'changes'])('%s', (command) => {
  let service: Service;
  let directory: string;
  beforeAll(async () => {
    directory = await freshDirectory();
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: directory });
  });
  afterAll(() => service.stopAndRemove());

  const failure = async (args: readonly string[], settings: Settings) => {
    const { status, stdout, stderr } = await run([command, ...args], settings);
    expect([status, stdout]).toEqual([2, '']);
    return stderr;
  };

  it('reads address and key from options or settings', async () => {
    const path = join(directory, 'key');
    await writeFile(path, `${service.key}\n`);
    const byOptions = await run([command, '--url', `${service.url}/`, '--key-file', path], {});
    const settings = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
    expect(byOptions).toEqual(await run([command], settings));
    expect(byOptions.status).toBe(0);
  });

  it('reports missing or invalid options', async () => {
    expect(await failure([], KEY)).toBe(
      'The server address is missing. Set --url http://host:port or ACCOUNT_SYNC_URL.\n',
    );
    expect(await failure(['--url', service.url], {})).toBe(
      'The API key is missing. Set --key-file <path> or ACCOUNT_SYNC_KEY.\n',
    );
    expect(await failure(['--url', 'somewhere'], KEY)).toBe('Cannot connect to the server: Invalid URL\n');
    expect(await failure(['--url', service.url, '--key-file', '/does/not/exist'], {})).toBe(
      "Cannot read the key file: ENOENT: no such file or directory, open '/does/not/exist'.\n",
    );
    const path = join(directory, 'two-keys');
    await writeFile(path, 'acs_1\nacs_2\n');
    expect(await failure(['--url', service.url, '--key-file', path], {})).toBe(
      `${path} must contain one API key and nothing else.\n`,
    );
    expect(await failure(['--frobnicate'], KEY)).toContain("unknown option '--frobnicate'");
  });

  it('reports an unknown key, and a server that is not account-sync', async () => {
    expect(await failure(['--url', service.url], KEY)).toMatch(
      / returned 401: .* Check the key, and that it belongs to this host\. \(request .*\)\n$/,
    );
    const page: RequestHandler = (_request, response) => response.end('<html>');
    const other = await ScriptedServer.start([page]);
    expect(await failure(['--url', `http://127.0.0.1:${other.port}`], KEY)).toMatch(
      / returned a body that is not JSON\. Check that url is the address of account-sync\.\n$/,
    );
    await other.stop();
  });

  it('gives up on a server that does not respond', async () => {
    const gone = await ScriptedServer.start([]);
    const { port } = gone;
    await gone.stop();
    const args = ['--url', `http://127.0.0.1:${port}`, '--give-up-after', '0s'];
    const follow = command === 'changes' ? ['--follow'] : [];
    expect(await failure([...args, ...follow], KEY)).toContain('ECONNREFUSED');
  });

  it('reports failures as JSON', async () => {
    const out = command === 'export' ? ['--out', join(directory, 'accounts.csv')] : [];
    const { status, stderr } = await run([command, '--json', ...out], {});
    expect([status, JSON.parse(stderr)]).toEqual([
      2,
      { error: 'The server address is missing. Set --url http://host:port or ACCOUNT_SYNC_URL.' },
    ]);
  });
});

describe('export', () => {
  it.each([
    [
      ['--filter', 'tier=gold'],
      "error: option '--filter <name=value>' argument 'tier=gold' is invalid. Give id_prefix=…, name_prefix=…, parent=<account_id>, attribute=<name>:<value> or updated_since=<time>.\n",
    ],
    [
      ['--filter', 'parent=a', '--filter', 'parent=b'],
      "error: option '--filter <name=value>' argument 'parent=b' is invalid. Use only one --filter.\n",
    ],
    [
      ['--format', 'xml'],
      "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are csv, ndjson.\n",
    ],
    [['--json'], '{"error":"--json requires --out, because standard output carries the export."}\n'],
  ])('rejects %j', async (args, stderr) => {
    expect(await run(['export', ...args], KEY)).toEqual({ status: 2, stdout: '', stderr });
  });
});
