import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WEBHOOK } from '../../dist/http/v2/webhooks/webhook-body.js';
import { RUN } from '../../dist/wire/run-body.js';
import { conflictsOfUsers, NOT_FOUND, WITH_PASSWORDS } from './described-people.js';
import { DescribedServer, KEYS, PEOPLE, pathOf, type Sent } from './described-server.js';
import { insertWebhook } from './insert-webhook.js';
import { inUsefulOrder, type Operation } from './openapi-document.js';

const NO_KEYS_OF_CRM = `update api_key set revoked_at = 1 where source = 'crm' and revoked_at is null`;
/** An operation that works whatever happens to the store. */
/** Those of OpenID Connect are switched off here; `oidc-security.test.ts` has a store that fails under them. */
const NEED_NO_STORE = ['get-sign-in-methods', 'start-oidc', 'finish-oidc'];
const BY_TIER = '/api/v2/accounts?attribute=custom_Tier:gold';

let server: DescribedServer;
beforeAll(async () => {
  server = await DescribedServer.start();
});
afterAll(() => server.stop());

/** Settings take effect within a second. */
const eventually = (status: number, name: string, sent?: Sent) =>
  vi.waitFor(async () => expect((await server.sendTo(name, sent)).statusCode).toBe(status), {
    timeout: 30_000,
    interval: 20,
  });

function bodiesOf({ requestBody }: Operation) {
  return Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
    Object.entries(examples).map(([example, one]) => ({ example, type, body: server.document.valueOf(one) })),
  );
}

describe('an error of every operation is as described', () => {
  it('without a key, and without the scope', async () => {
    const ofKim = { token: await server.invite(PEOPLE.kim.email), password: 'password-of-nobody' };
    for (const described of server.answering(401)) {
      const isRedeeming = described.name === 'redeem-link';
      const body = described.operation.requestBody && { body: isRedeeming ? ofKim : { key: 'unknown' } };
      const { statusCode } = await server.send(described, { key: 'unknown', ...body });
      expect(statusCode, described.name).toBe(401);
    }
    for (const described of server.answering(403)) {
      if (described.name in WITH_PASSWORDS) continue;
      const [scope] = described.operation.security[0]?.key ?? [];
      const { key } = scope === 'sync' ? KEYS.reader : KEYS.syncer;
      expect((await server.send(described, { key })).statusCode, described.name).toBe(403);
    }
  });

  it('if passwords are switched off', async () => {
    const withKeys = await DescribedServer.start({ signInMethods: ['key'] });
    for (const [name, body] of Object.entries(WITH_PASSWORDS)) {
      expect((await withKeys.sendTo(name, { body })).statusCode, name).toBe(403);
    }
    for (const answer of withKeys.seen) server.seen.add(answer);
    await withKeys.stop();
  });

  it('for an invalid request', async () => {
    for (const described of server.answering(400)) {
      const { name, operation, path } = described;
      const inBody = operation.requestBody && { body: { nonsense: 1 } };
      // Every operation of /api/v2 rejects query parameters that it does not know.
      const wrong = path.startsWith('/api/v2') ? { path: `${pathOf(described)}?nonsense=1` } : { ...inBody };
      expect((await server.send(described, wrong)).statusCode, name).toBe(400);
    }
  });

  it('for a body that is too large, or of another media type', async () => {
    for (const described of server.answering(413)) {
      const { statusCode } = await server.send(described, { body: 'x'.repeat(5_001) });
      expect(statusCode, described.name).toBe(413);
    }
    for (const described of server.answering(415)) {
      const { statusCode } = await server.send(described, {
        body: 'x',
        headers: { 'content-type': 'text/plain' },
      });
      expect(statusCode, described.name).toBe(415);
    }
  });

  it('for an object that does not exist', async () => {
    for (const described of server.answering(404)) {
      const [example] = bodiesOf(described.operation);
      const body = described.name in NOT_FOUND ? { body: NOT_FOUND[described.name] } : example;
      const { statusCode } = await server.send(described, {
        path: pathOf(described, 'nowhere'),
        headers: { 'account-sync-run': 'nowhere' },
        ...body,
      });
      expect(statusCode, described.name).toBe(404);
    }
  });
});

