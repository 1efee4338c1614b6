import { text } from 'node:stream/consumers';
import { AccountSyncError, RefusedError, UnavailableError } from '@account-sync/client';
import { afterEach, describe, expect, it } from 'vitest';
import { cut, json, overloaded, problem, type RequestHandler, ScriptedServer } from './scripted-server.js';

let server: ScriptedServer;
afterEach(() => server.stop());

const PATCH = 'PATCH /api/v2/accounts/a%2Fb';
const ACCOUNT = { account_id: 'a/b', name: 'New', fields: {}, revision: 8 };
const RESULT = {
  outcome: 'updated',
  account: ACCOUNT,
  changes: [{ field: 'name', from: 'Old', to: 'New' }],
  kept: [],
  run_id: '3',
  dry_run: false,
};
const changed = json(
  412,
  {
    type: 'urn:problem:account-sync:changed',
    code: 'revision_changed',
    detail: 'It has changed.',
    errors: [],
  },
  { 'content-type': 'application/problem+json' },
);

interface Sent {
  readonly headers: Record<string, unknown>;
  readonly body: unknown;
}

/** Remembers the request, and responds as the handler. */
const remember =
  (sent: Sent[], handler: RequestHandler): RequestHandler =>
  async (request, response) => {
    sent.push({ headers: request.headers, body: JSON.parse(await text(request)) });
    return handler(request, response);
  };

describe('edit', () => {
  it('sends the change at the revision', async () => {
    const sent: Sent[] = [];
    server = await ScriptedServer.start([remember(sent, json(200, RESULT))]);
    const edit = { name: 'New', fields: { licenses: null }, archived: false };
    expect(await server.client().edit('a/b', edit, { revision: 7, run: '3' })).toEqual(RESULT);
    await server.client().edit('a/b', { name: 'New' }, { revision: 'any', dryRun: true });
    expect(server.seen).toEqual([PATCH, `${PATCH}?dry_run=true`]);
    expect(sent.map(({ body }) => body)).toEqual([edit, { name: 'New' }]);
    expect(sent.map(({ headers }) => headers['if-match'])).toEqual(['"7"', '*']);
    expect(sent[0]?.headers['account-sync-run']).toBe('3');
    const ids = sent.map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(ids).size).toBe(2);
  });

  it('throws if others have changed the account', async () => {
    const history = json(200, { data: [{ request_id: 'other', kind: 'updated', changes: [] }], next: null });
    server = await ScriptedServer.start([changed, history]);
    const failure = await server
      .client()
      .edit('a/b', { name: 'New' }, { revision: 7 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RefusedError);
    expect(failure).toMatchObject({ status: 412, code: 'revision_changed' });
    expect(server.seen).toEqual([PATCH, 'GET /api/v2/accounts/a%2Fb/history']);
  });

  it('finds its own first attempt, whose response was lost', async () => {
    const sent: Sent[] = [];
    const { changes } = RESULT;
    server = await ScriptedServer.start([
      remember(sent, cut),
      changed,
      (request, response) => {
        const own = { request_id: sent[0]?.headers['x-request-id'], kind: 'updated', run_id: '3', changes };
        return json(200, { data: [{ request_id: 'later' }, own], next: null })(request, response);
      },
      json(200, { ...ACCOUNT, revision: 9 }),
    ]);
    expect(await server.client().edit('a/b', { name: 'New' }, { revision: 7 })).toEqual({
      ...RESULT,
      account: { ...ACCOUNT, revision: 9 },
    });
  });
});

const PROGRESS = {
  run_id: '5',
  matched: 0,
  updated: 0,
  archived: 0,
  restored: 0,
  deleted: 0,
  unchanged: 0,
  rejected: 0,
};
const SUMMARY = {
  ...PROGRESS,
  matched: 2,
  updated: 1,
  rejected: 1,
  kept: 0,
  dry_run: false,
  is_complete: true,
  code: null,
  problem: null,
};
const REJECTED = { account_id: 'b', reason: 'changed', errors: {} };
const SHOWN = { account_id: 'a', name: null, outcome: 'updated', changes: RESULT.changes };
const LINES = [{ progress: PROGRESS }, { account: SHOWN }, { rejected: REJECTED }, { summary: SUMMARY }];

const lines =
  (values: readonly object[], end: 'end' | 'cut' = 'end'): RequestHandler =>
  async (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    const all = values.map((value) => `${JSON.stringify(value)}\n`).join('');
    if (end === 'end') response.end(all);
    else response.write(all, () => response.destroy());
  };

describe('editMany and deleteMany', () => {
  const EDIT = 'POST /api/v2/accounts/edit';

  it('report what becomes of the accounts', async () => {
    const sent: Sent[] = [];
    server = await ScriptedServer.start([remember(sent, lines(LINES))]);
    const seen: unknown[] = [];
    const see = (value: unknown) => void seen.push(value);
    const client = server.client();
    const matching = { parent: 'acme', attribute: ['custom_Tier:gold'] };
    const listeners = { onProgress: see, onRejected: see, onAccount: see };
    expect(await client.editMany({ matching }, { name: 'New' }, listeners)).toEqual(SUMMARY);
    expect(seen).toEqual([PROGRESS, SHOWN, REJECTED]);
    expect(await client.deleteMany({ ids: ['a'] }, { dryRun: true, maxAccounts: 4 })).toEqual(SUMMARY);
    expect(sent.map(({ body }) => body)).toEqual([
      { matching, set: { name: 'New' } },
      { ids: ['a'], dry_run: true, max_accounts: 4 },
    ]);
    expect(server.seen).toEqual([EDIT, 'POST /api/v2/accounts/delete']);
  });

  it('are sent again while the server is overloaded', async () => {
    server = await ScriptedServer.start([overloaded, lines(LINES)]);
    expect(await server.client().editMany({ ids: ['a'] }, { name: 'New' })).toEqual(SUMMARY);
    expect(server.seen).toEqual([EDIT, EDIT]);
  });

  it.each<[string, RequestHandler]>([
    ['the connection is cut before the response', cut],
    ['the response is cut', lines(LINES.slice(0, 2), 'cut')],
    ['the response ends without a summary', lines(LINES.slice(0, 3))],
    [
      'the server stops',
      lines([
        { summary: { ...SUMMARY, is_complete: false, code: 'edit_interrupted', problem: 'It stops.' } },
      ]),
    ],
  ])('are not sent again by themselves if %s', async (_what, handler) => {
    server = await ScriptedServer.start([handler]);
    await expect(server.client().editMany({ ids: ['a'] }, { name: 'New' })).rejects.toBeInstanceOf(
      UnavailableError,
    );
    expect(server.seen).toEqual([EDIT]);
  });

  it('throw if more match than they may change', async () => {
    const early = { is_complete: false, code: 'too_many_matching', problem: 'More accounts match.' };
    server = await ScriptedServer.start([lines([{ summary: { ...SUMMARY, ...early } }])]);
    const failure = await server
      .client()
      .deleteMany({ ids: ['a'] }, { maxAccounts: 1 })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AccountSyncError);
    expect(failure).not.toBeInstanceOf(UnavailableError);
    expect(failure).toMatchObject({
      code: 'too_many_matching',
      message: expect.stringContaining('More accounts'),
    });
  });

  it('throw what the server rejects', async () => {
    server = await ScriptedServer.start([problem(403, 'forbidden', 'This key lacks the scope admin.')]);
    await expect(server.client().deleteMany({ ids: ['a'] })).rejects.toThrow('lacks the scope admin');
  });
});
