import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AccountSync } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { all, gate, ScriptedServer } from '../client/scripted-server.js';
import { environment, freshDirectory, PROGRAM, Service, start } from '../support/service.js';
import { forward, once } from './forward.js';

const RECORDS = 5_000;
/** Records per request. */
const CHUNK = 250;
const WAIT = { timeout: 30_000, interval: 5 };

const SCHEMA = {
  type: 'SCHEMA',
  stream: 'accounts',
  schema: { properties: { account_id: { type: 'string' }, licenses: { type: 'integer' } } },
  key_properties: ['account_id'],
};
const record = (account_id: string, licenses: unknown = 1) => ({
  type: 'RECORD',
  stream: 'accounts',
  record: { account_id, licenses },
});
const state = (value: unknown) => ({ type: 'STATE', value });
const text = (...messages: object[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');

describe('the Singer target', () => {
  let service: Service;
  let directory: string;
  beforeAll(async () => {
    service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      ACCOUNT_SYNC_LOG_LEVEL: 'silent',
    });
    directory = await freshDirectory();
    await writeFile(join(directory, 'key'), service.key);
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await rm(directory, { recursive: true });
  });

  const target = ({ url = service.url, args = ['--quiet'] }: { url?: string; args?: string[] } = {}) => {
    const rejects = join(directory, 'rejects.ndjson');
    const { child, ...running } = start(['singer', '--stream', 'accounts', '--rejects', rejects, ...args], {
      ACCOUNT_SYNC_URL: url,
      ACCOUNT_SYNC_KEY: service.key,
    });
    const { stdin, stdout } = child;
    if (stdin === null || stdout === null) throw new Error('The target has no pipes.');
    stdin.on('error', () => {});
    return { ...running, stdin, stdout, kill: (signal: NodeJS.Signals) => child.kill(signal) };
  };
  const stored = async (prefix: string) => {
    const client = new AccountSync({ url: service.url, key: service.key });
    return (await all(client.list({ id_prefix: prefix }))).length;
  };

  it('in a shell, appends states to a file, and rejected records to one in the directory', async () => {
    const messages = text(SCHEMA, record('shell'), record('many', 'many'), record('fine'), state({ at: 3 }));
    await writeFile(join(directory, 'tap.ndjson'), messages);
    const script =
      'cat tap.ndjson | $AS singer --stream accounts --key-file key --quiet >> state.json; echo $?; tail -n 1 state.json';
    const env = environment({ ACCOUNT_SYNC_URL: service.url, AS: `${process.execPath} ${PROGRAM}` });
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: directory, env });
    expect(stdout).toBe('1\n{"at":3}\n');
    expect(await readFile(join(directory, 'singer.rejects.ndjson'), 'utf8')).toBe(
      '{"rejected_because":{"line":3,"account_id":"many","messages":["Account many, licenses has invalid integer value."]},"account_id":"many","licenses":"many"}\n',
    );
  });

  it('writes the states of a slow tap while it waits for more', async () => {
    const { stdin, says, finished } = target();
    stdin.write(text(state('start')));
    await says('"start"\n');
    stdin.write(text(SCHEMA, record('slow-1'), state('first')));
    await says('"first"\n');
    expect(await stored('slow-')).toBe(1);
    stdin.write(text(record('slow-2')).slice(0, 20));
    stdin.end(text(record('slow-2')).slice(20) + text(state('second')));
    expect(await finished).toEqual({ status: 0, stdout: '"start"\n"first"\n"second"\n', stderr: '' });
    expect(await stored('slow-')).toBe(2);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('by %s ends after the requests in progress', async (signal) => {
    const { opened, open } = gate();
    const pass = forward(service.url);
    // The requests for the schema and for a run, and four others, pass; later ones wait.
    const server = await ScriptedServer.start([...Array(6).fill(pass), once(opened, pass)]);
    const prefix = `${signal.toLowerCase()}-`;
    const { stdin, kill, says, finished } = target({ url: `http://127.0.0.1:${server.port}`, args: [] });
    let messages = text(SCHEMA);
    for (let count = 1; count <= RECORDS; count += 1) {
      messages += text(record(`${prefix}${count}`));
      if (count % CHUNK === 0) messages += text(state(count));
    }
    // Standard input stays open, as that of a tap that has not noticed the signal.
    stdin.write(messages);
    await vi.waitUntil(() => server.seen.length > 6, WAIT);
    kill(signal);
    await says('Stopping after the requests in progress.');
    open();
    const { status, stdout, stderr } = await finished;
    const last = Number(stdout.trim().split('\n').at(-1));
    const count = await stored(prefix);
    expect([status, last]).toEqual([2, count - (count % CHUNK)]);
    expect(last).toBeGreaterThan(0);
    expect(last).toBeLessThan(RECORDS);
    expect(stderr).toContain(
      '\nStopped on request.\nThe last state that was written covers only what is stored',
    );
    await server.stop();
  });

  it('ends on a signal while the server is away', async () => {
    const pass = forward(service.url);
    const server = await ScriptedServer.start([pass]);
    const { stdin, kill, says, finished } = target({ url: `http://127.0.0.1:${server.port}`, args: [] });
    stdin.write(text(state('start'), SCHEMA));
    await says('"start"\n');
    await server.stop();
    stdin.write(text(record('away'), state('away')));
    await says('Trying again.');
    kill('SIGTERM');
    const { status, stdout, stderr } = await finished;
    expect([status, stdout]).toEqual([2, '"start"\n']);
    expect(stderr).toContain('\nStopped on request.\n');
  });

  it('ends with a message if its standard output is closed', async () => {
    const { stdin, stdout, finished } = target();
    stdout.destroy();
    stdin.write(text(SCHEMA, record('unread'), state('unread')));
    const { status, stderr } = await finished;
    expect(status).toBe(2);
    expect(stderr.split('\n').slice(-4)).toEqual([
      '',
      'Cannot write the state to standard output: write EPIPE. What was sent is stored; run the pipeline again from the state before.',
      'No state was written. Run the pipeline again: records that are already stored count as unchanged.',
      '',
    ]);
  });
});
