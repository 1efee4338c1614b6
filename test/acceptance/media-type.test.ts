import { gzipSync } from 'node:zlib';
import { describe, it } from 'vitest';
import { expectEnvelope, expectSuccess } from './expectations.js';
import { operations } from './operations.js';
import { asJson, freshId, send, sendWithNodeHttp, withKey } from './requests.js';
import { target } from './target.js';

const key = withKey(target.keys.plain);
const notJson = 'The Content-Type must be application/json.';

describe.each(operations)('the media type of $name', ({ path, body, emptyBodyMessage }) => {
  const record = () => body(`{"account_id":"${freshId()}"}`);

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; profile="x"',
    'Application/JSON',
  ])('may be %s', async (type) => {
    expectSuccess(await send(path, { headers: { ...key, 'content-type': type }, body: record() }));
  });

  it.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/x-ndjson',
    'application/vnd.api+json',
    'json',
  ])('may not be %s', async (type) => {
    const response = await send(path, { headers: { ...key, 'content-type': type }, body: record() });
    expectEnvelope(response, 415, notJson);
  });

  it('may not be missing', async () => {
    expectEnvelope(await send(path, { headers: key, body: record() }), 415, notJson);
  });

  it('is checked before the JSON', async () => {
    const headers = { ...key, 'content-type': 'text/plain' };
    expectEnvelope(await send(path, { headers, body: '{"a":}' }), 415, notJson);
  });

  it('is checked before the size', async () => {
    const headers = { ...key, 'content-type': 'text/plain' };
    const sent = Buffer.alloc(target.maxBodyBytes + 1, ' ');
    expectEnvelope(await sendWithNodeHttp(path, { headers, body: sent }), 415, notJson);
  });

  it.each([
    ['another', { 'content-type': 'text/plain' }],
    ['missing', {}],
  ])('does not matter to an empty body when it is %s', async (_what, headers: Record<string, string>) => {
    expectEnvelope(await send(path, { headers: { ...key, ...headers }, body: '' }), 400, emptyBodyMessage);
  });
});

describe.each(operations)('the content encoding of $name', ({ path, body, emptyBodyMessage }) => {
  const sendEncoded = (encoding: string, sent: string | Uint8Array) =>
    send(path, { headers: { ...asJson, ...key, 'content-encoding': encoding }, body: sent });
  const record = () => body(`{"account_id":"${freshId()}"}`);

  it.each(['gzip', 'br', 'deflate', 'zstd'])('may not be %s', async (encoding) => {
    const message = `The Content-Encoding ${encoding} is not supported: send the body uncompressed.`;
    expectEnvelope(await sendEncoded(encoding, gzipSync(record())), 415, message);
  });

  it('may be identity', async () => {
    expectSuccess(await sendEncoded('identity', record()));
  });

  it('does not matter to an empty body', async () => {
    expectEnvelope(await sendEncoded('gzip', ''), 400, emptyBodyMessage);
  });
});
