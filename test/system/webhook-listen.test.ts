import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { AccountSync } from '@account-sync/client';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freshDirectory, type Running, run, runJson, Service, start } from '../support/service.js';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const LISTENING = /^Listening on (http:\/\/127\.0\.0\.1:\d+\/)\. End with Ctrl-C\.$/m;
const EVENT = {
  type: 'webhook.test',
  timestamp: '2027-02-01T09:30:00.000Z',
  cursor: null,
  data: { webhook_id: 'wh_1' },
};

/** Starts `webhook listen` on a free port; it ends with the test at the latest. */
async function listen(args: readonly string[] = [], secret = SECRET) {
  const listener: Running = start(['webhook', 'listen', '--port', '0', ...args], {
    ACCOUNT_SYNC_WEBHOOK_SECRET: secret,
  });
  onTestFinished(() => void listener.child.kill('SIGKILL'));
  let stderr = '';
  listener.child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  await listener.says('End with Ctrl-C.');
  const [, url = ''] = LISTENING.exec(stderr) ?? [];
  const stop = async () => {
    listener.child.kill('SIGINT');
    const { status, stdout, stderr } = await listener.finished;
    return { status, stdout, stderr: stderr.replace(LISTENING, 'LISTENING') };
  };
  return { ...listener, url, stop };
}

/** Posts a message that is signed as the service signs it, and returns the status and text of the answer. */
async function post(url: string, { id = 'msg_1', secret = SECRET, at = Date.now(), events = [EVENT] } = {}) {
  const body = JSON.stringify({ type: 'events', timestamp: EVENT.timestamp, data: events });
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
    },
    body,
  });
  return [response.status, await response.text()];
}

