import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { expectedAttribute } from './expected-attribute.js';
import { readAnswer } from './import-request.js';
import { own, ownerApplied, putAttribute, refusedBody } from './owned-fields.js';
import { finishRun, headersOf, importRecords, keyOf, openRun, run, upsert } from './run-requests.js';
import { archive } from './undo-requests.js';
import { account, at, eventually, invalid, problem, type Tenant, useServer } from './v2-server.js';

const SIZE = 'custom_Größe';
const SIZE_IN_HEADER = 'custom_Gr%C3%B6%C3%9Fe';
const OTHERS_RULE = 'must be one of reject, keep';

describe.each(databases)('ownership on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  /** A tenant with the sources billing, which is to own fields, and crm. */
  const twoSources = async () => {
    const acme = await server.tenant();
    const [billing, crm] = [await keyOf(acme, 'billing'), await keyOf(acme, 'crm')];
    return { acme, billing: { key: billing.key, id: billing.id }, crm: { key: crm.key, id: crm.id } };
  };
  const byBilling = { source: 'billing', others: 'reject' } as const;
  const show = async (tenant: Tenant, id: string) => (await tenant.get(`/accounts/${id}`)).body;

  describe('of an attribute', () => {
    it.each([
      [{ owner: 'billing' }, ['/body/owner']],
      [{ owner: true }, ['/body/owner']],
      [{ owner: [] }, ['/body/owner']],
      [{ owner: {} }, ['/body/owner/source']],
      [{ owner: { others: 'keep' } }, ['/body/owner/source']],
      [{ owner: { source: null } }, ['/body/owner/source']],
      [{ owner: { source: 7 } }, ['/body/owner/source']],
      [{ owner: { source: '' } }, ['/body/owner/source']],
      [{ owner: { source: 'billing', others: null } }, ['/body/owner/others']],
      [{ owner: { source: 'billing', others: 'KEEP' } }, ['/body/owner/others']],
      [{ owner: { source: 'billing', mode: 'keep' } }, ['/body/owner/mode']],
      [{ others: 'keep' }, ['/body/others']],
    ])('is not set by %j', async (body, pointers) => {
      const { acme } = await twoSources();
      const answer = await putAttribute(acme, 'custom_Tier', { type: 'text', ...body });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
        expect.arrayContaining(pointers),
      );
      expect((await acme.get('/attributes/custom_Tier')).status).toBe(404);
    });

    it('tells which values others may have', async () => {
      const { acme } = await twoSources();
      const answer = await putAttribute(acme, 'custom_Tier', {
        type: 'text',
        owner: { source: 'billing', others: 'ignore' },
      });
      expect(answer.body).toEqual(invalid({ '/body/owner/others': OTHERS_RULE }));
    });

    it.each(['unknown', 'theirs', 'Billing', 'billing '])('is not the unknown source %j', async (source) => {
      const { acme } = await twoSources();
      const other = await server.tenant();
      await keyOf(other, 'theirs');
      await putAttribute(acme, 'custom_Old', { type: 'text', owner: byBilling });
      for (const name of ['custom_Tier', 'custom_Old', 'name', 'licenses']) {
        const type = name === 'licenses' ? 'integer' : 'text';
        const answer = await putAttribute(acme, name, { type, owner: { source } });
        expect([answer.status, answer.body]).toEqual([
          409,
          problem(409, 'unknown_source', `There is no source ${source}.`),
        ]);
      }
      expect((await acme.get('/attributes/custom_Tier')).status).toBe(404);
      expect((await acme.get('/attributes/custom_Old')).body.owner).toEqual(byBilling);
      expect((await acme.get('/attributes/name')).status).toBe(404);
    });

    it('is set for built-in ones, whose type stays', async () => {
      const { acme } = await twoSources();
      const set = await putAttribute(acme, 'licenses', { type: 'integer', owner: byBilling });
      const owned = expectedAttribute('licenses', { type: 'integer', built_in: true, owner: byBilling });
      expect([set.status, set.body]).toEqual([200, owned]);
      expect((await acme.get('/attributes')).body.data[0]).toEqual(owned);
      const wrong = await putAttribute(acme, 'licenses', { type: 'text', owner: byBilling });
      expect([wrong.status, wrong.body]).toEqual([
        400,
        invalid({ '/body/type': 'must stay integer: licenses is built in' }),
      ]);
      const indexed = await putAttribute(acme, 'licenses', { type: 'integer', indexed: true });
      expect(indexed.body).toEqual({ ...owned, index: 'ready' });
      const removed = await putAttribute(acme, 'licenses', { type: 'integer', owner: null });
      expect(removed.body).toEqual({ ...owned, index: 'ready', owner: null });
    });

    it.each(['name', 'parent_account_id'])('is set for %s, which has no other settings', async (field) => {
      const { acme } = await twoSources();
      for (const body of [
        { type: 'integer' },
        { type: 'choice', choices: ['a'] },
        { type: 'text', indexed: true },
        { type: 'text', read_only: true },
      ]) {
        const answer = await putAttribute(acme, field, { ...body, owner: byBilling });
        expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
      }
      expect((await acme.get(`/attributes/${field}`)).status).toBe(404);
      const owned = expectedAttribute(field, { built_in: true, owner: byBilling });
      const set = await putAttribute(acme, field, { type: 'text', indexed: false, owner: byBilling });
      expect([set.status, set.body]).toEqual([201, owned]);
      const listed = (await acme.get('/attributes')).body.data;
      expect(listed).toHaveLength(5);
      expect(listed).toContainEqual(owned);
      expect((await putAttribute(acme, field, { type: 'text', owner: null })).body).toEqual({
        ...owned,
        owner: null,
      });
      const removed = await acme.call('DELETE', `/attributes/${field}`);
      expect([removed.status, removed.body]).toEqual([204, undefined]);
      expect((await acme.get('/attributes')).body.data).toHaveLength(4);
      const again = await acme.call('DELETE', `/attributes/${field}`);
      expect([again.status, again.body]).toEqual([
        404,
        problem(404, 'not_found', `There is no attribute ${field} that was declared.`),
      ]);
    });

    it.each(['account_id', 'created_at', 'updated_at', 'revision', 'Name', 'note'])(
      'is not set for %s',
      async (field) => {
        const { acme } = await twoSources();
        const answer = await putAttribute(acme, field, { type: 'text', owner: byBilling });
        expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/path/name']);
      },
    );

    it('is removed with the attribute, and not set again by its next declaration', async () => {
      const { acme, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      expect((await acme.call('DELETE', '/attributes/custom_Tier')).status).toBe(204);
      await ownerApplied(acme, 'custom_Tier', { key: crm.key, effect: 'none' });
      expect((await putAttribute(acme, 'custom_Tier', { type: 'text' })).body).toEqual(
        expectedAttribute('custom_Tier'),
      );
      expect((await upsert(acme, { account_id: 'a', custom_Tier: 'x' }, { key: crm.key })).status).toBe(200);
    });

    it('rejects by default, also if it kept values before', async () => {
      const { acme } = await twoSources();
      const put = async (owner: object) =>
        (await putAttribute(acme, 'custom_Tier', { type: 'text', owner })).body.owner;
      expect(await put({ source: 'billing', others: 'keep' })).toEqual({ source: 'billing', others: 'keep' });
      expect(await put({ source: 'billing' })).toEqual(byBilling);
    });

    it('needs the scope admin to be set, and read to be shown', async () => {
      const { acme, crm } = await twoSources();
      const body = { type: 'text', owner: byBilling };
      const headers = headersOf(acme, { key: crm.key });
      const refused = await acme.call('PUT', '/attributes/custom_Tier', body, headers);
      expect([refused.status, refused.body.title]).toEqual([403, 'Forbidden']);
      await putAttribute(acme, 'custom_Tier', body);
      const shown = await acme.get('/attributes/custom_Tier', headers);
      expect([shown.status, shown.body.owner]).toEqual([200, byBilling]);
      const admin = { authorization: `Bearer ${await acme.addKey(['admin'])}` };
      const changed = await acme.call('PUT', '/attributes/custom_Tier', { type: 'text', owner: null }, admin);
      expect([changed.status, changed.body.owner]).toEqual([200, null]);
    });

    it('is in the audit, with the source and what happens to others', async () => {
      const { acme } = await twoSources();
      await putAttribute(acme, 'custom_Tier', { type: 'text', owner: { source: 'billing', others: 'keep' } });
      await putAttribute(acme, 'custom_Tier', { type: 'text', read_only: true });
      await putAttribute(acme, 'custom_Tier', { type: 'text', owner: null });
      await putAttribute(acme, 'name', { type: 'text', owner: { source: 'crm' } });
      await acme.call('DELETE', '/attributes/name');
      const { data } = (await acme.get('/audit')).body;
      const unowned = { owner: null, others: null, ...NO_PRESENTATION };
      const text = { type: 'text', choices: [], read_only: false, indexed: false, ...unowned };
      const keeping = { ...text, owner: 'billing', others: 'keep' };
      const ofCrm = { ...text, owner: 'crm', others: 'reject' };
      expect(
        data
          .filter(({ action }: { action: string }) => action.startsWith('attribute.'))
          .map(({ action, subject, from, to }: Record<string, unknown>) => [action, subject, from, to]),
      ).toEqual([
        ['attribute.remove', 'name', ofCrm, null],
        ['attribute.set', 'name', null, ofCrm],
        ['attribute.set', 'custom_Tier', { ...keeping, read_only: true }, text],
        ['attribute.set', 'custom_Tier', keeping, { ...keeping, read_only: true }],
        ['attribute.set', 'custom_Tier', null, keeping],
      ]);
    });

    it('prevents that its source is removed, until nothing is owned any more', async () => {
      const acme = await server.tenant();
      await acme.call('PUT', '/sources/billing', {});
      const remove = () => acme.call('DELETE', '/sources/billing');
      for (const name of ['custom_Tier', 'name'])
        await putAttribute(acme, name, { type: 'text', owner: byBilling });
      const refused = await remove();
      expect([refused.status, refused.body]).toEqual([
        409,
        problem(409, 'source_in_use', expect.stringContaining('custom_Tier') as unknown as string),
      ]);
      await putAttribute(acme, 'custom_Tier', { type: 'text', owner: null });
      expect((await remove()).body).toMatchObject({ code: 'source_in_use' });
      await acme.call('DELETE', '/attributes/name');
      expect((await remove()).status).toBe(204);
    });

    it('always exists, also if it is removed and set at the same time', async () => {
      const acme = await server.tenant();
      for (let round = 0; round < 10; round += 1) {
        await acme.call('PUT', '/sources/billing', {});
        await Promise.all([
          putAttribute(acme, 'custom_Tier', { type: 'text', owner: byBilling }),
          acme.call('DELETE', '/sources/billing'),
        ]);
        const shown = await acme.get('/attributes/custom_Tier');
        const { owner } = shown.status === 200 ? shown.body : { owner: null };
        const { status } = await acme.get('/sources/billing');
        expect([null, status === 200 ? 'billing' : null]).toContain(owner?.source ?? null);
        await putAttribute(acme, 'custom_Tier', { type: 'text', owner: null });
      }
    });
  });

  describe('of a field that is sent', () => {
    it('counts for every key of every other source, and for no key of the owner', async () => {
      const { acme, billing, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      const second = (
        await acme.call('POST', '/keys', { scopes: ['sync'], label: 'second', source: 'billing' })
      ).body;
      const write = async (key: string | undefined, value: string) =>
        (await upsert(acme, { account_id: 'a', custom_Tier: value }, { key })).status;
      expect(await write(billing.key, 'one')).toBe(200);
      expect(await write(second.key, 'two')).toBe(200);
      // The first key of the tenant belongs to the source default.
      expect(await write(undefined, 'three')).toBe(400);
      expect(await write(crm.key, 'three')).toBe(400);
      await acme.call('PATCH', `/keys/${crm.id}`, { source: 'billing' });
      await eventually(async () => expect(await write(crm.key, 'four')).toBe(200));
      expect((await show(acme, 'a')).fields).toEqual({ custom_Tier: 'four' });
    });

    it('does not count in other tenants', async () => {
      const { acme, crm } = await twoSources();
      const other = await server.tenant();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      expect((await upsert(other, { account_id: 'a', custom_Tier: 'x' })).status).toBe(200);
    });

    it('rejects with the whole body of the contract, and is recorded', async () => {
      const { acme, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      await own(acme, SIZE, { source: 'billing', key: crm.key });
      const id = await openRun(acme, crm.key);
      const record = { account_id: ' ACME ', name: 'A', custom_Tier: 'x', [SIZE]: 'y' };
      const answer = await upsert(acme, record, { key: crm.key, run: id, requestId: 'one' });
      const body = refusedBody('ACME', 'custom_Tier', SIZE);
      expect([answer.status, answer.body]).toEqual([400, body]);
      expect(answer.headers).not.toHaveProperty('account-sync-result');
      expect(answer.headers).not.toHaveProperty('account-sync-kept');
      expect((await finishRun(acme, id, { key: crm.key })).body).toEqual({
        ...run(acme, id, {
          source: 'crm',
          key_id: crm.id,
          state: 'finished',
          ended_at: at(),
          requests: 1,
          failed_requests: 1,
          rejected: 1,
        }),
        undone_by: null,
        fields: [],
      });
      const rejections = async () => (await acme.get('/rejections')).body.data;
      await eventually(async () => expect(await rejections()).toHaveLength(1));
      expect(await rejections()).toEqual([
        {
          id: expect.stringMatching(/^\d+$/),
          at: at(),
          request_id: 'one',
          key_id: crm.id,
          user: null,
          source: 'crm',
          run_id: id,
          operation: 'upsert-account',
          status: 400,
          index: null,
          account_id: 'ACME',
          errors: body.errors_by_attributes[0],
          problem: null,
          record,
        },
      ]);
      expect((await acme.get('/accounts')).body.data).toEqual([]);
    });

    it('rejects a batch with several conflicting records as a whole', async () => {
      const { acme, billing, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      await own(acme, 'custom_Kept', { source: 'billing', key: crm.key, others: 'keep' });
      await upsert(acme, { account_id: 'a', custom_Tier: 'gold' }, { key: billing.key });
      const batch = [
        { account_id: 'new', name: 'New', custom_Kept: 'x' },
        { account_id: 'a', custom_Tier: 'silver', custom_Kept: 'x' },
        { account_id: 'a', custom_Tier: 'gold', name: 'A' },
        { account_id: 'A', custom_Tier: null },
        { account_id: 'other', custom_Tier: 'x' },
      ];
      const id = await openRun(acme, crm.key);
      const answer = await upsert(acme, batch, { key: crm.key, run: id });
      const message = (id: string) => `Account ${id}, custom_Tier is read-only.`;
      expect([answer.status, answer.body]).toEqual([
        400,
        {
          success: false,
          errors: [[], [message('a')], [], [message('A')], [message('other')]],
          errors_by_attributes: [
            {},
            { custom_Tier: [message('a')] },
            {},
            { custom_Tier: [message('A')] },
            { custom_Tier: [message('other')] },
          ],
        },
      ]);
      expect(answer.headers).not.toHaveProperty('account-sync-kept');
      const { data } = (await acme.get('/accounts')).body;
      expect(data).toEqual([account('a', { fields: { custom_Tier: 'gold' } })]);
      // All records of a batch that is not stored count as rejected.
      expect((await finishRun(acme, id, { key: crm.key })).body).toMatchObject({
        requests: 1,
        failed_requests: 1,
        created: 0,
        kept: 0,
        rejected: 5,
      });
      const recorded = async () =>
        (await acme.get('/rejections')).body.data.map(({ index, account_id }: Record<string, unknown>) => [
          index,
          account_id,
        ]);
      await eventually(async () =>
        expect(await recorded()).toEqual([
          [4, 'other'],
          [3, 'A'],
          [1, 'a'],
        ]),
      );
    });

    it('does not reject what an earlier record of the same batch makes equal', async () => {
      const { acme, billing, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      await upsert(acme, { account_id: 'a', custom_Tier: 'gold' }, { key: billing.key });
      const twice = [
        { account_id: 'a', custom_Tier: 'gold', name: 'One' },
        { account_id: 'a', custom_Tier: 'gold', name: 'Two' },
      ];
      const answer = await upsert(acme, twice, { key: crm.key });
      expect([answer.status, answer.headers['account-sync-result']]).toEqual([
        200,
        expect.stringMatching(/^created=0, updated=\d, unchanged=\d$/),
      ]);
      expect(await show(acme, 'a')).toMatchObject({ name: 'Two', fields: { custom_Tier: 'gold' } });
    });

    it('names kept fields in the header, encoded and with the number of values', async () => {
      const { acme, billing, crm } = await twoSources();
      for (const [field, type, sample] of [
        [SIZE, 'decimal', 1],
        ['licenses', 'integer', 1],
        ['custom_Is_Valid', 'boolean', true],
        ['name', 'text', 'N'],
      ] as const) {
        await own(acme, field, { source: 'billing', key: crm.key, others: 'keep', type, sample });
      }
      const values = { licenses: 7, custom_Is_Valid: true, name: 'Acme', [SIZE]: 1.5 };
      await upsert(acme, { account_id: 'a', ...values }, { key: billing.key });
      const send = async (body: unknown) => {
        const { status, headers, body: answer } = await upsert(acme, body, { key: crm.key });
        expect([status, answer]).toEqual([200, { success: true }]);
        return [headers['account-sync-result'], headers['account-sync-kept']];
      };
      expect(await send({ account_id: 'a', [SIZE]: 2 })).toEqual(['unchanged', `${SIZE_IN_HEADER}=1`]);
      expect(await send({ account_id: 'a', [SIZE]: '1.50', licenses: '7', name: 'Acme' })).toEqual([
        'unchanged',
        undefined,
      ]);
      const [result, kept] = await send([
        { account_id: 'a', [SIZE]: 2, licenses: 8, name: 'B', custom_Is_Valid: false, note: 'x' },
        { account_id: 'a', [SIZE]: 3, licenses: null },
        { account_id: 'b', [SIZE]: 3, name: null },
      ]);
      expect(result).toMatch(/^created=1, updated=1, unchanged=1$/);
      expect(String(kept).split(', ').sort()).toEqual([
        `${SIZE_IN_HEADER}=3`,
        'custom_Is_Valid=1',
        'licenses=2',
        'name=1',
      ]);
      expect(await show(acme, 'a')).toMatchObject({
        name: 'Acme',
        fields: { licenses: 7, custom_Is_Valid: true, [SIZE]: 1.5, note: 'x' },
      });
      expect(await show(acme, 'b')).toMatchObject({ name: null, fields: {}, revision: 1 });
    });

    it('keeps the parent, and compares it as it is stored', async () => {
      const { acme, billing, crm } = await twoSources();
      await own(acme, 'parent_account_id', { source: 'billing', key: crm.key, others: 'keep' });
      await upsert(acme, { account_id: 'a', parent_account_id: 'Holding' }, { key: billing.key });
      const kept = async (parent_account_id: unknown) =>
        (await upsert(acme, { account_id: 'a', parent_account_id }, { key: crm.key })).headers[
          'account-sync-kept'
        ];
      expect(await kept(' HOLDING')).toBeUndefined();
      expect(await kept('other')).toBe('parent_account_id=1');
      expect(await kept('')).toBe('parent_account_id=1');
      expect((await show(acme, 'a')).parent_account_id).toBe('holding');
    });

    it('checks other rules first, for each record', async () => {
      const { acme, crm } = await twoSources();
      await own(acme, 'licenses', { source: 'billing', key: crm.key, type: 'integer', sample: 1 });
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      const both = await upsert(acme, { account_id: 'a', licenses: 'x', custom_Tier: 'y' }, { key: crm.key });
      const message = 'Account a, licenses has invalid integer value.';
      expect([both.status, both.body]).toEqual([
        400,
        { success: false, errors: [message], errors_by_attributes: [{ licenses: [message] }] },
      ]);
      const readOnly = { type: 'text', read_only: true, owner: byBilling };
      await putAttribute(acme, 'custom_Locked', readOnly);
      await ownerApplied(acme, 'custom_Locked', { key: crm.key, effect: 'reject' });
      const locked = await upsert(acme, { account_id: 'a', custom_Locked: null, custom_Tier: 'y' }, crm);
      expect(locked.body).toEqual(refusedBody('a', 'custom_Locked'));
    });

    it('counts for archived accounts, with the values that they had', async () => {
      const { acme, crm } = await twoSources();
      await archive(acme, { account_id: 'a', custom_Tier: 'gold' });
      const archived = async () => (await show(acme, 'a')).archived_at !== null;
      expect(await archived()).toBe(true);
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      const refused = await upsert(acme, { account_id: 'a', custom_Tier: 'silver' }, { key: crm.key });
      expect([refused.status, refused.body, await archived()]).toEqual([
        400,
        refusedBody('a', 'custom_Tier'),
        true,
      ]);
      const equal = await upsert(acme, { account_id: 'a', custom_Tier: 'gold' }, { key: crm.key });
      expect([equal.status, await archived()]).toEqual([200, false]);
    });

    it('counts as null for deleted accounts', async () => {
      const { acme, billing, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      await upsert(acme, { account_id: 'a', custom_Tier: 'gold' }, { key: billing.key });
      await acme.call('DELETE', '/accounts/a');
      const write = async (custom_Tier: unknown) =>
        (await upsert(acme, { account_id: 'a', custom_Tier }, { key: crm.key })).status;
      expect([await write('gold'), await write(null)]).toEqual([400, 200]);
      expect((await show(acme, 'a')).fields).toEqual({});
    });

    it.each([true, false])('in an import fails only its record; dry run: %s', async (dry_run) => {
      const { acme, billing, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      await own(acme, 'name', { source: 'billing', key: crm.key, others: 'keep' });
      await upsert(acme, { account_id: 'a', custom_Tier: 'gold', name: 'A' }, { key: billing.key });
      const records = [
        { account_id: 'a', custom_Tier: 'x' },
        { account_id: 'b', custom_Tier: 'x' },
        { account_id: 'a', custom_Tier: 'gold', name: 'B', note: 1 },
        { account_id: 'b', name: null },
        { account_id: 'a', name: 'C' },
        { account_id: 'a', licenses: 'many', custom_Tier: 'x' },
      ];
      const { body: text } = await server.app.inject({
        method: 'POST',
        url: `/api/v2/accounts/import?dry_run=${dry_run}`,
        headers: { ...headersOf(acme, { key: crm.key }), 'content-type': 'application/json' },
        payload: JSON.stringify(records),
      });
      const refused = (id: string) => ({ custom_Tier: [`Account ${id}, custom_Tier is read-only.`] });
      expect(readAnswer(text)).toEqual({
        lines: [
          { index: 0, account_id: 'a', status: 'failed', errors: refused('a') },
          { index: 1, account_id: 'b', status: 'failed', errors: refused('b') },
          { index: 2, account_id: 'a', status: 'updated', changed: ['note'], kept: ['name'] },
          { index: 3, account_id: 'b', status: 'created', changed: [] },
          { index: 4, account_id: 'a', status: 'unchanged', changed: [], kept: ['name'] },
          {
            index: 5,
            account_id: 'a',
            status: 'failed',
            errors: { licenses: ['Account a, licenses has invalid integer value.'] },
          },
        ],
        summary: {
          records: 6,
          created: 1,
          updated: 1,
          unchanged: 1,
          skipped: 0,
          failed: 3,
          kept: 2,
          dry_run,
          is_complete: true,
          problem: null,
        },
      });
      expect(
        (await acme.get('/accounts')).body.data.map((one: { account_id: string }) => one.account_id),
      ).toEqual(dry_run ? ['a'] : ['a', 'b']);
      if (dry_run) expect((await acme.get('/rejections')).body.data).toEqual([]);
      else await eventually(async () => expect((await acme.get('/rejections')).body.data).toHaveLength(3));
    });

    it('in a long import counts every kept value and every failed record', async () => {
      const { acme, billing, crm } = await twoSources();
      await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
      await own(acme, 'name', { source: 'billing', key: crm.key, others: 'keep' });
      const ids = Array.from({ length: 1_500 }, (_, i) => `a-${i}`);
      const owned = ids.map((account_id) => ({ account_id, custom_Tier: 'gold', name: 'Own' }));
      await importRecords(acme, owned, { key: billing.key });
      const records = ids.map((account_id, i) => ({
        account_id,
        custom_Tier: i % 3 === 0 ? 'silver' : 'gold',
        name: i % 2 === 0 ? 'Other' : 'Own',
        licenses: i,
      }));
      const counts = { records: 1_500, created: 0, updated: 1_000, unchanged: 0, failed: 500, kept: 500 };
      for (const query of ['?dry_run=true', '']) {
        const { body } = await importRecords(acme, records, { query, key: crm.key });
        expect(body).toMatchObject({ ...counts, skipped: 0, is_complete: true });
      }
    });
  });

  it('does not restrict undos and deletions of other sources', async () => {
    const { acme, billing, crm } = await twoSources();
    await upsert(acme, { account_id: 'a', custom_Tier: 'one' }, { key: billing.key });
    const id = await openRun(acme, crm.key);
    await upsert(acme, { account_id: 'a', custom_Tier: 'two' }, { key: crm.key, run: id });
    await finishRun(acme, id, { key: crm.key });
    await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
    const { statusCode, body } = await server.app.inject({
      method: 'POST',
      url: `/api/v2/runs/${id}/undo`,
      headers: headersOf(acme, { key: crm.key }),
    });
    expect([statusCode, readAnswer(body).summary]).toMatchObject([
      200,
      { updated: 1, conflicts: 0, is_complete: true },
    ]);
    expect((await show(acme, 'a')).fields).toEqual({ custom_Tier: 'one' });
    expect((await acme.call('DELETE', '/accounts/a')).status).toBe(204);
  });

  it('lets exactly the owner through if many requests arrive at once', async () => {
    const { acme, billing, crm } = await twoSources();
    await own(acme, 'custom_Tier', { source: 'billing', key: crm.key });
    const count = 40;
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) => [
        upsert(acme, { account_id: 'a', custom_Tier: `own-${i}` }, { key: billing.key }),
        upsert(acme, { account_id: 'a', custom_Tier: `other-${i}`, note: i }, { key: crm.key }),
      ]).flat(),
    );
    const byOwner = answers.filter((_, i) => i % 2 === 0);
    const byOther = answers.filter((_, i) => i % 2 === 1);
    expect(byOwner.map(({ status }) => status)).toEqual(Array(count).fill(200));
    expect(byOther.map(({ status }) => status)).toEqual(Array(count).fill(400));
    expect((await show(acme, 'a')).fields).toEqual({ custom_Tier: expect.stringMatching(/^own-/) });
  });
});
