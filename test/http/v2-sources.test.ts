import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { at, eventually, invalid, NOON, problem, type Tenant, useServer } from './v2-server.js';

const DAY = 86_400;
const NAME_RULE = 'must have lower-case letters, digits and hyphens, 63 at most, and not begin with a hyphen';

describe.each(databases)('a source on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const source = (name: string, given: object = {}) => ({
    name,
    label: name,
    expect_every_seconds: null,
    grace_seconds: 0,
    is_tracked: false,
    is_late: false,
    last_finished_at: null,
    next_expected_at: null,
    created_at: at(),
    recent_runs: [],
    ...given,
  });
  const put = async (tenant: Tenant, name: string, body: unknown = {}) => {
    const answer = await tenant.call('PUT', `/sources/${name}`, body);
    return [answer.status, answer.body];
  };
  const listed = async (tenant: Tenant) => (await tenant.get('/sources')).body;
  const names = async (tenant: Tenant) =>
    (await listed(tenant)).data.map((one: { name: string }) => one.name);
  const makeKey = async (tenant: Tenant, given: object = {}) => {
    const { status, body } = await tenant.call('POST', '/keys', { scopes: ['sync', 'read'], ...given });
    expect(status).toBe(201);
    return body as { id: string; key: string; source: string };
  };
  const sourceOfKey = async (tenant: Tenant, id: string) =>
    (await tenant.get('/keys')).body.data.find((key: { id: string }) => key.id === id)?.source;

  it('exists for the first key of a tenant', async () => {
    const acme = await server.tenant();
    expect(await listed(acme)).toEqual({ data: [source('default', { created_at: expect.any(String) })] });
    expect(await sourceOfKey(acme, acme.keyId)).toBe('default');
  });

  it('is created, read, changed and removed', async () => {
    const acme = await server.tenant();
    server.now += 5;
    const plain = source('crm', { created_at: at(5) });
    expect(await put(acme, 'crm')).toEqual([201, plain]);
    expect(await put(acme, 'crm')).toEqual([200, plain]);
    server.now += 1_000;
    const expected = {
      ...plain,
      label: 'Salesforce – Zürich',
      expect_every_seconds: DAY,
      grace_seconds: 7_200,
      next_expected_at: at(1_005 + DAY * 1_000),
    };
    const sent = { label: 'Salesforce – Zürich', expect_every_seconds: DAY, grace_seconds: 7_200 };
    expect(await put(acme, 'crm', sent)).toEqual([200, expected]);
    const read = await acme.get('/sources/crm');
    expect([read.status, read.body]).toEqual([200, expected]);
    expect((await listed(acme)).data[0]).toEqual(expected);
    expect(await names(acme)).toEqual(['crm', 'default']);
    const removed = await acme.call('DELETE', '/sources/crm');
    expect([removed.status, removed.body]).toEqual([204, undefined]);
    expect(await names(acme)).toEqual(['default']);
    for (const again of [await acme.get('/sources/crm'), await acme.call('DELETE', '/sources/crm')]) {
      expect([again.status, again.body]).toEqual([404, problem(404, 'not_found', 'There is no source crm.')]);
    }
  });

  it('keeps what a change does not send', async () => {
    const acme = await server.tenant();
    const all = { label: 'CRM', expect_every_seconds: 3_600, grace_seconds: 60 };
    const next = { next_expected_at: at(3_600_000) };
    expect(await put(acme, 'crm', all)).toEqual([201, source('crm', { ...all, ...next })]);
    expect(await put(acme, 'crm', { label: 'New' })).toEqual([
      200,
      source('crm', { ...all, ...next, label: 'New' }),
    ]);
    expect(await put(acme, 'crm', { grace_seconds: 0 })).toEqual([
      200,
      source('crm', { ...all, ...next, label: 'New', grace_seconds: 0 }),
    ]);
    expect(await put(acme, 'crm', { expect_every_seconds: null })).toEqual([
      200,
      source('crm', { label: 'New' }),
    ]);
  });

  it.each([
    [{ label: '' }, { '/body/label': 'must NOT have fewer than 1 characters' }],
    [{ label: 'x'.repeat(201) }, { '/body/label': 'must NOT have more than 200 characters' }],
    [{ label: 'a\0' }, { '/body/label': 'may not contain NUL' }],
    [{ expect_every_seconds: 59 }, { '/body/expect_every_seconds': 'must be >= 60' }],
    [{ expect_every_seconds: 1e12 }, { '/body/expect_every_seconds': `must be <= ${366 * DAY}` }],
    [{ expect_every_seconds: 90.5 }, { '/body/expect_every_seconds': 'must be integer or null' }],
    [{ expect_every_seconds: '60' }, { '/body/expect_every_seconds': 'must be integer or null' }],
    [{ grace_seconds: -1 }, { '/body/grace_seconds': 'must be >= 0' }],
    [{ grace_seconds: null }, { '/body/grace_seconds': 'must be integer' }],
    [
      { is_late: false, name: 'x' },
      { '/body/is_late': 'is not known here', '/body/name': 'is not known here' },
    ],
  ])('is not created by %j', async (body, errors) => {
    const acme = await server.tenant();
    expect(await put(acme, 'crm', body)).toEqual([400, invalid(errors as Record<string, string>)]);
    expect(await names(acme)).toEqual(['default']);
  });

  it.each(['CRM', '-crm', 'my_crm', 'cr m', 'größe', 'crm.eu', 'x'.repeat(64), '..%2fcrm'])(
    'is not called %s',
    async (name) => {
      const acme = await server.tenant();
      const answer = await put(acme, encodeURI(name).replace('%25', '%'));
      expect(answer).toEqual([400, invalid({ '/path/name': NAME_RULE })]);
      expect(await names(acme)).toEqual(['default']);
    },
  );

  it.each(['a', '0', 'a-', 'x'.repeat(63)])('may be called %s', async (name) => {
    const acme = await server.tenant();
    expect(await put(acme, name)).toEqual([201, source(name)]);
  });

  it('of one tenant is not visible to another', async () => {
    const [acme, other] = [await server.tenant(), await server.tenant()];
    await put(acme, 'crm', { label: 'Ours' });
    expect((await other.get('/sources/crm')).status).toBe(404);
    expect((await other.call('DELETE', '/sources/crm')).status).toBe(404);
    expect(await put(other, 'crm', { label: 'Theirs' })).toEqual([201, source('crm', { label: 'Theirs' })]);
    expect((await acme.get('/sources/crm')).body).toEqual(source('crm', { label: 'Ours' }));
    expect((await other.call('DELETE', '/sources/crm')).status).toBe(204);
    expect(await names(acme)).toEqual(['crm', 'default']);
  });

  it('is changed with the scope admin only, and read with the scope read', async () => {
    const acme = await server.tenant();
    await put(acme, 'crm');
    const byReader = { authorization: `Bearer ${await acme.addKey(['read'])}` };
    const bySync = { authorization: `Bearer ${await acme.addKey(['sync'])}` };
    const status = async (method: 'GET' | 'PUT' | 'DELETE', headers: Record<string, string>, path = '/crm') =>
      (await acme.call(method, `/sources${path}`, method === 'PUT' ? {} : undefined, headers)).status;
    expect([await status('GET', byReader), await status('GET', byReader, '')]).toEqual([200, 200]);
    expect([await status('PUT', byReader), await status('DELETE', byReader)]).toEqual([403, 403]);
    expect([await status('GET', bySync), await status('GET', bySync, '')]).toEqual([403, 403]);
    expect(await names(acme)).toContain('crm');
  });

  it('is one of at most 200', async () => {
    const acme = await server.tenant();
    const all = Array.from({ length: 199 }, (_, i) => `s${i}`);
    for (const name of all) await server.store.directory.sources.set(acme.id, name, {}, undefined);
    const [status, body] = await put(acme, 'one-more');
    const detail = 'A tenant may not have more than 200 sources. Remove one that is no longer needed first.';
    expect([status, body]).toEqual([409, problem(409, 'too_many_sources', detail)]);
    // The label of a key would create one, too.
    const key = await acme.call('POST', '/keys', { scopes: ['sync'], label: 'one more' });
    expect([key.status, key.body.code]).toEqual([409, 'too_many_sources']);
    expect((await acme.get('/keys')).body.data).toHaveLength(1);
    expect((await put(acme, 's7', { label: 'changed' }))[0]).toBe(200);
    expect((await names(acme)).length).toBe(200);
    expect((await acme.call('DELETE', '/sources/s7')).status).toBe(204);
    expect((await put(acme, 'one-more'))[0]).toBe(201);
  });

  it('is one of at most 200, also if many are created at the same time', async () => {
    const acme = await server.tenant();
    const all = Array.from({ length: 195 }, (_, i) => `s${i}`);
    for (const name of all) await server.store.directory.sources.set(acme.id, name, {}, undefined);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => put(acme, `more-${i}`)));
    expect(answers.map(([status]) => status).sort()).toEqual([...Array(4).fill(201), ...Array(6).fill(409)]);
    expect((await names(acme)).length).toBe(200);
  });

  it('is audited, with what it was and what it became', async () => {
    const acme = await server.tenant();
    await put(acme, 'crm', { label: 'CRM' });
    await put(acme, 'crm', { expect_every_seconds: 60, grace_seconds: 1 });
    await acme.call('DELETE', '/sources/crm');
    const { data } = (await acme.get('/audit')).body;
    const was = { label: 'CRM', expect_every_seconds: null, grace_seconds: 0, is_tracked: false };
    const became = { label: 'CRM', expect_every_seconds: 60, grace_seconds: 1, is_tracked: false };
    const of = data.filter(({ action }: { action: string }) => action.startsWith('source.'));
    expect(
      of.map(({ action, subject, from, to, key_id }: Record<string, unknown>) => [
        action,
        subject,
        from,
        to,
        key_id,
      ]),
    ).toEqual([
      ['source.remove', 'crm', became, null, acme.keyId],
      ['source.set', 'crm', was, became, acme.keyId],
      ['source.set', 'crm', null, was, acme.keyId],
    ]);
  });

  describe('of a key', () => {
    it('is the one that is named, which has to exist', async () => {
      const acme = await server.tenant();
      const other = await server.tenant();
      await put(acme, 'crm');
      expect((await makeKey(acme, { source: 'crm', label: 'Nightly' })).source).toBe('crm');
      expect(await names(acme)).toEqual(['crm', 'default']);
      for (const [tenant, name, label] of [
        [acme, 'erp', ''],
        [acme, 'erp', 'ERP'],
        [acme, '', ''],
        [acme, 'CRM', 'crm'],
        [other, 'crm', 'crm'],
      ] as const) {
        const answer = await tenant.call('POST', '/keys', { scopes: ['sync'], source: name, label });
        expect([answer.status, answer.body]).toEqual([
          409,
          problem(409, 'unknown_source', `There is no source ${name}.`),
        ]);
        expect((await tenant.get('/keys')).body.data).toHaveLength(tenant === acme ? 2 : 1);
      }
      expect([await names(acme), await names(other)]).toEqual([['crm', 'default'], ['default']]);
    });

    it('is named after its label otherwise, and created if it is missing', async () => {
      const acme = await server.tenant();
      expect((await makeKey(acme, { label: 'Für die Uhr (EU)' })).source).toBe('fur-die-uhr-eu');
      server.now += 9;
      expect((await makeKey(acme, { label: 'fur die Uhr: EU' })).source).toBe('fur-die-uhr-eu');
      expect((await makeKey(acme, { label: '日本' })).source).toBe('default');
      expect((await makeKey(acme)).source).toBe('default');
      expect(await names(acme)).toEqual(['default', 'fur-die-uhr-eu']);
      expect((await acme.get('/sources/fur-die-uhr-eu')).body).toEqual(
        source('fur-die-uhr-eu', { label: 'Für die Uhr (EU)' }),
      );
    });

    it('stays when the key is rotated', async () => {
      const acme = await server.tenant();
      await put(acme, 'crm');
      const old = await makeKey(acme, { source: 'crm', label: 'Nightly' });
      const rotated = await acme.call('POST', `/keys/${old.id}/rotate`);
      expect(rotated.body.source).toBe('crm');
      expect(await names(acme)).toEqual(['crm', 'default']);
    });

    it('changes with the key, and its next requests belong to the new one', async () => {
      const acme = await server.tenant();
      await put(acme, 'crm');
      const key = await makeKey(acme, { label: 'nightly' });
      const moved = await acme.call('PATCH', `/keys/${key.id}`, { source: 'crm' });
      const { key: _secret, ...shown } = { ...key, source: 'crm' };
      expect([moved.status, moved.body]).toEqual([200, shown]);
      expect(await sourceOfKey(acme, key.id)).toBe('crm');
      await eventually(async () => {
        const run = await acme.call('POST', '/runs', undefined, { authorization: `Bearer ${key.key}` });
        expect([run.status, run.body.source]).toEqual([201, 'crm']);
      });
      expect((await acme.call('DELETE', '/sources/nightly')).status).toBe(204);
    });

    it('is not changed to one that does not exist, nor by bad input', async () => {
      const [acme, other] = [await server.tenant(), await server.tenant()];
      await put(other, 'theirs');
      const unknown = await acme.call('PATCH', `/keys/${acme.keyId}`, { source: 'theirs' });
      expect([unknown.status, unknown.body]).toEqual([
        409,
        problem(409, 'unknown_source', 'There is no source theirs.'),
      ]);
      for (const [body, errors] of [
        [{}, { '/body/source': 'is missing' }],
        [{ source: null }, { '/body/source': 'must be string' }],
        [{ source: 'default', label: 'x' }, { '/body/label': 'is not known here' }],
      ] as const) {
        const answer = await acme.call('PATCH', `/keys/${acme.keyId}`, body);
        expect([answer.status, answer.body]).toEqual([400, invalid(errors)]);
      }
      for (const id of ['nobody', other.keyId]) {
        const answer = await acme.call('PATCH', `/keys/${id}`, { source: 'default' });
        expect([answer.status, answer.body]).toEqual([
          404,
          problem(404, 'not_found', `There is no key ${id}.`),
        ]);
      }
      const revoked = await makeKey(acme);
      await acme.call('DELETE', `/keys/${revoked.id}`);
      const answer = await acme.call('PATCH', `/keys/${revoked.id}`, { source: 'default' });
      expect([answer.status, answer.body.code]).toEqual([409, 'key_not_live']);
      expect(await sourceOfKey(acme, acme.keyId)).toBe('default');
    });

    it('is not removed while the key is live', async () => {
      const acme = await server.tenant();
      const remove = () => acme.call('DELETE', '/sources/crm');
      const rejected = async (id: string) => {
        const detail = `The key ${id} belongs to the source crm. Revoke it, or give it another source first.`;
        const answer = await remove();
        expect([answer.status, answer.body]).toEqual([409, problem(409, 'source_in_use', detail)]);
      };
      const expiring = await makeKey(acme, { label: 'crm', expires_at: at(1_000) });
      await rejected(expiring.id);
      server.now = NOON + 1_000;
      const revoked = await makeKey(acme, { label: 'crm' });
      await rejected(revoked.id);
      expect((await acme.call('DELETE', `/keys/${revoked.id}`)).status).toBe(204);
      expect((await remove()).status).toBe(204);
      expect(await names(acme)).toEqual(['default']);
    });
  });

  it('shows its latest 20 runs, newest first, and keeps them when it is removed', async () => {
    const acme = await server.tenant();
    const key = await makeKey(acme, { label: 'crm' });
    const byKey = { authorization: `Bearer ${key.key}` };
    const runs: Record<string, unknown>[] = [];
    for (let i = 0; i < 21; i += 1) {
      server.now = NOON + i;
      const { body } = await acme.call('POST', '/runs', undefined, byKey);
      const { fields: _fields, undone_by: _undoneBy, ...run } = body;
      runs.unshift(run);
    }
    await acme.call('POST', '/runs');
    const found = await acme.get('/sources/crm');
    expect(found.body).toEqual(source('crm', { recent_runs: runs.slice(0, 20) }));
    expect((await listed(acme)).data[0]).toEqual(found.body);
    await acme.call('DELETE', `/keys/${key.id}`);
    expect((await acme.call('DELETE', '/sources/crm')).status).toBe(204);
    expect((await acme.get('/runs?source=crm')).body).toEqual({ data: runs, next: null });
  });
});
