import { expect, it, onTestFinished } from 'vitest';
import { head, RawConnection } from '../support/raw-connection.js';
import { RunningServer } from './running-server.js';

it.each([
  ['with a length', 'Content-Length: 5000000', ' '.repeat(5_000_000)],
  ['in chunks', 'Transfer-Encoding: chunked', `${`10000\r\n${' '.repeat(0x10000)}\r\n`.repeat(80)}0\r\n\r\n`],
])('after a body that no handler reads, %s, the next request gets a response', async (_how, header, body) => {
  const server = await RunningServer.start();
  onTestFinished(() => server.stop());
  const connection = await RawConnection.open(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  onTestFinished(() => connection.close());
  connection.send(head('GET /healthz', 'Host: a', header));
  connection.send(`${body}${head('GET /healthz', 'Host: a')}`);
  expect(await connection.waitForResponses(2)).toEqual([200, 200]);
});
