import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { head } from '../support/raw-connection.js';
import { AttackedService } from './attacked-service.js';
import { Trial } from './trial.js';

const ROUNDS = { short: 1, long: 50 };
const ACCOUNT = 'POST /api/v1_1/account';
const BODY = '{"account_id":"outer"}';
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKED = 'Transfer-Encoding: chunked';
const SIZE = BODY.length.toString(16);
const CHUNKS = `${SIZE}\r\n${BODY}\r\n0\r\n\r\n`;

let service: AttackedService;
beforeAll(async () => {
  service = await AttackedService.start();
});
afterAll(() => service.end());

const post = (...headers: string[]) =>
  head(ACCOUNT, ...service.authorizedHeaders, 'Content-Type: application/json', ...headers);
const withChunks = (chunks: string) => post(CHUNKED) + chunks;
const inVersion = (version: string) => post(CHUNKED).replace('HTTP/1.1', version) + CHUNKS;

/** Requests whose end two HTTP parsers could see at different positions. */
const AMBIGUOUS: Readonly<Record<string, () => string>> = {
  'a length, and chunks': () => post(LENGTH, CHUNKED) + CHUNKS,
  'chunks, and a length': () => post(CHUNKED, LENGTH) + CHUNKS,
  'two lengths': () => post(LENGTH, 'Content-Length: 5') + BODY,
  'the same length twice': () => post(LENGTH, LENGTH) + BODY,
  'a list of lengths': () => post(`${LENGTH}, ${BODY.length}`) + BODY,
  'a length with a sign': () => post(`Content-Length: +${BODY.length}`) + BODY,
  'a length below zero': () => post('Content-Length: -1') + BODY,
  'a length in hexadecimal': () => post('Content-Length: 0x16') + BODY,
  'a length in two parts': () => post('Content-Length: 2 2') + BODY,
  'a length beyond 64 bits': () => post('Content-Length: 18446744073709551638') + BODY,
  'a length that is empty': () => post('Content-Length: ') + BODY,
  'chunked, identity': () => post(`${CHUNKED}, identity`) + CHUNKS,
  identity: () => post('Transfer-Encoding: identity', LENGTH) + BODY,
  xchunked: () => post('Transfer-Encoding: xchunked') + CHUNKS,
  'chunked twice': () => post(CHUNKED, CHUNKED) + CHUNKS,
  'chunked, chunked': () => post(`${CHUNKED}, chunked`) + CHUNKS,
  'chunked in quotes': () => post('Transfer-Encoding: "chunked"') + CHUNKS,
  'chunked after a control character': () => post('Transfer-Encoding: \vchunked') + CHUNKS,
  'a folded header': () => post('X-A: b\r\n c', LENGTH) + BODY,
  'a folded transfer coding': () => post('Transfer-Encoding:\r\n chunked') + CHUNKS,
  'a folded length': () => post(`Content-Length:\r\n ${BODY.length}`) + BODY,
  'lines that end with LF': () => post(LENGTH).replaceAll('\r\n', '\n') + BODY,
  'a line that ends with LF': () => post(`X-A: b\n${CHUNKED}`, LENGTH) + BODY,
  'a line that ends with CR': () => post(`X-A: b\r${CHUNKED}`, LENGTH) + BODY,
  'a head that ends with LF': () => `${post(LENGTH).slice(0, -2)}\n${BODY}`,
  'a space before a colon': () => post(`Content-Length : ${BODY.length}`) + BODY,
  'a tab before a colon': () => post('Transfer-Encoding\t: chunked', LENGTH) + BODY,
  'a header without a colon': () => post('nonsense', LENGTH) + BODY,
  'a header without a name': () => post(': x', LENGTH) + BODY,
  'NUL in a value': () => post('X-A: b\0c', LENGTH) + BODY,
  'NUL in a name': () => post('X\0A: b', LENGTH) + BODY,
  'a huge chunk extension': () => withChunks(`${SIZE};${'x'.repeat(100_000)}\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk extension that ends with LF': () => withChunks(`${SIZE};a\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size beyond 64 bits': () => withChunks(`100000000000000${SIZE}\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size with a prefix': () => withChunks(`0x${SIZE}\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size with a sign': () => withChunks(`+${SIZE}\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size below zero': () => withChunks(`-${SIZE}\r\n${BODY}\r\n0\r\n\r\n`),
  'a chunk size that ends with LF': () => withChunks(`${SIZE}\n${BODY}\r\n0\r\n\r\n`),
  'a chunk that ends with LF': () => withChunks(`${SIZE}\r\n${BODY}\n0\r\n\r\n`),
  'a chunk without an end': () => withChunks(`${SIZE}\r\n${BODY}0\r\n\r\n`),
  'a length after the chunks': () => withChunks(`${SIZE}\r\n${BODY}\r\n0\r\nContent-Length: 9\r\n\r\n`),
  'HTTP/1.2': () => inVersion('HTTP/1.2'),
  'a method in lower case': () => post(LENGTH).replace('POST', 'post') + BODY,
  'an unknown method': () => post(LENGTH).replace('POST', 'BREW') + BODY,
  'a greeting in TLS': () => '\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03',
};

const NOT_HTTP = '{"success":false,"errors":["The request is not valid HTTP."],"errors_by_attributes":[]}';

describe('a request after one with an ambiguous end', () => {
  it('is never executed', async () => {
    const trial = new Trial('Hostile: smuggling', ROUNDS);
    let n = 0;
    await trial.run(async () => {
      await service.expectUnaffected(trial, async () => {
        for (const [name, request] of Object.entries(AMBIGUOUS)) {
          n += 1;
          const inner = `{"account_id":"smuggled-${n}"}`;
          const connection = await service.connect();
          connection.send(`${request()}${post(`Content-Length: ${inner.length}`)}${inner}`);
          await connection.closed;
          expect([name, connection.statuses, connection.body]).toEqual([name, [400], NOT_HTTP]);
          expect([name, await service.find(`smuggled-${n}`)]).toEqual([name, 404]);
        }
      });
      trial.figures.forms = Object.keys(AMBIGUOUS).length;
    });
  });
});

const line = (method: string, target: string, ...headers: string[]) =>
  head(`${method} ${target}`, ...service.authorizedHeaders, ...headers);
const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: 1`);

/** Unusual requests with a clear end, and the statuses of their responses. */
const UNUSUAL: Readonly<Record<string, readonly [request: () => string, status: number]>> = {
  '201 headers': [() => line('GET', '/healthz', ...many(199)), 431],
  '2,100 headers': [() => line('GET', '/healthz', ...Array(2_100).fill('a:1')), 431],
  'a header of 20 KB': [() => line('GET', '/healthz', `X-A: ${'x'.repeat(20_000)}`), 431],
  'a path of 15 KB': [() => line('GET', `/${'x'.repeat(15_000)}`), 404],
  'a path of 20 KB': [() => line('GET', `/${'x'.repeat(20_000)}`), 431],
  'a query of 14 KB': [() => line('GET', `/api/v2/accounts?${'a=b&'.repeat(3_500)}`), 400],
  'an id of 14 KB': [() => line('GET', `/api/v2/accounts/${'%C3%A9'.repeat(2_400)}`), 404],
  'a path with an invalid encoding': [() => line('GET', '/api/v2/accounts/%C3%28'), 400],
  'a path with NUL': [() => line('GET', '/api/v2/accounts/a%00b'), 400],
  'two hosts': [() => line('GET', '/healthz', 'Host: b'), 400],
  'a coding besides chunks': [() => post('Transfer-Encoding: gzip, chunked') + CHUNKS, 400],
  'chunks in HTTP/1.0': [() => inVersion('HTTP/1.0'), 400],
  'HTTP/2.0': [() => inVersion('HTTP/2.0'), 400],
  'HTTP/0.9': [() => 'GET /healthz\r\n\r\n', 400],
  'an unsupported expectation': [() => line('GET', '/healthz', 'Expect: luck'), 417],
  TRACE: [() => line('TRACE', '/api/v1_1/account'), 405],
  PROPFIND: [() => line('PROPFIND', '/api/v1_1/account'), 405],
  'OPTIONS *': [() => line('OPTIONS', '*'), 404],
  CONNECT: [() => line('CONNECT', 'a:443'), 400],
  'an upgrade': [() => line('GET', '/healthz', 'Connection: Upgrade', 'Upgrade: websocket'), 200],
  'a target with its host': [() => line('GET', 'http://other/healthz'), 200],
  'a target of another scheme': [() => line('GET', 'file:///etc/passwd'), 404],
  'a path traversal': [() => line('GET', '/../../../../etc/passwd'), 404],
  'an encoded path traversal': [() => line('GET', '/docs/%2e%2e%2f%2e%2e%2fpackage.json'), 404],
};

describe('an unusual request', () => {
  it('gets the expected status', async () => {
    const trial = new Trial('Hostile: unusual requests', ROUNDS);
    await trial.run(() =>
      service.expectUnaffected(trial, async () => {
        for (const [name, [request, status]] of Object.entries(UNUSUAL)) {
          const connection = await service.connect();
          connection.send(request());
          expect([name, await connection.waitForResponses(1, /\r\n\r\n/)]).toEqual([name, [status]]);
          connection.close();
        }
      }),
    );
  });
});
