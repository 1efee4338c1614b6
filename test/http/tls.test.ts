import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openListener } from '../../dist/cli/serve/listen.js';
import { ServingCertificate } from '../../dist/http/connection/serving-certificate.js';
import { RunningServer } from './running-server.js';

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url));
const AUTHORITY = readFileSync(fixture('authority.pem'));

describe('a server with TLS, on its first address and on another', () => {
  let server: RunningServer;
  let port: number;
  let listener: Server | undefined;
  beforeAll(async () => {
    const files = { cert: fixture('first.pem'), key: fixture('first.key') };
    const certificate = await ServingCertificate.open(files, pino({ level: 'silent' }));
    server = await RunningServer.start({ parts: { certificate, bodyTimeoutMs: 500 } });
    await server.app.listen({ host: '127.0.0.1', port: 0 });
    port = (server.app.server.address() as AddressInfo).port;
    listener = await openListener(server.app, '127.0.0.2', port);
  });
  afterAll(async () => {
    await server.stop();
    listener?.close();
  });

  const open = async (host: string): Promise<TLSSocket> => {
    const socket = connect({ host, port, ca: AUTHORITY, servername: 'localhost' });
    await once(socket, 'secureConnect');
    return socket;
  };

  // Only Linux has more than one loopback address by default.
  const hosts = process.platform === 'linux' ? ['127.0.0.1', '127.0.0.2'] : ['127.0.0.1'];

  describe.each(hosts)('%s', (host) => {
    it('responds to a body that does not arrive, and to input that is not HTTP', async () => {
      const key = await server.addTenant(`acme-${host.replaceAll('.', '-')}`);
      const slow = await open(host);
      slow.write(
        `POST /api/v1_1/account HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 18\r\n\r\n{"account_id"',
      );
      expect(await text(slow)).toContain('The request took too long to arrive.');
      const odd = await open(host);
      odd.write('no request\r\n\r\n');
      expect(await text(odd)).toContain('The request is not valid HTTP.');
    });

    it('responds to expectations', async () => {
      const socket = await open(host);
      socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: wonders\r\n\r\n');
      expect(await text(socket)).toContain('The only expectation that is met is 100-continue.');
    });

    it('rejects a request without Host, with an error body', async () => {
      const socket = await open(host);
      socket.write('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"success":false/s);
    });
  });
});