describe('the examples', () => {
  it('get the responses that they show, and every response is as described', async () => {
    const inOrder = inUsefulOrder(server.document.operations);
    // So that the run of the examples exists, and asks for missing accounts.
    for (let runs = 0; runs < Number(RUN.id); runs += 1)
      await server.sendTo('open-run', { body: { missing: 'report' } });
    server.running.breakDatabase(insertWebhook(1, WEBHOOK.id));
    for (const described of inOrder) {
      const { name, operation } = described;
      for (const { example, type, body } of bodiesOf(operation)) {
        const { statusCode } = await server.send(described, { body, headers: { 'content-type': type } });
        expect(statusCode, `${name} ${example}`).toBe(statusOf(operation, example));
      }
      if (name === 'put-attribute') await eventually(200, 'list-accounts', { path: BY_TIER });
      if (operation.requestBody !== undefined) continue;
      if (name === 'delete-source') server.running.breakDatabase(NO_KEYS_OF_CRM);
      for (const query of ['', ...queriesOf(operation)]) {
        const { statusCode } = await server.send(described, { path: `${pathOf(described)}${query}` });
        expect(statusCode, `${name} ${query}`).toBe(Number(Object.keys(operation.responses)[0]));
      }
    }
  });

  /** The status of the response whose example has this name. */
  function statusOf(operation: Operation, example: string): number {
    const [status] =
      Object.entries(operation.responses).find(([, { content = {} }]) =>
        Object.values(content).some(({ examples = {} }) => example in examples),
      ) ?? [];
    return Number(status);
  }

  /** One query per optional parameter, with the example of its description. */
  function queriesOf({ parameters = [] }: Operation): string[] {
    return parameters
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, description }) => {
        const [, example] = / Example: `(.+)`\.$/.exec(description) ?? [];
        return example === undefined ? [] : [`?${new URLSearchParams({ [name]: example })}`];
      });
  }
});

