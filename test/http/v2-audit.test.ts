import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { at, invalid, type Tenant, useServer } from './v2-server.js';

describe.each(databases)('the audit on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const settings = {
    account_ids: 'any',
    undeclared_fields: 'keep',
    history_days: null,
    rejection_days: null,
    hosts: [],
  };
  const unowned = { owner: null, others: null };
  const text = {
    type: 'text',
    choices: [],
    read_only: false,
    indexed: false,
    ...unowned,
    ...NO_PRESENTATION,
  };
  const summary = (entries: Record<string, unknown>[]) =>
    entries.map(({ via, action, subject, from, to }) => [via, action, subject, from, to]);
  /** Without the first two entries of every tenant: its creation, and that of its key. */
  const entries = async (tenant: Tenant) => (await tenant.get('/audit')).body.data.slice(0, -2);

  it('starts with the creation of the tenant and its key by the operator', async () => {
    const acme = await server.tenant();
    const made = {
      via: 'command line',
      key_id: null,
      user: null,
      source: null,
      request_id: null,
      from: null,
    };
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const scopes = ['sync', 'read', 'admin'];
    expect((await acme.get('/audit')).body).toEqual({
      data: [
        {
          ...made,
          id: expect.stringMatching(/^\d+$/),
          at: time,
          action: 'key.create',
          subject: acme.keyId,
          to: { scopes, label: '', source: 'default', expires_at: null },
        },
        {
          ...made,
          id: expect.stringMatching(/^\d+$/),
          at: time,
          action: 'tenant.create',
          subject: acme.name,
          to: settings,
        },
      ],
      next: null,
    });
  });

  it('lists every change by the API, newest first, with the key and the request', async () => {
    const acme = await server.tenant();
    const calls = [
      ['PATCH', '/settings', { undeclared_fields: 'reject', history_days: 30, rejection_days: 3 }],
      ['PUT', '/attributes/custom_X', { type: 'text' }],
      ['PUT', '/attributes/custom_X', { type: 'choice', choices: ['ö'], read_only: true, indexed: true }],
      ['DELETE', '/attributes/custom_X', undefined],
      ['POST', '/blocked-ids', { pattern: 'x' }],
      ['POST', '/blocked-ids', { pattern: 'x' }],
      ['DELETE', '/blocked-ids/x', undefined],
    ] as const;
    for (const [method, path, body] of calls) {
      await acme.call(method, path, body, { 'x-request-id': `r-${server.now % 1_000}` });
      server.now += 1;
    }
    const key = (await acme.call('POST', '/keys', { scopes: ['read'], label: 'l' })).body;
    const next = (await acme.call('POST', `/keys/${key.id}/rotate`, { overlap_hours: 0 })).body;
    await acme.call('DELETE', `/keys/${next.id}`);
    const found = await entries(acme);
    const choice = { ...text, type: 'choice', choices: ['ö'], read_only: true, indexed: true };
    const made = { scopes: ['read'], label: 'l', source: 'l', expires_at: null };
    const changed = { ...settings, undeclared_fields: 'reject', history_days: 30, rejection_days: 3 };
    expect(summary(found)).toEqual(
      [
        ['settings.change', 'settings', settings, changed],
        ['attribute.set', 'custom_X', null, text],
        ['attribute.set', 'custom_X', text, choice],
        ['attribute.remove', 'custom_X', choice, null],
        ['blocked-id.add', 'x', null, 'x'],
        ['blocked-id.remove', 'x', 'x', null],
        ['key.create', key.id, null, made],
        ['key.create', next.id, null, made],
        ['key.rotate', key.id, null, { successor: next.id, expires_at: at(7) }],
        ['key.revoke', next.id, null, null],
      ]
        .map((entry) => ['api', ...entry])
        .reverse(),
    );
    expect(found.at(-1)).toEqual({
      id: expect.stringMatching(/^\d+$/),
      at: at(),
      via: 'api',
      key_id: acme.keyId,
      user: null,
      source: 'default',
      request_id: 'r-0',
      action: 'settings.change',
      subject: 'settings',
      from: settings,
      to: changed,
    });
    expect(JSON.stringify(found)).not.toContain(key.key);
  });

  it('lists every change on the command line, without a key', async () => {
    const acme = await server.tenant();
    const { directory } = server.store;
    const attribute = { name: 'custom_X', type: 'text', choices: [], readOnly: false } as const;
    const key = { tenantId: acme.id, scopes: ['sync'], label: 'l', createdAt: 1, expiresAt: null } as const;
    const [first, second] = [`${acme.name}-1`, `${acme.name}-2`];
    await directory.changeTenant(acme.id, { hosts: [`${acme.name}.test`] });
    await directory.attributes.set(acme.id, attribute);
    await directory.attributes.remove(acme.id, 'custom_X');
    await directory.blocked.add(acme.id, '*.x');
    await directory.blocked.remove(acme.id, '*.x');
    await directory.keys.add({ ...key, id: first, hash: first });
    await directory.keys.rotate(first, 5, { ...key, id: second, hash: second, expiresAt: 9 });
    await directory.keys.revoke(acme.id, second, 7);
    const made = { scopes: ['sync'], label: 'l', source: 'l', expires_at: null };
    const found = await entries(acme);
    expect(summary(found)).toEqual(
      [
        ['settings.change', 'settings', settings, { ...settings, hosts: [`${acme.name}.test`] }],
        ['attribute.set', 'custom_X', null, text],
        ['attribute.remove', 'custom_X', text, null],
        ['blocked-id.add', '*.x', null, '*.x'],
        ['blocked-id.remove', '*.x', '*.x', null],
        ['key.create', first, null, made],
        ['key.create', second, null, { ...made, expires_at: '1970-01-01T00:00:00.009Z' }],
        ['key.rotate', first, null, { successor: second, expires_at: '1970-01-01T00:00:00.005Z' }],
        ['key.revoke', second, null, null],
      ]
        .map((entry) => ['command line', ...entry])
        .reverse(),
    );
    for (const entry of found)
      expect(entry).toMatchObject({ key_id: null, user: null, source: null, request_id: null });
  });

  it('has no entry if nothing was changed', async () => {
    const acme = await server.tenant();
    const rejected = await Promise.all([
      acme.call('PATCH', '/settings', {}),
      acme.call('PUT', '/attributes/x', { type: 'text' }),
      acme.call('DELETE', '/attributes/custom_X'),
      acme.call('DELETE', '/blocked-ids/x'),
      acme.call('DELETE', `/keys/${acme.keyId}`),
    ]);
    expect(rejected.map(({ status }) => status)).toEqual([400, 400, 404, 404, 409]);
    await acme.sync({ account_id: 'a' });
    expect(await entries(acme)).toEqual([]);
  });

  it('has pages, and accepts only its own cursors', async () => {
    const acme = await server.tenant();
    for (let i = 0; i < 5; i += 1) await acme.call('POST', '/blocked-ids', { pattern: `x-${i}` });
    const all = (await acme.get('/audit?limit=1000')).body.data;
    expect(all).toHaveLength(7);
    for (const limit of [1, 3, 7]) expect(await acme.all('/audit', limit)).toEqual(all);
    const { next } = (await acme.get('/audit?limit=1')).body;
    for (const path of ['/rejections', '/accounts']) {
      expect((await acme.get(`${path}?cursor=${next}`)).body).toEqual(
        invalid({ '/query/cursor': 'must be the `next` of a page of this same listing' }),
      );
    }
    expect((await acme.get('/audit?limit=x')).body).toEqual(invalid({ '/query/limit': 'must be integer' }));
  });
});
