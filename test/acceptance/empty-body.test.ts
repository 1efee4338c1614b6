import { describe, it } from 'vitest';
import { expectEnvelope } from './expectations.js';
import { batch, operations, single } from './operations.js';
import { asJson, freshId, post, send, withKey } from './requests.js';
import { target } from './target.js';

describe.each(operations)('an empty body for $name', ({ path, emptyBodyMessage }) => {
  it.each(['', ' ', ' \r\n\t ', 'null', ' null ', '{}', '{ }', '[]', '[\n]'])(
    `is rejected with "${emptyBodyMessage}" when it is %j`,
    async (sent) => {
      expectEnvelope(await post(path, sent), 400, emptyBodyMessage);
    },
  );

  it(`is rejected with "${emptyBodyMessage}" when the request has no body at all`, async () => {
    const headers = { ...asJson, ...withKey(target.keys.plain) };
    expectEnvelope(await send(path, { headers }), 400, emptyBodyMessage);
  });
});

describe('a body of the wrong shape', () => {
  it.each(['1', '0', '"text"', '""', 'true', 'false'])(
    'is invalid data for a single account: %s',
    async (sent) => {
      expectEnvelope(await post(single.path, sent), 400, 'Invalid data.');
    },
  );

  it.each(['1', '0', '"text"', '""', 'true', 'false'])('is invalid data for a batch: %s', async (sent) => {
    expectEnvelope(await post(batch.path, sent), 400, 'Invalid data.');
  });

  it('is invalid data for a single account when it is an array of one', async () => {
    expectEnvelope(await post(single.path, `[{"account_id":"${freshId()}"}]`), 400, 'Invalid data.');
  });

  it('is invalid data for a batch when it is one account', async () => {
    expectEnvelope(await post(batch.path, `{"account_id":"${freshId()}"}`), 400, 'Invalid data.');
  });
});
