import type { IncomingHttpHeaders } from 'node:http';
import { AccountSync, NotFoundError, RefusedError } from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import { all, cut, json, problem, ScriptedServer } from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server?.stop());

const account = (account_id: string) => ({
  account_id,
  parent_account_id: null,
  name: 'Acme',
  fields: { licenses: 3 },
  undeclared: [],
  revision: 1,
  created_at: '2026-05-31T10:20:30.000Z',
  updated_at: '2026-05-31T10:20:30.000Z',
  archived_at: null,
});
const missing = problem(404, 'not-found', 'There is no such account.');

describe('a list', () => {
  it('is read page by page on demand, also with an empty page', async () => {
    server = await ScriptedServer.start([
      json(200, { data: [account('a'), account('b')], next: 'c/1 =' }),
      json(200, { data: [], next: 'c2' }),
      json(200, { data: [account('c')], next: null }),
    ]);
    const accounts = server.client().list({ attribute: 'custom_Tier:gold & co', limit: 2 });
    expect((await accounts.next()).value).toEqual(account('a'));
    expect(server.seen).toHaveLength(1);
    expect(await all(accounts)).toEqual([account('b'), account('c')]);
    const first = '/api/v2/accounts?limit=2&attribute=custom_Tier%3Agold+%26+co';
    expect(server.seen).toEqual([`GET ${first}`, `GET ${first}&cursor=c%2F1+%3D`, `GET ${first}&cursor=c2`]);
  });

  it('of a subtree has the cycle of any of its pages', async () => {
    const entry = { depth: 1, account: account('b') };
    server = await ScriptedServer.start([
      json(200, { data: [entry], next: 'c1', cycle: ['a', 'b', 'a'] }),
      json(200, { data: [entry], next: null, cycle: null }),
    ]);
    const subtree = server.client().subtree('a');
    expect(await all(subtree)).toEqual([entry, entry]);
    expect(subtree.cycle).toEqual(['a', 'b', 'a']);
  });

  it('of an account that does not exist fails', async () => {
    server = await ScriptedServer.start([missing]);
    await expect(all(server.client().children('a'))).rejects.toBeInstanceOf(NotFoundError);
    await expect(all(server.client().history('a'))).rejects.toBeInstanceOf(NotFoundError);
    await expect(all(server.client().subtree('a'))).rejects.toBeInstanceOf(NotFoundError);
    await expect(server.client().ancestors('a')).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe('one account', () => {
  it('is returned, or undefined if there is none', async () => {
    server = await ScriptedServer.start([json(200, account('a')), missing]);
    expect(await server.client().get('a')).toEqual(account('a'));
    expect(await server.client().get('b')).toBeUndefined();
  });

  it('is not reported as missing by a server without this operation', async () => {
    const elsewhere = {
      success: false,
      errors: ['There is nothing at this path.'],
      errors_by_attributes: [],
    };
    server = await ScriptedServer.start([json(404, elsewhere)]);
    await expect(server.client().get('a')).rejects.toMatchObject({
      name: 'RefusedError',
      status: 404,
      message: expect.stringContaining('Check the url'),
    });
    await expect(server.client().delete('a')).rejects.toBeInstanceOf(RefusedError);
  });

  it('may have any characters in its id, and the url may have a path', async () => {
    server = await ScriptedServer.start([json(200, account('a'))]);
    const client = server.client({ url: `http://127.0.0.1:${server.port}/base` });
    for (const id of ['a/b?c#d', 'müller gmbh', '..', '.', '%2e']) await client.get(id);
    expect(server.seen).toEqual(
      ['a%2Fb%3Fc%23d', 'm%C3%BCller%20gmbh', '%20..', '%20.', '%252e'].map(
        (segment) => `GET /base/api/v2/accounts/${segment}`,
      ),
    );
    expect(() => client.get(' ')).toThrow('The account_id is empty.');
  });

  it('is deleted, was missing, or was deleted by an attempt whose response was lost', async () => {
    const deleted = json(204, '');
    server = await ScriptedServer.start([deleted, missing, cut, missing]);
    const client = server.client();
    expect([await client.delete('a'), await client.delete('a'), await client.delete('b')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(server.seen).toEqual(['a', 'a', 'b', 'b'].map((id) => `DELETE /api/v2/accounts/${id}`));
  });
});

it('a problem response gives its messages, and the part of the request for each', async () => {
  const errors = [{ pointer: '/query/limit', detail: 'must be at most 1000' }];
  const body = {
    type: 'urn:problem:account-sync:invalid-request',
    title: 'T',
    status: 400,
    detail: 'D.',
    code: 'invalid_request',
    errors,
  };
  server = await ScriptedServer.start([json(400, body, { 'content-type': 'application/problem+json' })]);
  await expect(all(server.client().list({ limit: 2000 }))).rejects.toMatchObject({
    name: 'RefusedError',
    status: 400,
    messages: ['D.', '/query/limit: must be at most 1000'],
    errors: { '/query/limit': ['must be at most 1000'] },
    requestId: 'r1',
    code: 'invalid_request',
  });
});

it('the constructor rejects an invalid address or key', () => {
  const make = (url: string, key: string) => () => new AccountSync({ url, key });
  expect(make('accounts.example.com', 'acs_1')).toThrow('Invalid URL');
  expect(make('ftp://accounts.example.com', 'acs_1')).toThrow('The url must begin with http:// or https://');
  for (const end of ['/api/v2', '/base/api/v2/', '/api/v2/accounts', '/api/v1_1', '/api/v1_1/account'])
    expect(make(`http://accounts.example.com${end}`, 'acs_1')).toThrow(
      'The url must be the address of the server, without /api/v',
    );
  for (const end of ['', '/', '/api', '/api/v2/sync', '/my-api/v2'])
    expect(make(`http://accounts.example.com${end}`, 'acs_1')).not.toThrow();
  expect(make('http://me:secret@accounts.example.com', 'acs_1')).toThrow(
    'The url must not contain a user name or a password. The key is enough.',
  );
  expect(make('http://accounts.example.com', ' ')).toThrow('The key is missing');
  expect(make('http://accounts.example.com', undefined as unknown as string)).toThrow('The key is missing');
  expect(make('http://accounts.example.com', 'acs\n1')).toThrow(
    'The key contains characters that cannot be sent in a header.',
  );
});

it('a client without a key sends no authorization, and sends the headers of its own fetch', async () => {
  const seen: IncomingHttpHeaders[] = [];
  server = await ScriptedServer.start([
    (request, response) => {
      seen.push(request.headers);
      return json(200, { data: [], next: null })(request, response);
    },
  ]);
  const client = new AccountSync({
    url: `http://127.0.0.1:${server.port}`,
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, 'X-Account-Sync-Console': '1' } }),
  });
  expect(await all(client.list())).toEqual([]);
  expect(seen).toEqual([
    expect.objectContaining({ 'x-account-sync-console': '1', accept: 'application/json' }),
  ]);
  expect(seen[0]).not.toHaveProperty('authorization');
});
