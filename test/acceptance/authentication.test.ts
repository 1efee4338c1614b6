import { describe, it } from 'vitest';
import { expectEnvelope, expectSuccess, expectUnauthenticated } from './expectations.js';
import { operations } from './operations.js';
import { asJson, freshId, send, sendWithNodeHttp, withKey } from './requests.js';
import { target } from './target.js';

const { plain, readOnly, revoked, expired } = target.keys;

describe.each(operations)('the key sent with $name', ({ path, body }) => {
  const sendWith = (headers: Record<string, string>) =>
    send(path, { headers: { ...asJson, ...headers }, body: body(`{"account_id":"${freshId()}"}`) });

  it('is required', async () => {
    expectUnauthenticated(await sendWith({}));
  });

  it.each([
    ['is empty', ''],
    ['has a scheme and no key', 'Bearer'],
    ['has a key and no scheme', plain],
    ['has the scheme Basic', `Basic ${plain}`],
    ['has the scheme Token', `Token ${plain}`],
    ['has no space after the scheme', `Bearer${plain}`],
    ['has a second word after the key', `Bearer ${plain} ${plain}`],
    ['has an unknown key', 'Bearer acs_00000000_00000000000000000000000000000000000000'],
    ['has a key that lacks its last character', `Bearer ${plain.slice(0, -1)}`],
    ['has a key with one character too many', `Bearer ${plain}0`],
    ['has a key with bytes beyond ASCII', `Bearer ${plain.slice(0, -1)}é`],
    ['has a very long key', `Bearer ${'a'.repeat(4096)}`],
    ['has a revoked key', `Bearer ${revoked}`],
    ['has an expired key', `Bearer ${expired}`],
  ])('is rejected when the Authorization header %s', async (_what, authorization) => {
    expectUnauthenticated(await sendWith({ authorization }));
  });

  it.each(['authentication', 'x-api-key'])('is not read from the header %s', async (name) => {
    expectUnauthenticated(await sendWith({ [name]: `Bearer ${plain}` }));
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('is accepted after the scheme %s', async (scheme) => {
    expectSuccess(await sendWith({ authorization: `${scheme} ${plain}` }));
  });

  it('is rejected with 403 when it lacks the scope sync', async () => {
    expectEnvelope(await sendWith(withKey(readOnly)), 403, 'This key lacks the scope sync.');
  });
});

describe.each(operations)('a request without a key to sync $name', ({ path, body }) => {
  it.each([
    ['an empty body', asJson, ''],
    ['invalid JSON', asJson, '{"a":}'],
    ['invalid UTF-8', asJson, Buffer.from([0xff])],
    ['an invalid record', asJson, body('{"account_id":""}')],
    ['another media type', { 'content-type': 'text/plain' }, body('{}')],
    ['no media type', {}, body('{}')],
    ['a content encoding', { ...asJson, 'content-encoding': 'gzip' }, body('{}')],
  ])('is unauthenticated before it has %s', async (_what, headers: Record<string, string>, sent) => {
    expectUnauthenticated(await send(path, { headers, body: sent }));
  });

  it('is unauthenticated before it is too large', async () => {
    const sent = Buffer.alloc(target.maxBodyBytes + 1, ' ');
    expectUnauthenticated(await sendWithNodeHttp(path, { headers: asJson, body: sent }));
  });
});
