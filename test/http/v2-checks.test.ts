import { describe, expect, it } from 'vitest';
import type { AccountPatch } from '../../dist/domain/account.js';
import { databases } from '../support/databases.js';
import { eventually, invalid, type Tenant, useServer } from './v2-server.js';

const SAME_LISTING = 'must be the `next` of a page of this same listing';
const NO_FITS = { text: 0, integer: 0, decimal: 0, boolean: 0, date: 0, datetime: 0 };

describe.each(databases)('on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const store = (tenant: Tenant, patches: AccountPatch[]) =>
    server.store.upsert({
      tenantId: tenant.id,
      requestId: 'r',
      senderId: 'k',
      at: server.now,
      bytes: 1,
      patches,
    });
  const check = (tenant: Tenant, name: string, body: unknown) =>
    tenant.call('POST', `/attributes/${name}/check`, body);

  describe('a check of an attribute', () => {
    it('counts the values that do not fit the type, and shows examples', async () => {
      const acme = await server.tenant();
      await acme.sync(
        { account_id: 'a', custom_Seats: '12' },
        { account_id: 'b', custom_Seats: 12 },
        { account_id: 'c', name: 'without it' },
        { account_id: 'd', custom_Seats: 'many' },
        { account_id: 'e', custom_Seats: 1.5 },
        { account_id: 'f', custom_Seats: '12' },
        { account_id: 'g', custom_Seats: true },
        { account_id: 'h', custom_Seats: 1 },
        { account_id: 'h', custom_Seats: null },
        { account_id: 'i', custom_Seats: 2 },
      );
      await acme.call('DELETE', '/accounts/i');
      const integer = await check(acme, 'custom_Seats', { type: 'integer' });
      expect([integer.status, integer.body]).toEqual([
        200,
        {
          looked_at: 8,
          values: 6,
          unfit: 3,
          fits: { text: 3, integer: 3, decimal: 4, boolean: 1, date: 0, datetime: 0 },
          examples: ['12', 12, 'many', 1.5, true],
          unfit_examples: [
            { account_id: 'd', value: 'many' },
            { account_id: 'e', value: 1.5 },
            { account_id: 'g', value: true },
          ],
          distinct: ['12', 'many'],
          next: null,
        },
      ]);
      const choice = await check(acme, 'custom_Seats', { type: 'choice', choices: ['many', 'few'] });
      expect(choice.body).toEqual({
        ...integer.body,
        unfit: 5,
        unfit_examples: [
          { account_id: 'a', value: '12' },
          { account_id: 'b', value: 12 },
          { account_id: 'e', value: 1.5 },
          { account_id: 'f', value: '12' },
          { account_id: 'g', value: true },
        ],
      });
      expect((await acme.get('/attributes')).body.data).toHaveLength(4);
    });

    it('shows the values of a declared attribute, and accepts one without values', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a', licenses: '5' }, { account_id: 'b', licenses: 5 });
      const none = { unfit: 0, fits: NO_FITS, examples: [], unfit_examples: [], distinct: [], next: null };
      expect((await check(acme, 'licenses', { type: 'integer' })).body).toEqual({
        ...none,
        looked_at: 2,
        values: 2,
        fits: { ...NO_FITS, integer: 2, decimal: 2 },
        examples: [5],
      });
      expect((await check(acme, 'custom_None', { type: 'date' })).body).toEqual({
        ...none,
        looked_at: 2,
        values: 0,
      });
    });

    it('truncates long values, and lists no distinct texts if they are long or many', async () => {
      const acme = await server.tenant();
      const list = Array.from({ length: 100 }, (_, i) => i);
      const long = '👩'.repeat(201);
      await acme.sync(
        { account_id: 'a', custom_X: long, custom_Y: '👩'.repeat(200), custom_Z: 'z-0' },
        { account_id: 'b', custom_X: { list } },
        ...list.slice(1, 20).map((i) => ({ account_id: `c-${i}`, custom_Z: `z-${i}` })),
      );
      const cut = `${'👩'.repeat(200)}…`;
      const json = `${JSON.stringify({ list }).slice(0, 200)}…`;
      expect((await check(acme, 'custom_X', { type: 'integer' })).body).toEqual({
        looked_at: 21,
        values: 2,
        unfit: 2,
        fits: { ...NO_FITS, text: 1 },
        examples: [cut, json],
        unfit_examples: [
          { account_id: 'a', value: cut },
          { account_id: 'b', value: json },
        ],
        distinct: null,
        next: null,
      });
      const distinct = async (name: string) => (await check(acme, name, { type: 'text' })).body.distinct;
      expect(await distinct('custom_Y')).toEqual(['👩'.repeat(200)]);
      expect(await distinct('custom_Z')).toHaveLength(20);
      await acme.sync({ account_id: 'd', custom_Z: 'one too many' }, { account_id: 'e', custom_Z: 'z-0' });
      expect(await distinct('custom_Z')).toBeNull();
    });

    it('scans 10,000 accounts per request, and continues with the cursor', async () => {
      const acme = await server.tenant();
      for (let from = 0; from < 10_250; from += 2_050) {
        const ids = Array.from({ length: 2_050 }, (_, i) => from + i);
        await store(
          acme,
          ids.map((i) => ({ accountId: `a-${100_000 + i}`, fields: { custom_N: i % 10 === 0 ? 'x' : i } })),
        );
      }
      const first = (await check(acme, 'custom_N', { type: 'integer' })).body;
      expect(first).toMatchObject({ looked_at: 10_000, values: 10_000, unfit: 1_000, distinct: ['x'] });
      const second = await check(acme, 'custom_N', { type: 'integer', cursor: first.next });
      expect(second.body).toEqual({
        looked_at: 250,
        values: 250,
        unfit: 25,
        fits: { ...NO_FITS, text: 25, integer: 225, decimal: 225 },
        examples: ['x', 10_001, 10_002, 10_003, 10_004],
        unfit_examples: [0, 1, 2, 3, 4].map((i) => ({ account_id: `a-${110_000 + 10 * i}`, value: 'x' })),
        distinct: ['x'],
        next: null,
      });
      const ids = (await acme.get('/settings/account-ids/check')).body;
      expect(ids).toMatchObject({ looked_at: 10_000, unfit: 10_000 });
      expect((await acme.get(`/settings/account-ids/check?cursor=${ids.next}`)).body).toEqual({
        looked_at: 250,
        unfit: 250,
        unfit_examples: [0, 1, 2, 3, 4].map((i) => `a-${110_000 + i}`),
        next: null,
      });
    }, 30_000);

    it('scans fewer accounts if they are large', async () => {
      const acme = await server.tenant();
      const custom_X = 'x'.repeat(1_100_000);
      for (let i = 10; i < 32; i += 1) await store(acme, [{ accountId: `a-${i}`, fields: { custom_X } }]);
      const { looked_at, next } = (await check(acme, 'custom_X', { type: 'text' })).body;
      const rest = (await check(acme, 'custom_X', { type: 'text', cursor: next })).body;
      expect([looked_at, rest.looked_at, rest.unfit, rest.next]).toEqual([20, 2, 2, null]);
    }, 30_000);

    it.each([
      ['custom_X', undefined, { '/body': 'must be object' }],
      ['custom_X', { type: 'number' }, { '/body/type': expect.stringContaining('must be one of text, ') }],
      ['custom_X', { type: 'text', indexed: true }, { '/body/indexed': 'is not known here' }],
      ['custom_X', { type: 'text', cursor: 'nonsense' }, { '/body/cursor': SAME_LISTING }],
      ['licenses', { type: 'text' }, { '/body/type': 'must stay integer: licenses is built in' }],
      [
        'Tier',
        { type: 'choice' },
        {
          '/path/name': expect.stringMatching(/^"Tier" cannot name an attribute: /),
          '/body/choices': 'a choice needs its values',
        },
      ],
    ])('is rejected for %s with %j', async (name, body, errors) => {
      const acme = await server.tenant();
      const answer = await check(acme, name, body);
      expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
    });

    it('continues only with the same name, type and choices', async () => {
      const acme = await server.tenant();
      const ids = Array.from({ length: 2_000 }, (_, i) => i);
      for (let i = 0; i <= 5; i += 1) {
        await store(
          acme,
          ids.map((id) => ({ accountId: `${i}-${id}`, fields: {} })),
        );
      }
      const choice = { type: 'choice', choices: ['a', 'b'] };
      const { next: cursor } = (await check(acme, 'custom_X', choice)).body;
      const rejected = [
        await check(acme, 'custom_Y', { ...choice, cursor }),
        await check(acme, 'custom_X', { type: 'text', cursor }),
        await check(acme, 'custom_X', { ...choice, choices: ['a'], cursor }),
      ];
      for (const { body } of rejected) expect(body).toEqual(invalid({ '/body/cursor': SAME_LISTING }));
      expect((await check(acme, 'custom_X', { ...choice, cursor })).body.looked_at).toBe(2_000);
      const moved = await acme.get(`/settings/account-ids/check?cursor=${cursor}`);
      expect(moved.body).toEqual(invalid({ '/query/cursor': SAME_LISTING }));
    }, 30_000);
  });

  describe('a check of account ids', () => {
    it('counts ids that are not domain names, and shows examples', async () => {
      const acme = await server.tenant();
      const none = { looked_at: 0, unfit: 0, unfit_examples: [], next: null };
      expect((await acme.get('/settings/account-ids/check')).body).toEqual(none);
      const ids = ['a.example.com', 'bücher.de', 'acme', 'co.uk', '7', 'a b', 'x_y.de', 'z'];
      await acme.sync(...ids.map((account_id) => ({ account_id })));
      const checked = { looked_at: 8, unfit: 6, unfit_examples: ['7', 'a b', 'acme', 'co.uk', 'x_y.de'] };
      expect((await acme.get('/settings/account-ids/check')).body).toEqual({ ...checked, next: null });
    });
  });

  describe('a test of an account id', () => {
    const test = (tenant: Tenant, account_id: unknown) =>
      tenant.call('POST', '/blocked-ids/test', { account_id });
    const BLOCKED = 'account_id blocked by system.';
    const NO_DOMAIN = 'account_id must be a valid domain name.';

    it('shows the pattern that blocks it, and the list of that pattern', async () => {
      const acme = await server.tenant();
      for (const pattern of ['*.test', 'bücher.de', 'null'])
        await acme.call('POST', '/blocked-ids', { pattern });
      const rejected = (account_id: string, pattern: string, list: string) => ({
        account_id,
        is_accepted: false,
        messages: [BLOCKED],
        blocked_by: { pattern, list },
      });
      const answer = await test(acme, ' Shop.TEST ');
      expect([answer.status, answer.body]).toEqual([200, rejected('shop.test', '*.test', 'tenant')]);
      expect((await test(acme, 'NULL')).body).toEqual(rejected('null', 'null', 'system'));
      await acme.call('PATCH', '/settings', { account_ids: 'domain' });
      expect((await test(acme, 'Bücher.de')).body).toEqual(
        rejected('xn--bcher-kva.de', 'bücher.de', 'tenant'),
      );
      expect((await test(acme, 'a.example.com')).body).toEqual({
        account_id: 'a.example.com',
        is_accepted: true,
        messages: [],
        blocked_by: null,
      });
      expect((await test(acme, 'none')).body).toEqual({
        ...rejected('none', 'none', 'system'),
        messages: [NO_DOMAIN, BLOCKED],
      });
      expect((await acme.get('/accounts')).body.data).toEqual([]);
    });

    it.each(['any', 'domain'] as const)(
      'returns the messages of an upsert, in the mode %s',
      async (accountIds) => {
        const acme = await server.tenant({ accountIds });
        await acme.call('POST', '/blocked-ids', { pattern: '*.test' });
        const ids = ['acme', 'a.test', 'a.com', 'none', '', '  ', 'x'.repeat(192), 'Ü.de', '\ud800', 'a/b'];
        for (const account_id of ids) {
          const { body } = await test(acme, account_id);
          const upsert = await server.inject({
            method: 'POST',
            url: '/api/v1_1/account',
            headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
            payload: JSON.stringify({ account_id }),
          });
          const messages = upsert.body.errors ?? [];
          expect([account_id, body.is_accepted, body.messages]).toEqual([
            account_id,
            upsert.status === 200,
            messages,
          ]);
          if (upsert.status !== 200) continue;
          const stored = await acme.get(`/accounts/${encodeURIComponent(body.account_id)}`);
          expect(stored.body.account_id).toBe(body.account_id);
        }
      },
    );

    it.each([
      ['left out', undefined, { '/body/account_id': 'is missing' }],
      ['a number', 7, { '/body/account_id': 'must be string' }],
      ['with a NUL', 'a\0', { '/body/account_id': 'may not contain NUL' }],
      ['very long', 'x'.repeat(1_001), { '/body/account_id': 'must NOT have more than 1000 characters' }],
    ])('is rejected if it is %s', async (_what, account_id, errors) => {
      const acme = await server.tenant();
      const answer = await test(acme, account_id);
      expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
    });

    it('does not conflict with a pattern called test', async () => {
      const acme = await server.tenant();
      const wrong = await acme.get('/blocked-ids/test');
      expect([wrong.status, wrong.headers.allow]).toEqual([405, 'DELETE, POST']);
      await acme.call('POST', '/blocked-ids', { pattern: 'test' });
      await eventually(async () => expect((await test(acme, 'test')).body.is_accepted).toBe(false));
      expect((await acme.call('DELETE', '/blocked-ids/test')).status).toBe(204);
      await eventually(async () => expect((await test(acme, 'test')).body.is_accepted).toBe(true));
    });
  });
});
