import { describe, expect, it } from 'vitest';
import { expectBatchRejected, expectBatchStored, expectStored, expectSuccess } from './expectations.js';
import { invalid, missingId, ownParent, tooLong } from './messages.js';
import { counts, single } from './operations.js';
import { freshId, post } from './requests.js';

const integer = (id: string) => ({ licenses: [invalid(id, 'licenses', 'integer')] });

describe('a batch', () => {
  it('creates, updates and keeps accounts in one request, and counts each', async () => {
    const [kept, changed, fresh] = [freshId(), freshId(), freshId()];
    await expectBatchStored(
      [
        { account_id: kept, name: 'Acme' },
        { account_id: changed, name: 'Acme' },
      ],
      counts({ created: 2 }),
    );
    await expectBatchStored(
      [{ account_id: fresh }, { account_id: changed, name: 'Other' }, { account_id: kept, name: 'Acme' }],
      'created=1, updated=1, unchanged=1',
    );
  });

  it('shares its accounts with the single operation', async () => {
    const account_id = freshId();
    await expectBatchStored([{ account_id, name: 'Acme' }], 'created=1, updated=0, unchanged=0');
    await expectStored(single, { account_id, name: 'Acme' }, 'unchanged');
    await expectStored(single, { account_id, name: 'Other' }, 'updated');
    await expectBatchStored([{ account_id, name: 'Other' }], 'created=0, updated=0, unchanged=1');
  });

  it.each([[null], [0], [1], ['text'], [''], [true], [false], [[]], [[{ account_id: 'a' }]], [{}]])(
    'treats the element %j as a record without an account_id',
    async (element) => {
      await expectBatchRejected([element], [{ account_id: [missingId] }]);
      await expectBatchRejected([{ account_id: freshId() }, element], [{}, { account_id: [missingId] }]);
    },
  );

  it('returns the messages of every record at its index', async () => {
    const [first, valid, own, last] = [freshId(), freshId(), freshId(), freshId()];
    await expectBatchRejected(
      [
        { account_id: first, licenses: 'many' },
        { account_id: valid, name: 'Acme' },
        { name: 'No Id' },
        { account_id: own, parent_account_id: own },
        { account_id: last, name: 'x'.repeat(192), licenses: 1.5 },
      ],
      [
        integer(first),
        {},
        { account_id: [missingId] },
        { parent_account_id: [ownParent] },
        { name: [tooLong('name')], ...integer(last) },
      ],
    );
  });

  it('validates each record separately when an id occurs twice', async () => {
    const account_id = freshId();
    await expectBatchRejected([{ account_id, licenses: 'many' }, { account_id }], [integer(account_id), {}]);
  });

  it.each(['first', 'last'])('stores nothing when its %s record is rejected', async (place) => {
    const [valid, known, bad] = [freshId(), freshId(), freshId()];
    await expectStored(single, { account_id: known, name: 'Acme' }, 'created');
    const fine = [{ account_id: valid }, { account_id: known, name: 'Other' }];
    const rejected = { account_id: bad, licenses: 'many' };
    if (place === 'first') await expectBatchRejected([rejected, ...fine], [integer(bad), {}, {}]);
    else await expectBatchRejected([...fine, rejected], [{}, {}, integer(bad)]);
    await expectStored(single, { account_id: valid }, 'created');
    await expectStored(single, { account_id: known, name: 'Acme' }, 'unchanged');
    await expectStored(single, { account_id: bad }, 'created');
  });

  it.each([
    ['the same letters', (id: string) => id],
    ['another case', (id: string) => ` ${id.toUpperCase()}`],
  ])(
    'applies records of one id in order, written in %s: the later value of a field wins',
    async (_how, again) => {
      const account_id = freshId();
      const response = await post(
        '/api/v1_1/accounts',
        JSON.stringify([
          { account_id, name: 'first', licenses: 1 },
          { account_id: again(account_id), name: 'second', custom_Text: 'kept' },
          { account_id, licenses: 3 },
        ]),
      );
      expectSuccess(response);
      expect(response.headers.get('account-sync-result')).toMatch(/^created=1, updated=\d, unchanged=\d$/);
      await expectStored(
        single,
        { account_id, name: 'second', licenses: 3, custom_Text: 'kept' },
        'unchanged',
      );
    },
  );

  it('returns 200 entries for 200 rejected records', async () => {
    const ids = Array.from({ length: 200 }, () => freshId());
    const records = ids.map((account_id) => ({ account_id, licenses: 'many' }));
    await expectBatchRejected(records, ids.map(integer));
  });
});
