import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { at, eventually, invalid, NOON, problem, type Tenant, useServer } from './v2-server.js';

const HOUR = 3_600_000;

describe.each(databases)('a key on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const key = (id: unknown, given: object = {}) => ({
    id,
    state: 'live',
    scopes: ['sync', 'read', 'admin'],
    label: '',
    source: 'default',
    created_at: at(),
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    ...given,
  });
  const use = async (value: string, path = '/accounts') =>
    (await server.inject({ url: `/api/v2${path}`, headers: { authorization: `Bearer ${value}` } })).status;
  const ids = async (tenant: Tenant) =>
    (await tenant.get('/keys')).body.data.map(({ id, state }: { id: string; state: string }) => [id, state]);

  it('is created, shown once, usable immediately for its scopes, and listed without the secret', async () => {
    const acme = await server.tenant();
    server.now += 5;
    const made = await acme.call('POST', '/keys', {
      scopes: ['read', 'read'],
      label: 'für die Uhr',
      expires_at: '2027-02-01T01:00:00+01:00',
    });
    const shown = key(made.body.id, {
      scopes: ['read'],
      label: 'für die Uhr',
      source: 'fur-die-uhr',
      created_at: at(5),
      expires_at: at(12 * HOUR),
    });
    expect([made.status, made.body]).toEqual([
      201,
      { ...shown, key: expect.stringMatching(/^acs_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/) },
    ]);
    expect((await acme.get('/keys')).body).toEqual({ data: [key(acme.keyId), shown] });
    expect([await use(made.body.key), await use(made.body.key, '/keys')]).toEqual([200, 403]);
    const plain = await acme.call('POST', '/keys', { scopes: ['sync'], expires_at: null });
    expect(plain.body).toEqual({
      ...key(plain.body.id, { scopes: ['sync'], created_at: at(5) }),
      key: expect.any(String),
    });
    server.now = NOON + 12 * HOUR;
    expect(await use(made.body.key)).toBe(401);
    const { data } = (await acme.get('/keys')).body;
    expect(data.find((one: { id: string }) => one.id === made.body.id)).toEqual({
      ...shown,
      state: 'expired',
    });
  });

  it.each([
    [{}, { '/body/scopes': 'is missing' }],
    [{ scopes: [] }, { '/body/scopes': 'must NOT have fewer than 1 items' }],
    [{ scopes: ['write'] }, { '/body/scopes/0': 'must be one of sync, read, admin' }],
    [
      { scopes: 'read', label: 'x'.repeat(201), tenant: 'other' },
      {
        '/body/tenant': 'is not known here',
        '/body/scopes': 'must be array',
        '/body/label': 'must NOT have more than 200 characters',
      },
    ],
    [{ scopes: ['read'], label: 'a\0' }, { '/body/label': 'may not contain NUL' }],
    [
      { scopes: ['read'], expires_at: 'soon' },
      { '/body/expires_at': 'must be a timestamp such as 2027-01-31T12:00:00Z' },
    ],
    [{ scopes: ['read'], expires_at: '2027-01-31T12:00:00Z' }, { '/body/expires_at': 'has passed already' }],
  ])('is not created by %j', async (body, errors) => {
    const acme = await server.tenant();
    const answer = await acme.call('POST', '/keys', body);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
    expect(await ids(acme)).toEqual([[acme.keyId, 'live']]);
  });

  it('is revoked, and rejected within a second', async () => {
    const acme = await server.tenant();
    const { body } = await acme.call('POST', '/keys', { scopes: ['read'] });
    expect(await use(body.key)).toBe(200);
    server.now += 7;
    const revoked = await acme.call('DELETE', `/keys/${body.id}`);
    expect([revoked.status, revoked.body]).toEqual([204, undefined]);
    await eventually(async () => expect(await use(body.key)).toBe(401));
    const { data } = (await acme.get('/keys')).body;
    expect(data.find((one: { id: string }) => one.id === body.id)).toEqual(
      key(body.id, { scopes: ['read'], state: 'revoked', revoked_at: at(7) }),
    );
    for (const [method, path] of [
      ['DELETE', `/keys/${body.id}`],
      ['POST', `/keys/${body.id}/rotate`],
    ] as const) {
      const again = await acme.call(method, path, method === 'POST' ? {} : undefined);
      expect([again.status, again.body]).toEqual([
        409,
        problem(409, 'key_not_live', `The key ${body.id} is revoked already.`),
      ]);
    }
  });

  it('that does not exist or belongs to another tenant is a 404', async () => {
    const [acme, other] = [await server.tenant(), await server.tenant()];
    for (const id of ['nobody', other.keyId]) {
      for (const answer of [
        await acme.call('DELETE', `/keys/${id}`),
        await acme.call('POST', `/keys/${id}/rotate`, {}),
      ]) {
        expect([answer.status, answer.body]).toEqual([
          404,
          problem(404, 'not_found', `There is no key ${id}.`),
        ]);
      }
    }
    expect(await ids(other)).toEqual([[other.keyId, 'live']]);
  });

  it('that is the last one with the scope admin cannot be revoked', async () => {
    const acme = await server.tenant();
    await acme.call('POST', '/keys', { scopes: ['sync', 'read'] });
    const soon = await acme.call('POST', '/keys', { scopes: ['admin'], expires_at: at(1_000) });
    const gone = await acme.call('POST', '/keys', { scopes: ['admin'] });
    expect((await acme.call('DELETE', `/keys/${gone.body.id}`)).status).toBe(204);
    server.now += 1_000;
    const answer = await acme.call('DELETE', `/keys/${acme.keyId}`);
    expect([answer.status, answer.body]).toEqual([
      409,
      problem(
        409,
        'last_admin_key',
        `${acme.keyId} is the last key with the scope admin. Make another first.`,
      ),
    ]);
    expect((await acme.call('DELETE', `/keys/${soon.body.id}`)).status).toBe(409);
    const next = await acme.call('POST', '/keys', { scopes: ['admin'] });
    expect((await acme.call('DELETE', `/keys/${acme.keyId}`)).status).toBe(204);
    const byNext = { authorization: `Bearer ${next.body.key}` };
    const last = await acme.call('DELETE', `/keys/${next.body.id}`, undefined, byNext);
    expect(last.status).toBe(409);
  });

  it('with the scope admin stays if two keys revoke each other concurrently', async () => {
    const acme = await server.tenant();
    const other = await acme.call('POST', '/keys', { scopes: ['admin'] });
    const answers = await Promise.all([
      acme.call('DELETE', `/keys/${other.body.id}`),
      acme.call('DELETE', `/keys/${acme.keyId}`, undefined, { authorization: `Bearer ${other.body.key}` }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });

  it('is replaced by another with its scopes, label and source, and stays valid for the overlap', async () => {
    const acme = await server.tenant();
    const old = (await acme.call('POST', '/keys', { scopes: ['read'], label: 'l' })).body;
    const rotated = await acme.call('POST', `/keys/${old.id}/rotate`);
    expect([rotated.status, rotated.body]).toEqual([
      201,
      {
        ...key(rotated.body.id, { scopes: ['read'], label: 'l', source: 'l' }),
        key: expect.stringMatching(/^acs_/),
        replaced: { id: old.id, expires_at: at(24 * HOUR) },
      },
    ]);
    expect(rotated.body.id).not.toBe(old.id);
    expect([await use(old.key), await use(rotated.body.key)]).toEqual([200, 200]);
    server.now += 24 * HOUR - 1;
    await eventually(async () => expect(await ids(acme)).toHaveLength(3));
    expect(await use(old.key)).toBe(200);
    server.now += 1;
    await eventually(async () => expect(await use(old.key)).toBe(401));
    expect(await use(rotated.body.key)).toBe(200);
  });

  it('is replaced without overlap, or with another expiry, if requested', async () => {
    const acme = await server.tenant();
    const make = async () =>
      (await acme.call('POST', '/keys', { scopes: ['read'], expires_at: at(HOUR) })).body;
    const rotate = async (id: string, body: object) =>
      (await acme.call('POST', `/keys/${id}/rotate`, body)).body;
    const first = await make();
    expect(await rotate(first.id, {})).toMatchObject({
      expires_at: at(HOUR),
      replaced: { id: first.id, expires_at: at(HOUR) },
    });
    const second = await make();
    expect(await rotate(second.id, { overlap_hours: 0.5, expires_at: null })).toMatchObject({
      expires_at: null,
      replaced: { id: second.id, expires_at: at(HOUR / 2) },
    });
    const third = await make();
    expect(await rotate(third.id, { overlap_hours: 0, expires_at: at(2 * HOUR) })).toMatchObject({
      expires_at: at(2 * HOUR),
      replaced: { id: third.id, expires_at: at() },
    });
    await eventually(async () => expect(await use(third.key)).toBe(401));
    const fourth = await make();
    const errors = { '/body/overlap_hours': 'must be >= 0', '/body/more': 'is not known here' };
    const rejected = await acme.call('POST', `/keys/${fourth.id}/rotate`, { overlap_hours: -1, more: 1 });
    expect(rejected.body.errors).toHaveLength(2);
    expect(
      Object.fromEntries(
        rejected.body.errors.map((one: { pointer: string; detail: string }) => [one.pointer, one.detail]),
      ),
    ).toEqual(errors);
  });
});
