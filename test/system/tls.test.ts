import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { childrenOf } from '../support/children-of.js';
import { freshPostgres } from '../support/databases.js';
import { metricsIn } from '../support/metrics-in.js';
import { freshDirectory, run, Service, start } from '../support/service.js';
import { AUTHORITY, CertificateFiles, fixture } from './certificate-files.js';
import { ask } from './secure-request.js';

const IN_USE = '"msg":"TLS certificate in use"';
const SOON = { timeout: 30_000, interval: 50 };

describe('a server with a certificate', () => {
  let files: CertificateFiles;
  let service: Service;
  let silent: Socket;
  let port: string;
  beforeAll(async () => {
    files = await CertificateFiles.of('first');
    const ACCOUNT_SYNC_DATA_DIR = await freshDirectory();
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR, ...files.settings });
    port = new URL(service.url).port;
    silent = connect(Number(port), '127.0.0.1').on('error', () => {});
  });
  afterAll(async () => {
    await service.stopAndRemove();
    await files.remove();
  });

  const subject = async () => (await ask(`${service.url}/healthz`)).subject;
  const shows = (name: string) => vi.waitUntil(async () => (await subject()) === `CN=${name}.example`, SOON);
  const timesSaid = (words: string) => service.output.stderr.split(words).length - 1;

  it('serves HTTPS with its certificate chain, and prints the URL', async () => {
    expect(service.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(service.output.stdout).toContain(`Console  ${service.url}/console\n`);
    await vi.waitUntil(
      () => /"subject":"CN=first\.example","validUntil":"21\d\d-.*in use"/.test(service.output.stderr),
      SOON,
    );
    const answer = await ask(`${service.url}/readyz`);
    expect(answer).toMatchObject({ status: 200, body: '{"status":"ready"}', protocol: 'TLSv1.3' });
    // HSTS would force every other service on the same host name to HTTPS.
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  });

  it('accepts TLS 1.2, and nothing older', async () => {
    const shake = (maxVersion: 'TLSv1.1' | 'TLSv1.2') =>
      new Promise((resolve) => {
        const options = { ca: AUTHORITY, maxVersion, minVersion: 'TLSv1' as const };
        const socket = connectSecurely(Number(port), '127.0.0.1', {
          ...options,
          ciphers: 'DEFAULT:@SECLEVEL=0',
        });
        socket.once('secureConnect', () => resolve(socket.getProtocol()));
        socket.once('error', ({ message }) => resolve(message));
      });
    expect(await shake('TLSv1.2')).toBe('TLSv1.2');
    expect(await shake('TLSv1.1')).toContain('alert protocol version');
  });

  it('sets session cookies for HTTPS only', async () => {
    const answer = await ask(`${service.url}/api/v2/session`, {
      headers: { 'content-type': 'application/json', 'x-account-sync-console': '1' },
      body: JSON.stringify({ key: service.key }),
    });
    expect([answer.status, String(answer.headers['set-cookie'])]).toEqual([
      201,
      expect.stringMatching(/^account_sync_session=.*; Secure$/),
    ]);
  });

  it('is not trusted by commands that do not know its authority, which fail immediately', async () => {
    const settings = { ACCOUNT_SYNC_KEY: service.key, ACCOUNT_SYNC_URL: service.url };
    const { status, stderr } = await run(['export'], settings);
    expect([status, stderr]).toEqual([
      2,
      `The certificate of 127.0.0.1:${port} is not accepted: unable to get local issuer certificate. ` +
        'If your own certificate authority issued it, set NODE_EXTRA_CA_CERTS to the file of its certificate.\n',
    ]);
    const trusting = await start(['export'], { ...settings, NODE_EXTRA_CA_CERTS: fixture('authority.pem') })
      .finished;
    expect([trusting.status, trusting.stderr]).toEqual([0, expect.any(String)]);
  });

  it('is checked by health, which accepts only the certificate in the file', async () => {
    const health = (settings: Record<string, string>) =>
      run(['health'], { ACCOUNT_SYNC_PORT: port, ...files.settings, ...settings });
    expect(await health({})).toEqual({ status: 0, stdout: `${service.url} is ready.\n`, stderr: '' });
    const other = {
      ACCOUNT_SYNC_TLS_CERT: fixture('second.pem'),
      ACCOUNT_SYNC_TLS_KEY: fixture('second.key'),
    };
    expect(await health(other)).toEqual({
      status: 1,
      stdout: '',
      stderr: `${service.url} cannot be reached: its certificate is not the one in ACCOUNT_SYNC_TLS_CERT.\n`,
    });
    // The server itself continues with such files.
    expect((await health({ ACCOUNT_SYNC_TLS_KEY: fixture('second.key') })).status).toBe(0);
    const unknown = await run(['health', '--url', service.url], {});
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('certificate')]);
  });

  it('accepts commands that know its authority', async () => {
    const settings = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
    const rows = join(files.directory, 'rows.csv');
    await writeFile(rows, 'account_id,name\nacme,Acme Inc.\n');
    const trusting = { ...settings, NODE_EXTRA_CA_CERTS: fixture('authority.pem') };
    expect(await start(['import', rows], trusting).finished).toMatchObject({ status: 0 });
    const exported = await start(['export'], trusting).finished;
    expect([exported.status, exported.stdout]).toEqual([0, expect.stringContaining('acme,,Acme Inc.,')]);
    const stranger = await run(['export', '--give-up-after', '1s'], settings);
    expect([stranger.status, stranger.stderr]).toEqual([2, expect.stringContaining('certificate')]);
  });

  it('closes a plain HTTP connection immediately', async () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await text(socket)).toBe('');
  });

  it('uses a new certificate for new connections, and keeps existing connections', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await ask(`${service.url}/healthz`, { agent });
    const slow = request(`${service.url}/api/v1_1/account`, {
      agent: false,
      ca: AUTHORITY,
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    });
    slow.write('{"account_id":');
    await once(slow, 'socket').then(([socket]) => once(socket, 'secureConnect'));
    await files.replace('second');
    await shows('second');
    const again = await ask(`${service.url}/healthz`, { agent });
    expect(again.connection).toBe(first.connection);
    const answered = once(slow, 'response');
    slow.end('"slow"}');
    const [response] = await answered;
    expect([response.statusCode, await text(response)]).toEqual([200, '{"success":true}']);
    agent.destroy();
    const { account_sync_tls_certificate_expiry_seconds: expiry } = metricsIn(
      (await ask(`${service.url}/metrics`)).body,
    );
    expect(expiry).toBeGreaterThan(Date.UTC(2126, 0, 1) / 1_000);
  });

  it('keeps its certificate while the files do not match, and reports it once', async () => {
    await files.replace('first', 'second');
    const complaint = `The key in ${files.key} does not belong to the first certificate in ${files.cert}, which must be the server's own. The previous certificate stays in use.`;
    await vi.waitUntil(() => timesSaid(complaint) === 1, SOON);
    expect(await subject()).toBe('CN=second.example');
    await files.replace('first');
    await shows('first');
    expect(timesSaid(complaint)).toBe(1);
  });

  it('reloads immediately on SIGHUP, and logs the certificate in use', async () => {
    const isSaid = (times: number) => vi.waitUntil(() => timesSaid(IN_USE) === times, SOON);
    // At the start, and for each of two replacements.
    await isSaid(3);
    process.kill(service.pid, 'SIGHUP');
    await isSaid(4);
    expect(await subject()).toBe('CN=first.example');
  });

  it('closes connections without a TLS handshake', async () => {
    silent.resume();
    if (!silent.closed) await once(silent, 'close');
    expect(silent.bytesRead).toBe(0);
  });
});

