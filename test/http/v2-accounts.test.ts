import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { account, at, invalid, problem, useServer } from './v2-server.js';

describe.each(databases)('an account on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  it('is read with its fields in their types and the names that no attribute declares', async () => {
    const acme = await server.tenant();
    await acme.sync(
      { account_id: ' ACME ', parent_account_id: 'Holding', name: 'Acme', licenses: '3', custom_X: 'y' },
      { account_id: 'acme', licenses: '4' },
    );
    const answer = await acme.get('/accounts/acme');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      account_id: 'acme',
      parent_account_id: 'holding',
      name: 'Acme',
      fields: { licenses: 4, custom_X: 'y' },
      undeclared: ['custom_X'],
      revision: 2,
      created_at: at(),
      updated_at: at(1),
      archived_at: null,
    });
  });

  const long = '👩'.repeat(191);
  it.each([
    ['in another case', 'acme', 'ACME'],
    ['with white space around it', 'acme', '%20%09acme%20'],
    ['with a slash', 'a/b', 'a%2Fb'],
    ['with a question mark and a hash', 'a?b#c', 'a%3Fb%23c'],
    ['with a percent sign', 'a%2fb', 'a%252fb'],
    ['with a plus and a space', 'a+b c', 'a+b%20c'],
    ['that is not ASCII, decomposed', 'zoë', encodeURIComponent('ZOE\u0308')],
    ['of 191 characters', long, encodeURIComponent(long)],
  ])('is found by an id %s', async (_what, stored, path) => {
    const acme = await server.tenant();
    await acme.sync({ account_id: stored });
    const answer = await acme.get(`/accounts/${path}`);
    expect([answer.status, answer.body]).toEqual([200, account(stored)]);
  });

  it('is found by both forms of a domain name if ids are domains', async () => {
    const acme = await server.tenant({ accountIds: 'domain' });
    await acme.sync({ account_id: 'münchen.de' });
    for (const id of ['m%C3%BCnchen.de', 'XN--MNCHEN-3YA.de']) {
      expect((await acme.get(`/accounts/${id}`)).body).toEqual(account('xn--mnchen-3ya.de'));
    }
  });

  it('that does not exist is a 404 with its id', async () => {
    const acme = await server.tenant();
    const answer = await acme.get('/accounts/%20NoBody');
    expect([answer.status, answer.body]).toEqual([
      404,
      problem(404, 'not_found', 'There is no account nobody.'),
    ]);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });

  it('with an impossible id does not exist either', async () => {
    const acme = await server.tenant();
    for (const id of ['x'.repeat(1_000), 'x'.repeat(3_000)]) {
      expect((await acme.get(`/accounts/${id}`)).status).toBe(404);
    }
    for (const id of ['a%00b', '%00']) {
      const answer = await acme.get(`/accounts/${id}`);
      expect([answer.status, answer.body]).toEqual([400, invalid({ '/path/id': 'may not contain NUL' })]);
    }
    const answer = await acme.get('/accounts/%ff');
    expect([answer.status, answer.body]).toEqual([
      400,
      problem(400, 'path_invalid', 'The path is not a valid URL.'),
    ]);
  });

  it('is a 304 until it changes', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a', name: 'A' });
    const { etag } = (await acme.get('/accounts/a')).headers as { etag: string };
    expect(etag).toMatch(/^"1-[\w-]{22}"$/);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await acme.get('/accounts/a', { 'if-none-match': tags });
      expect([answer.status, answer.body, answer.headers.etag]).toEqual([304, undefined, etag]);
    }
    expect((await acme.get('/accounts/a', { 'if-none-match': '"other"' })).status).toBe(200);
    await acme.sync({ account_id: 'a', name: 'B' });
    const changed = await acme.get('/accounts/a', { 'if-none-match': etag });
    expect([changed.status, changed.headers.etag === etag]).toEqual([200, false]);
  });

  it('rejects other methods', async () => {
    const acme = await server.tenant();
    const answer = await acme.call('PUT', '/accounts/a', {});
    expect([answer.status, answer.body]).toEqual([
      405,
      problem(405, 'method_not_allowed', 'This path accepts GET and HEAD and PATCH and DELETE only.'),
    ]);
    expect(answer.headers.allow).toBe('GET, HEAD, PATCH, DELETE');
    const list = await acme.call('POST', '/accounts', {});
    expect([list.status, list.headers.allow]).toEqual([405, 'GET, HEAD']);
    const nowhere = await acme.get('/nowhere');
    expect([nowhere.status, nowhere.body]).toEqual([
      404,
      problem(404, 'path_not_found', 'There is nothing at this path.'),
    ]);
  });
});