describe('account-sync webhook listen', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await freshDirectory();
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('prints the events of a service, and a message that failed comes again', async () => {
    const service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: join(directory, 'data'),
      ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    });
    onTestFinished(async () => void (await service.stop()));
    const caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
    const client = new AccountSync({ url: service.url, key: service.key });
    const { id, secret } = await runJson(caller, 'webhook', 'create', 'http://127.0.0.1:9/');
    const failing = await listen(['--status', '503'], secret);
    await runJson(caller, 'webhook', 'set', id, '--address', failing.url);
    await client.upsert({ account_id: 'acme', name: 'Acme\u001b' });
    await failing.says('answered 503');
    const refused = await failing.stop();
    const [, message = ''] = /^(msg_\S+): verified, 1 event, answered 503$/m.exec(refused.stderr) ?? [];
    const listener = await listen([], secret);
    await runJson(caller, 'webhook', 'set', id, '--address', listener.url);
    await runJson(caller, 'webhook', 'resume', id);
    await listener.says('answered 204');
    const { status, stdout, stderr } = await listener.stop();
    expect([status, stderr]).toEqual([0, `LISTENING\n${message}: verified, 1 event, answered 204\n`]);
    const [{ cursor = '', at = '' } = {}] = await runChanges(client);
    expect(stdout).toBe(
      `account.created  ${cursor}  ${at}  default  acme  created  name – → "Acme\\u001b"\n`,
    );
    expect(refused.stdout).toBe(stdout);
  });

  it('prints other events as they are, and all as JSON lines if asked', async () => {
    const text = await listen();
    expect(await post(text.url, { events: [EVENT, EVENT] })).toEqual([204, '']);
    const line = 'webhook.test  –  2027-02-01T09:30:00.000Z  {"webhook_id":"wh_1"}\n';
    expect(await text.stop()).toEqual({
      status: 0,
      stdout: `${line}${line}`,
      stderr: 'LISTENING\nmsg_1: verified, 2 events, answered 204\n',
    });
    const json = await listen(['--json']);
    expect(await post(json.url)).toEqual([204, '']);
    expect((await json.stop()).stdout).toBe(`${JSON.stringify(EVENT)}\n`);
  });

  it('rejects what is not signed with its secret, is too old, or is no message', async () => {
    const listener = await listen();
    const unsigned = 'No signature is valid: compare the secret with that of the webhook.';
    const old = 'The message is too old: compare the clocks of both machines.';
    const missing = 'The header webhook-id is missing.';
    expect(await post(listener.url, { secret: OTHER_SECRET })).toEqual([401, unsigned]);
    expect(await post(listener.url, { at: Date.now() - 600_000 })).toEqual([401, old]);
    const response = await fetch(listener.url, { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).toEqual([401, missing]);
    expect(await post(listener.url)).toEqual([204, '']);
    const { stdout, stderr } = await listener.stop();
    const rejected = [unsigned, old, missing].map((why) => `Rejected a request: ${why}\n`).join('');
    expect(stderr).toBe(`LISTENING\n${rejected}msg_1: verified, 1 event, answered 204\n`);
    expect(stdout.split('\n')).toHaveLength(2);
  });

  it.each([
    [['--status', '418'], 418],
    [['--fail', '100%'], 500],
    [['--fail', '0', '--status', '200'], 200],
    [['--delay', '1'], 204],
  ])('answers as %j say', async (options, status) => {
    const listener = await listen(options);
    for (const id of ['msg_1', 'msg_2']) expect(await post(listener.url, { id })).toEqual([status, '']);
    expect((await listener.stop()).stderr).toBe(
      `LISTENING\n${['msg_1', 'msg_2'].map((id) => `${id}: verified, 1 event, answered ${status}\n`).join('')}`,
    );
  });

  it('reports a sender that does not wait for a late answer', async () => {
    const listener = await listen(['--delay', '500']);
    const body = JSON.stringify({ type: 'events', timestamp: EVENT.timestamp, data: [EVENT] });
    const at = new Date();
    const socket = connect(Number(new URL(listener.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      [
        'POST / HTTP/1.1',
        'host: x',
        'webhook-id: msg_1',
        `webhook-timestamp: ${Math.floor(at.getTime() / 1_000)}`,
        `webhook-signature: ${new Webhook(SECRET).sign('msg_1', at, body)}`,
        `content-length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    await listener.says('webhook.test');
    socket.destroy();
    await listener.says('msg_1: verified, 1 event, not answered: the connection was closed within 500 ms\n');
    expect((await listener.stop()).status).toBe(0);
  });

  it('ends at once, also while an answer is delayed', async () => {
    const listener = await listen(['--delay', '600000']);
    const posted = post(listener.url).catch((error: Error) => error.message);
    await listener.says('webhook.test');
    expect((await listener.stop()).status).toBe(0);
    expect(await posted).toBe('fetch failed');
  });

  it('ends without a failure when the reader of its output has closed the pipe', async () => {
    const listener = await listen();
    listener.child.stdout?.destroy();
    let status: number | null | undefined;
    const ended = listener.finished.then((end) => {
      status = end.status;
    });
    // The end of a pipe is noticed when something is written.
    for (let i = 0; status === undefined && i < 100; i += 1) {
      await Promise.race([ended, post(listener.url).catch(() => {})]);
    }
    await ended;
    expect(status).toBe(0);
  });

  it('reads the secret from a file', async () => {
    const path = join(directory, 'secret');
    await writeFile(path, `${SECRET}\n`);
    const listener = await listen(['--secret-file', path], OTHER_SECRET);
    expect(await post(listener.url)).toEqual([204, '']);
    expect((await listener.stop()).status).toBe(0);
  });

  const failure = async (args: readonly string[], secret?: string) => {
    const settings = secret === undefined ? {} : { ACCOUNT_SYNC_WEBHOOK_SECRET: secret };
    const { status, stdout, stderr } = await run(['webhook', 'listen', ...args], settings);
    expect([status, stdout]).toEqual([2, '']);
    return stderr;
  };

  it('needs a secret, and says what is wrong with one', async () => {
    expect(await failure(['--port', '0'])).toBe(
      'The secret is missing. Set --secret-file <path> or ACCOUNT_SYNC_WEBHOOK_SECRET.\n',
    );
    const wrong = 'The secret is not one of a webhook: it begins with whsec_, and has 50 characters.';
    for (const secret of ['secret', 'whsec_', SECRET.slice(0, -2), `${SECRET}x`]) {
      expect(await failure(['--port', '0'], secret)).toBe(`${wrong}\n`);
    }
    expect(await failure(['--port', '0', '--json'], 'secret')).toBe(`${JSON.stringify({ error: wrong })}\n`);
    expect(await failure(['--port', '0', '--secret-file', join(directory, 'none')], SECRET)).toBe(
      `Cannot read the secret: ENOENT: no such file or directory, open '${join(directory, 'none')}'.\n`,
    );
  });

  it('needs a port that is free', async () => {
    const other = createServer();
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await failure(['--port', String(port)], SECRET)).toBe(
      `The port ${port} of 127.0.0.1 is in use. Choose another one, or --port 0 for any.\n`,
    );
  });

  it.each([
    [[], "error: required option '--port <n>' not specified\n"],
    ...['x', '-1', '65536', '80.5'].map((port): [string[], string] => [
      [`--port=${port}`],
      `error: option '--port <n>' argument '${port}' is invalid. Give a port from 0 to 65535.\n`,
    ]),
    ...['99', '199', '600', 'ok'].map((status): [string[], string] => [
      ['--port', '0', '--status', status],
      `error: option '--status <code>' argument '${status}' is invalid. Give a status from 200 to 599.\n`,
    ]),
    [
      ['--port', '0', '--fail', '101'],
      "error: option '--fail <percent>' argument '101' is invalid. Give a share from 0 to 100, such as 25 or 25%.\n",
    ],
    [
      ['--port', '0', '--delay', '1s'],
      "error: option '--delay <ms>' argument '1s' is invalid. Give a number of milliseconds.\n",
    ],
  ])('%j fails with what to do', async (args, message) => {
    expect(await failure(args, SECRET)).toBe(message);
  });
});

async function runChanges(client: AccountSync) {
  const changes = [];
  for await (const change of client.changes()) changes.push(change);
  return changes;
}