describe('a server with several workers and a certificate', () => {
  it('uses the new certificate in every worker', async () => {
    const database = await freshPostgres();
    const files = await CertificateFiles.of('first');
    const service = await Service.start({
      ...database.settings,
      ...files.settings,
      ACCOUNT_SYNC_WORKERS: '2',
    });
    expect(childrenOf(service.pid)).toHaveLength(2);
    const inUse = () =>
      new Set(service.output.stderr.match(/"worker":\d,"subject":"CN=second\.example"/g)).size;
    await files.replace('second');
    process.kill(service.pid, 'SIGHUP');
    await vi.waitUntil(() => inUse() === 2, SOON);
    // The workers accept connections in turn.
    const seen = await Promise.all(Array.from({ length: 6 }, () => ask(`${service.url}/readyz`)));
    expect(new Set(seen.map(({ subject }) => subject))).toEqual(new Set(['CN=second.example']));
    const { account_sync_tls_certificate_expiry_seconds: expiry } = metricsIn(
      (await ask(`${service.url}/metrics`)).body,
    );
    expect(expiry).toBeLessThan(Date.UTC(2127, 0, 1) / 1_000);
    expect(await service.stop()).toBe(0);
    await files.remove();
    await database.remove();
  });
});

describe('unusable certificate files', () => {
  const startWith = async (cert: string, key: string) => {
    const ACCOUNT_SYNC_DATA_DIR = await freshDirectory();
    const settings = { ACCOUNT_SYNC_TLS_CERT: cert, ACCOUNT_SYNC_TLS_KEY: key, ACCOUNT_SYNC_PORT: '0' };
    return run(['serve'], { ACCOUNT_SYNC_DATA_DIR, ...settings });
  };
  const [cert, key] = [fixture('first.pem'), fixture('first.key')];

  it.each([
    [fixture('none.pem'), key, `ACCOUNT_SYNC_TLS_CERT is ${fixture('none.pem')}: there is no such file.`],
    [cert, fixture('.'), `ACCOUNT_SYNC_TLS_KEY is ${fixture('.')}: it is a directory.`],
    [key, key, `${key} (ACCOUNT_SYNC_TLS_CERT) holds no certificate in PEM form.`],
    [cert, cert, `${cert} (ACCOUNT_SYNC_TLS_KEY) holds no private key in PEM form.`],
    [
      cert,
      fixture('encrypted.key'),
      `${fixture('encrypted.key')} (ACCOUNT_SYNC_TLS_KEY) holds an encrypted private key; provide one without a passphrase.`,
    ],
    [
      cert,
      fixture('second.key'),
      `The key in ${fixture('second.key')} does not belong to the first certificate in ${cert}, which must be the server's own.`,
    ],
  ])('prevent a start, with a reason: %s, %s', async (cert, key, sentence) => {
    expect(await startWith(cert, key)).toEqual({ status: 1, stdout: '', stderr: `${sentence}\n` });
  });

  it('are reported by doctor', async () => {
    const settings = { ACCOUNT_SYNC_TLS_CERT: cert, ACCOUNT_SYNC_TLS_KEY: cert };
    const { status, stdout } = await run(['doctor', '--json'], settings);
    expect([status, JSON.parse(stdout).findings[1]]).toEqual([
      1,
      {
        check: 'certificate',
        state: 'failed',
        found: `${cert} (ACCOUNT_SYNC_TLS_KEY) holds no private key in PEM form.`,
        advice: 'A running server keeps its current certificate, but no server can start with these files.',
      },
    ]);
  });
});

