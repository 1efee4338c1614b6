import { describe, expect, it } from 'vitest';
import { expectBatchRefused, expectBatchStored, expectStored, expectSuccess } from './expectations.js';
import { invalid, missingId, ownParent, tooLong } from './messages.js';
import { counts, single } from './operations.js';
import { freshId, post } from './requests.js';

const integer = (id: string) => ({ licenses: [invalid(id, 'licenses', 'integer')] });

describe('a batch', () => {
  it('creates, updates and leaves alone in one request, and counts each', async () => {
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
    'takes the element %j for a record without an account_id',
    async (element) => {
      await expectBatchRefused([element], [{ account_id: [missingId] }]);
      await expectBatchRefused([{ account_id: freshId() }, element], [{}, { account_id: [missingId] }]);
    },
  );

  it('answers with the messages of every record at its place', async () => {
    const [first, valid, own, last] = [freshId(), freshId(), freshId(), freshId()];
    await expectBatchRefused(
      [
        { account_id: first, licenses: 'many' },
        { account_id: valid, name: 'Acme' },
        { name: 'Nobody' },
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

  it('judges each record alone when an id occurs twice', async () => {
    const account_id = freshId();
    await expectBatchRefused([{ account_id, licenses: 'many' }, { account_id }], [integer(account_id), {}]);
  });

  it.each(['first', 'last'])('stores nothing when its %s record is refused', async (place) => {
    const [valid, known, bad] = [freshId(), freshId(), freshId()];
    await expectStored(single, { account_id: known, name: 'Acme' }, 'created');
    const fine = [{ account_id: valid }, { account_id: known, name: 'Other' }];
    const refused = { account_id: bad, licenses: 'many' };
    if (place === 'first') await expectBatchRefused([refused, ...fine], [integer(bad), {}, {}]);
    else await expectBatchRefused([...fine, refused], [{}, {}, integer(bad)]);
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
      const answer = await post(
        '/api/v1_1/accounts',
        JSON.stringify([
          { account_id, name: 'first', licenses: 1 },
          { account_id: again(account_id), name: 'second', custom_Text: 'kept' },
          { account_id, licenses: 3 },
        ]),
      );
      expectSuccess(answer);
      expect(answer.headers.get('account-sync-result')).toMatch(/^created=1, updated=\d, unchanged=\d$/);
      await expectStored(
        single,
        { account_id, name: 'second', licenses: 3, custom_Text: 'kept' },
        'unchanged',
      );
    },
  );

  it('answers for 200 refused records with 200 places', async () => {
    const ids = Array.from({ length: 200 }, () => freshId());
    const records = ids.map((account_id) => ({ account_id, licenses: 'many' }));
    await expectBatchRefused(records, ids.map(integer));
  });
});