describe('responses without examples', () => {
  it('are as described, too', async () => {
    await eventually(200, 'put-attribute', { body: { type: 'text' } });
    await server.sendTo('add-blocked-id', { body: { pattern: '*.test' } });
    const known = await server.sendTo('add-blocked-id', { body: { pattern: '*.test' } });
    await server.sendTo('upsert-account', { body: { account_id: 'acme' } });
    const { headers } = await server.sendTo('get-account');
    const same = await server.sendTo('get-account', { headers: { 'if-none-match': String(headers.etag) } });
    const edits = await Promise.all(
      ['"7"', ''].map((tag) =>
        server.sendTo('patch-account', { body: { name: 'A' }, headers: { 'if-match': tag } }),
      ),
    );
    const revoked = await server.sendTo('rotate-key', { body: {} });
    // The last admin key can be revoked while there is an administrator.
    server.running.breakDatabase('update membership set disabled_at = 1');
    const last = await server.sendTo('revoke-key', { path: `/api/v2/keys/${KEYS.all.id}` });
    server.running.breakDatabase('update membership set disabled_at = null');
    const signedOut = await server.sendTo('sign-out', {
      headers: { authorization: `Bearer ${KEYS.all.key}` },
    });
    await server.sendTo('put-source', { path: '/api/v2/sources/default', body: {} });
    const used = await server.sendTo('delete-source', { path: '/api/v2/sources/default' });
    const ended = await server.sendTo('finish-run', { body: { abandon: true } });
    const open = await server.sendTo('undo-run', { path: '/api/v2/runs/1/undo', body: {} });
    const ignoring = (await server.sendTo('open-run', { body: { missing: 'ignore' } })).json().id;
    const unasked = await server.sendTo('list-missing', { path: `/api/v2/runs/${ignoring}/missing` });
    const unknown = { body: { source: 'unknown' } };
    const moved = await server.sendTo('patch-key', { path: `/api/v2/keys/${KEYS.all.id}`, ...unknown });
    const created = await server.sendTo('create-key', { body: { scopes: ['read'], source: 'unknown' } });
    const rejected = [revoked, last, signedOut, used, ended, open, unasked, moved, created];
    for (const name of ['upsert-account', 'upsert-batch', 'import-accounts', 'patch-account'])
      rejected.push(await server.sendTo(name, { headers: { 'account-sync-run': RUN.id } }));
    rejected.push(...(await conflictsOfUsers(server)));
    expect([known, same, ...edits].map(({ statusCode }) => statusCode)).toEqual([200, 304, 412, 428]);
    expect(rejected.map(({ statusCode }) => statusCode)).toEqual(rejected.map(() => 409));
  });

  it('to the 1,001st attribute are as described', async () => {
    server.running.breakDatabase(
      `with recursive numbered (i) as (select 1 union all select i + 1 from numbered where i < 1000)
       insert into attribute (tenant_id, name, type, choices, read_only, indexed)
       select 1, 'custom_A' || i, 'text', '[]', 0, 0 from numbered`,
    );
    const path = '/api/v2/attributes/custom_More';
    expect((await server.sendTo('put-attribute', { path, body: { type: 'text' } })).statusCode).toBe(409);
  });

  it('to the 201st source are as described', async () => {
    server.running.breakDatabase(
      `with recursive numbered (i) as (select 1 union all select i + 1 from numbered where i < 200)
       insert into source (tenant_id, name, label, grace_ms, created_at)
       select 1, 's-' || i, 'S', 0, 1 from numbered`,
    );
    const path = '/api/v2/sources/more';
    expect((await server.sendTo('put-source', { path, body: {} })).statusCode).toBe(409);
  });

  it('to the 51st webhook are as described', async () => {
    const ids = Array.from({ length: 50 }, (_, i) => `wh_${i}`);
    server.running.breakDatabase(ids.map((id) => insertWebhook(1, id)).join('\n'));
    const body = { url: WEBHOOK.url };
    expect((await server.sendTo('create-webhook', { body })).statusCode).toBe(409);
  });

  it('of a stream of changes are events with one change each', async () => {
    const url = await server.running.app.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${KEYS.all.key}`, accept: 'text/event-stream' };
    const [answer] = (await once(get(`${url}/api/v2/changes`, { headers }), 'response')) as [IncomingMessage];
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    let text = '';
    // Ending the loop closes the connection.
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk;
      if (/^data: .+\n\n/m.test(text)) break;
    }
    const [, id, data = ''] = /^event: change\nid: (.+)\ndata: (.+)\n\n/m.exec(text) ?? [];
    const change = JSON.parse(data);
    expect(server.document.problems(['components', 'schemas', 'FeedChange'], change)).toEqual([]);
    expect(change.cursor).toBe(id);
  });

  it('to a failure of the store are as described', async () => {
    server.running.breakDatabase('drop table configuration; drop table session; drop table one_time_link');
    await eventually(500, 'get-settings');
    const bodies: Record<string, object> = { ...NOT_FOUND, 'sign-in': { key: KEYS.all.key } };
    for (const described of server.answering(500)) {
      if (NEED_NO_STORE.includes(described.name)) continue;
      const body = described.name in bodies && { body: bodies[described.name] };
      expect((await server.send(described, { ...body })).statusCode, described.name).toBe(500);
    }
    expect((await server.sendTo('readyz')).statusCode).toBe(503);
  });

  it('cover every documented status except overload', () => {
    const described = server.document.operations.flatMap(({ name, operation }) =>
      Object.keys(operation.responses).map((status) => `${name} ${status}`),
    );
    const missing = described.filter((answer) => !server.seen.has(answer));
    const needless = NEED_NO_STORE.map((name) => `${name} 500`);
    expect(missing.filter((answer) => !/ (429|503)$/.test(answer))).toEqual(needless);
  });
});