describe('an expired certificate', () => {
  it('is served with a warning, and doctor warns about it', async () => {
    const files = await CertificateFiles.of('expired');
    const service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      ...files.settings,
    });
    const warning =
      '"subject":"CN=expired.example","validUntil":"2021-01-01T00:00:00.000Z","msg":"the TLS certificate in use has expired"';
    await vi.waitUntil(() => service.output.stderr.includes(warning), SOON);
    const { port } = new URL(service.url);
    expect(await run(['health'], { ACCOUNT_SYNC_PORT: port, ...files.settings })).toMatchObject({
      status: 0,
    });
    const { stdout } = await run(['doctor', '--json'], service.settings);
    expect(JSON.parse(stdout).findings[1]).toEqual({
      check: 'certificate',
      state: 'warning',
      found: 'CN=expired.example, expired on 2021-01-01',
      advice: 'Renew it; a running server loads the new files within seconds.',
    });
    await service.stopAndRemove();
    await files.remove();
  });
});

describe('a stopping server with a certificate', () => {
  it('finishes requests in progress, and does not wait for idle connections', async () => {
    const files = await CertificateFiles.of('first');
    const service = await Service.start({
      ACCOUNT_SYNC_DATA_DIR: await freshDirectory(),
      ...files.settings,
    });
    const { port } = new URL(service.url);
    const silent = connect(Number(port), '127.0.0.1').on('error', () => {});
    const agent = new Agent({ keepAlive: true });
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const push = (account_id: string) =>
      ask(`${service.url}/api/v1_1/account`, { agent, headers, body: JSON.stringify({ account_id }) });
    expect((await push('a')).headers.connection).toBe('keep-alive');
    const last = push('b');
    const stopping = service.stop();
    expect([(await last).status, await stopping]).toEqual([200, 0]);
    agent.destroy();
    silent.destroy();
    await service.stopAndRemove();
    await files.remove();
  });
});
