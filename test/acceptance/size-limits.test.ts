import { describe, it } from 'vitest';
import { expectBatchStored, expectEnvelope, expectResult } from './expectations.js';
import { batch, counts, operations } from './operations.js';
import { asJson, freshId, post, sendWithNodeHttp, withKey } from './requests.js';
import { target } from './target.js';

const { maxBodyBytes, maxBatch } = target;
const headers = { ...asJson, ...withKey(target.keys.plain) };
const tooLarge = `The body may not be larger than ${maxBodyBytes} bytes.`;
const tooMany = `A batch may not hold more than ${maxBatch} records.`;

describe.each(operations)('the size of $name', { timeout: 30_000 }, ({ path, body, result }) => {
  const padded = (bytes: number) => body(`{"account_id":"${freshId()}"}`).padEnd(bytes);
  const chunked = { ...headers, 'transfer-encoding': 'chunked' };

  it('may reach the limit', async () => {
    expectResult(await post(path, padded(maxBodyBytes)), result('created'));
  });

  it('may reach the limit in chunks', async () => {
    const response = await sendWithNodeHttp(path, { headers: chunked, body: padded(maxBodyBytes) });
    expectResult(response, result('created'));
  });

  it('may not go one byte over the limit', async () => {
    expectEnvelope(await sendWithNodeHttp(path, { headers, body: padded(maxBodyBytes + 1) }), 413, tooLarge);
  });

  it('may not go one byte over the limit in chunks', async () => {
    const response = await sendWithNodeHttp(path, { headers: chunked, body: padded(maxBodyBytes + 1) });
    expectEnvelope(response, 413, tooLarge);
  });

  it('is checked before the JSON', async () => {
    const sent = '{"a":}'.padEnd(maxBodyBytes + 1);
    expectEnvelope(await sendWithNodeHttp(path, { headers, body: sent }), 413, tooLarge);
  });

  it('is checked before the check for an empty body', async () => {
    expectEnvelope(
      await sendWithNodeHttp(path, { headers, body: ' '.repeat(maxBodyBytes + 1) }),
      413,
      tooLarge,
    );
  });
});

describe('the number of records in a batch', { timeout: 60_000 }, () => {
  const records = (count: number) => Array.from({ length: count }, () => ({ account_id: freshId() }));

  it.each([1, 200, 201, maxBatch])('may be %d', async (count) => {
    await expectBatchStored(records(count), counts({ created: count }));
  });

  it('may not be one over the limit', async () => {
    const response = await post(batch.path, JSON.stringify(records(maxBatch + 1)));
    expectEnvelope(response, 413, tooMany);
  });

  it('is checked before the records', async () => {
    const response = await post(batch.path, JSON.stringify(Array(maxBatch + 1).fill(0)));
    expectEnvelope(response, 413, tooMany);
  });
});
