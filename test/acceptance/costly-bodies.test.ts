import { describe, expect, it } from 'vitest';
import { expectEnvelope, expectStored } from './expectations.js';
import { batch, operations, sync } from './operations.js';
import { freshId, post, send } from './requests.js';

const tooManyKeys = 'An object in the body may not have more than 1000 keys.';

const members = (count: number) => Array.from({ length: count }, (_, i) => `"f${i}":1`).join(',');

describe.each(operations)('the number of fields of $name', (operation) => {
  it('may be 1,000', async () => {
    await expectStored(operation, `{"account_id":"${freshId()}",${members(999)}}`, 'created');
  });

  it('may not be more', async () => {
    expectEnvelope(
      await sync(operation, `{"account_id":"${freshId()}",${members(1_000)}}`),
      400,
      tooManyKeys,
    );
  });

  it('may not be more in a nested object', async () => {
    const record = `{"account_id":"${freshId()}","extra":[{${members(1_001)}}]}`;
    expectEnvelope(await sync(operation, record), 400, tooManyKeys);
  });

  it('is counted for each object on its own', async () => {
    const inner = Array.from({ length: 5 }, () => `{${members(600)}}`).join(',');
    await expectStored(operation, `{"account_id":"${freshId()}","extra":[${inner}]}`, 'created');
  });
});

describe.each(operations)('the number of objects and arrays within $name', (operation) => {
  const around = operation === batch ? 3 : 2;
  const record = (unit: string, count: number) =>
    `{"account_id":"${freshId()}","extra":[${Array(count).fill(unit).join(',')}]}`;

  it.each(['{}', '[]'])('may be 200,000, of %s', async (unit) => {
    await expectStored(operation, record(unit, 200_000 - around), 'created');
  });

  it.each(['{}', '[]'])('may not be more, of %s', async (unit) => {
    const response = await sync(operation, record(unit, 200_001 - around));
    expectEnvelope(response, 400, 'The body may not hold more than 200000 objects and arrays.');
  });
});

describe.each(operations)('the number of values within $name', (operation) => {
  const record = (count: number) => `{"account_id":"${freshId()}","extra":[${Array(count).fill(1).join()}]}`;

  it('may be 1,048,576', async () => {
    await expectStored(operation, record(1_048_576), 'created');
  });

  it('may not be more', async () => {
    const response = await sync(operation, record(1_048_577));
    expectEnvelope(response, 400, 'The body may not hold more than 1048576 values.');
  });
});

describe.each(operations)('an identifier with very many accents in $name', (operation) => {
  it('is rejected for its length without being normalised', async () => {
    const marks = '\u0301'.repeat(200_000) + '\u0323'.repeat(200_000);
    const response = await sync(operation, { account_id: `a${marks}`, parent_account_id: `b${marks}` });
    const errors = ['account_id', 'parent_account_id'].map(
      (f) => `The ${f} may not be greater than 191 characters.`,
    );
    expect([response.status, JSON.parse(response.text).errors]).toEqual([400, operation.errors(errors)]);
  });
});

describe('a batch with more problems than a response may contain', () => {
  it('is rejected with one sentence', async () => {
    const bad = Array.from({ length: 800 }, (_, i) => `"${i}":1e999`).join(',');
    const record = `{"account_id":"${'€'.repeat(191)}",${bad}}`;
    const response = await post(batch.path, `[${Array(500).fill(record).join(',')}]`);
    expectEnvelope(
      response,
      413,
      'The batch has more problems than can be listed: send fewer records at a time.',
    );
    expect((await send('/healthz', { method: 'GET' })).status).toBe(200);
  });
});
