import { describe, expect, it } from 'vitest';
import { SYSTEM_BLOCKED_IDS } from '../../dist/domain/blocked-ids.js';
import { databases } from '../support/databases.js';
import { at, eventually, invalid, problem, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const send = async (tenant: Tenant, account_id: string, fields: object = {}) => {
    const { status } = await server.inject({
      method: 'POST',
      url: '/api/v1_1/account',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ account_id, ...fields }),
    });
    return status;
  };

  describe('settings', () => {
    it('are read and changed independently', async () => {
      const acme = await server.tenant({ hosts: ['b.test', 'a.test'] });
      await server.store.directory.changeTenant(acme.id, { hosts: [`${acme.name}.test`] });
      const settings = {
        tenant: acme.name,
        account_ids: 'any',
        undeclared_fields: 'keep',
        hosts: [`${acme.name}.test`],
        history_days: null,
        rejection_days: null,
        created_at: at(),
      };
      expect((await acme.get('/settings')).body).toEqual(settings);
      const strict = await acme.call('PATCH', '/settings', { undeclared_fields: 'reject' });
      expect([strict.status, strict.body]).toEqual([200, { ...settings, undeclared_fields: 'reject' }]);
      const domains = await acme.call('PATCH', '/settings', { account_ids: 'domain' });
      const changed = { ...settings, undeclared_fields: 'reject', account_ids: 'domain' };
      expect(domains.body).toEqual(changed);
      expect((await acme.get('/settings')).body).toEqual(changed);
      const days = await acme.call('PATCH', '/settings', { history_days: 36_500, rejection_days: 90 });
      expect(days.body).toEqual({ ...changed, history_days: 36_500, rejection_days: 90 });
      const ever = await acme.call('PATCH', '/settings', { history_days: null });
      expect(ever.body).toEqual({ ...changed, rejection_days: 90 });
      expect((await acme.call('PATCH', '/settings', { rejection_days: null })).body).toEqual(changed);
    });

    it('take effect within a second', async () => {
      const acme = await server.tenant();
      expect(await send(acme, 'a', { custom_X: 1 })).toBe(200);
      await acme.call('PATCH', '/settings', { undeclared_fields: 'reject' });
      await eventually(async () => expect(await send(acme, 'a', { custom_X: 1 })).toBe(400));
      await acme.call('PATCH', '/settings', { undeclared_fields: 'keep', account_ids: 'domain' });
      await eventually(async () => expect(await send(acme, 'a.com', { custom_X: 1 })).toBe(200));
      expect(await send(acme, 'a')).toBe(400);
    });

    it.each([
      [undefined, { '/body': 'must be object' }],
      [{}, { '/body': 'must NOT have fewer than 1 properties' }],
      [
        { account_ids: 'all', undeclared_fields: true, hosts: [] },
        {
          '/body/hosts': 'is not known here',
          '/body/account_ids': 'must be one of any, domain',
          '/body/undeclared_fields': 'must be one of keep, reject',
        },
      ],
      [{ history_days: 0 }, { '/body/history_days': 'must be >= 1' }],
      [
        { history_days: 36_501, rejection_days: 91 },
        {
          '/body/history_days': 'must be <= 36500',
          '/body/rejection_days': 'must be <= 90',
        },
      ],
      [
        { history_days: 1.5, rejection_days: '7' },
        {
          '/body/history_days': 'must be integer or null',
          '/body/rejection_days': 'must be integer or null',
        },
      ],
    ])('are not changed by %j', async (body, errors) => {
      const acme = await server.tenant();
      const before = (await acme.get('/settings')).body;
      const answer = await acme.call('PATCH', '/settings', body);
      expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
      expect((await acme.get('/settings')).body).toEqual(before);
    });

    it('reject other methods', async () => {
      const acme = await server.tenant();
      const answer = await acme.call('PUT', '/settings', {});
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, PATCH']);
    });
  });

  describe('blocked ids', () => {
    it('are listed with those of the system, added once and removed', async () => {
      const acme = await server.tenant();
      const none = { data: [], system: [...SYSTEM_BLOCKED_IDS] };
      expect((await acme.get('/blocked-ids')).body).toEqual(none);
      for (const status of [201, 200]) {
        const answer = await acme.call('POST', '/blocked-ids', { pattern: ' *.TEST ' });
        expect([answer.status, answer.body]).toEqual([status, { pattern: '*.test' }]);
      }
      await acme.call('POST', '/blocked-ids', { pattern: 'a/ä' });
      expect((await acme.get('/blocked-ids')).body).toEqual({ ...none, data: ['*.test', 'a/ä'] });
      for (const path of ['*.Test', 'A%2F%C3%84']) {
        const removed = await acme.call('DELETE', `/blocked-ids/${path}`);
        expect([removed.status, removed.body]).toEqual([204, undefined]);
      }
      expect((await acme.get('/blocked-ids')).body).toEqual(none);
      for (const pattern of ['*.test', 'null']) {
        const answer = await acme.call('DELETE', `/blocked-ids/${pattern}`);
        expect([answer.status, answer.body]).toEqual([
          404,
          problem(404, 'not_found', `There is no blocked id ${pattern}.`),
        ]);
      }
    });

    it('take effect within a second, and do not change stored accounts', async () => {
      const acme = await server.tenant();
      await acme.sync({ account_id: 'a.test' });
      await acme.call('POST', '/blocked-ids', { pattern: '*.test' });
      await eventually(async () => expect(await send(acme, 'b.test')).toBe(400));
      expect((await acme.get('/accounts/a.test')).status).toBe(200);
      await acme.call('DELETE', '/blocked-ids/*.test');
      await eventually(async () => expect(await send(acme, 'b.test')).toBe(200));
    });

    it.each([
      [{}, { '/body/pattern': 'is missing' }],
      [{ pattern: '' }, { '/body/pattern': 'must NOT have fewer than 1 characters' }],
      [{ pattern: 'x'.repeat(192) }, { '/body/pattern': 'must NOT have more than 191 characters' }],
      [
        { pattern: '  ' },
        { '/body/pattern': 'must be an exact id without *, or a suffix such as *.example.com' },
      ],
      [
        { pattern: 'foo*' },
        { '/body/pattern': 'must be an exact id without *, or a suffix such as *.example.com' },
      ],
      [
        { pattern: '*.' },
        { '/body/pattern': 'must be an exact id without *, or a suffix such as *.example.com' },
      ],
      [{ pattern: 'a\0b' }, { '/body/pattern': 'may not contain NUL' }],
      [
        { pattern: 7, why: '' },
        { '/body/why': 'is not known here', '/body/pattern': 'must be string' },
      ],
    ])('are not added by %j', async (body, errors) => {
      const acme = await server.tenant();
      const answer = await acme.call('POST', '/blocked-ids', body);
      expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
      expect((await acme.get('/blocked-ids')).body.data).toEqual([]);
    });
  });
});
