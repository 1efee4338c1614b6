import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../dist/config.js';
import { hashKey, SCOPES } from '../../dist/domain/api-key.js';
import { INTERNAL_ERROR } from '../../dist/domain/messages.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, freshSqlite } from '../support/databases.js';
import { runStatements } from '../support/released-database.js';
import { addSession, addUser, EXAMPLE_IDS, giveId } from './add-user.js';
import { pathOf } from './described-server.js';
import { exampleBody, needsSession } from './example-body.js';
import { type Failure, failingStore } from './failing-store.js';
import { type Described, OpenapiDocument } from './openapi-document.js';
import { RunningServer } from './running-server.js';

const KEY = 'key-with-all-scopes-'.padEnd(32, '-');
/** Part of the message and the stack of everything that is thrown. */
const MARK = 'mark-of-what-is-inside';

/** Functions that authentication needs. */
const IDENTIFIES =
  /^directory\.(version|hosts|findTenant|keys\.findAll|keys\.get|sessions\.findAll|users\.member)$/;
/** Functions that do not use the database. */
const KEEPS = /^(close|observe|watch|waitingRecords)$/;

class Broken extends Error {
  readonly detail = MARK;
  override readonly name = MARK;
}

let database: Database;
let store: Store;
let server: RunningServer;
let document: OpenapiDocument;
/** A browser in which an administrator is signed in, for operations that accept no keys. */
let browser: Readonly<Record<string, string>>;
let failureAt: Failure = () => undefined;

beforeEach(async () => {
  failureAt = () => undefined;
  database = await freshSqlite();
  store = await openStore({ database: database.url });
  await store.directory.createTenant('acme', {}, 1);
  const key = { id: 'ops', tenantId: 1, hash: hashKey(KEY), scopes: SCOPES, label: '', createdAt: 1 };
  await store.directory.keys.add({ ...key, expiresAt: null });
  const admin = { tenantId: 1, role: 'admin', email: 'admin@example.com', name: 'Admin' } as const;
  const added = await addUser(store, { ...admin, at: Date.now() });
  await runStatements(database, giveId('user', added, EXAMPLE_IDS.user));
  browser = await addSession(store, { userId: EXAMPLE_IDS.user, tenantId: 1, at: Date.now() });
  server = await RunningServer.start({
    config: readConfig({}),
    parts: { store: failingStore(store, (place) => (KEEPS.test(place) ? undefined : failureAt(place))) },
  });
  document = await OpenapiDocument.of(server.app);
});
afterEach(async () => {
  failureAt = () => undefined;
  await server.stop();
  await store.close();
  await database.remove();
});

async function call(described: Described) {
  const [type] = Object.keys(described.operation.requestBody?.content ?? {});
  const body = exampleBody(document, described, { key: KEY });
  const credentials = needsSession(described) ? browser : { authorization: `Bearer ${KEY}` };
  const answer = await server.app.inject({
    method: described.method,
    url: pathOf(described),
    headers: { ...credentials, 'x-request-id': 'r', ...(type && { 'content-type': type }) },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.body, headers: answer.headers };
}

const CONTRACT_BODY = { success: false, errors: [INTERNAL_ERROR], errors_by_attributes: [] };
const PROBLEM_BODY = {
  type: 'urn:problem:account-sync:internal-error',
  title: 'Internal Server Error',
  status: 500,
  detail: 'Something failed on our side; the log tells what, under the request id.',
  code: 'internal_error',
  request_id: 'r',
  errors: [],
};

/** Calls every operation, and returns the names of those whose response is not the documented 500. */
async function answeredAll(): Promise<string[]> {
  const others: string[] = [];
  for (const described of document.operations) {
    const { status, body, headers } = await call(described);
    expect(JSON.stringify(headers) + body, described.name).not.toMatch(/mark-of-what-is-inside|\.[jt]s:\d/);
    const expected = described.path.startsWith('/api/v2/') ? PROBLEM_BODY : CONTRACT_BODY;
    if (status !== 500) others.push(`${described.name} ${status}`);
    else expect([described.name, JSON.parse(body)]).toEqual([described.name, expected]);
  }
  return others;
}

describe.each([
  ['an error', new Broken(MARK)],
  ['a text', MARK],
])('if every function of the store rejects with %s', (_what, thrown) => {
  const fail = () => Promise.reject(thrown);
  const probes = ['healthz 200', 'readyz 503', 'metrics 200', 'get-openapi 200', 'get-sign-in-methods 200'];
  // Off in these tests; oidc-security.test.ts breaks the store under a sign-in.
  probes.push('start-oidc 302', 'finish-oidc 302');

  it('every operation returns the documented 500 without details', async () => {
    failureAt = () => fail;
    expect((await answeredAll()).sort()).toEqual([...probes].sort());
    expect(JSON.stringify(server.log.filter(({ msg }) => msg === 'request failed'))).toContain(MARK);
  });

  it('so does every operation whose authentication still works', async () => {
    failureAt = (place) => (IDENTIFIES.test(place) ? undefined : fail);
    const needNothingElse = ['get-session 200', 'get-settings 200', 'test-blocked-id 200'];
    // Streams have begun by then, so their last line has the error.
    const streams = ['edit-accounts', 'delete-accounts'];
    const reportInBody = ['get-status 200', ...streams.map((name) => `${name} 200`)];
    expect((await answeredAll()).sort()).toEqual([...probes, ...needNothingElse, ...reportInBody].sort());
    for (const described of document.operations.filter(({ name }) => streams.includes(name))) {
      const { summary } = JSON.parse((await call(described)).body.trimEnd().split('\n').at(-1) ?? '');
      const { detail: problem, code } = PROBLEM_BODY;
      expect(summary).toMatchObject({ matched: 0, is_complete: false, code, problem });
    }
  });

  it('pages still work', async () => {
    failureAt = () => fail;
    for (const url of ['/console', '/console/accounts/x', '/docs', '/docs/json']) {
      const { statusCode, body } = await server.app.inject(url);
      expect([url, statusCode]).toEqual([url, 200]);
      expect(body).not.toContain(MARK);
    }
  });
});
