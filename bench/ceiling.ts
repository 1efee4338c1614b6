import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The upper bound: the minimal Node.js server, which reads and parses each request and responds. It stores nothing. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 16 });
    response.end('{"success":true}');
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`  Address  http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => server.close().closeAllConnections());
