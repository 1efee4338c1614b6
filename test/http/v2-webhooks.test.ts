import { verifyWebhook } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../dist/domain/webhook.js';
import { databases } from '../support/databases.js';
import { answer, WebhookReceiver } from '../support/webhook-receiver.js';
import { at, eventually, invalid, problem, type Tenant, useServer } from './v2-server.js';

const URL = 'https://example.com/events';
const DAY = 86_400_000;

describe.each(databases)('webhooks on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase, { webhookPrivateHosts: ['127.0.0.1'] });

  const webhook = (given: object = {}) => ({
    id: expect.stringMatching(/^wh_[0-9a-f]{12}$/),
    url: URL,
    description: '',
    events: EVENT_TYPES,
    filter: { sources: [], fields: [], values: {} },
    batch_size: 100,
    state: 'active',
    reason: null,
    cursor: '0~0',
    has_all: true,
    failures: 0,
    failing_since: null,
    retry_at: null,
    last_error: null,
    delivered_at: null,
    previous_secret_until: null,
    created_at: at(),
    ...given,
  });
  const post = async (tenant: Tenant, path: string, body?: unknown) => {
    const response = await tenant.call('POST', `/webhooks${path}`, body);
    return [response.status, response.body];
  };
  const patch = async (tenant: Tenant, id: string, body: unknown) => {
    const response = await tenant.call('PATCH', `/webhooks/${id}`, body);
    return [response.status, response.body];
  };
  const create = async (tenant: Tenant, body: object = { url: URL }) => {
    const [status, created] = await post(tenant, '', body);
    expect(status).toBe(201);
    return created as { id: string; secret: string };
  };
  const SECRET = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

  it('are created, listed, read, changed and removed', async () => {
    const acme = await server.tenant();
    await acme.call('PUT', '/sources/crm', {});
    const [status, { secret, ...created }] = await post(acme, '', { url: URL });
    expect([status, created, secret]).toEqual([201, webhook(), SECRET]);
    const all = {
      url: 'https://example.com/other?x=1',
      description: 'To the CRM',
      events: ['account.created', 'run.finished'],
      filter: { sources: ['crm'], fields: ['licenses'], values: { custom_Tier: ['gold', 5, true, null] } },
      batch_size: 7,
    };
    server.now += 1;
    const second = await create(acme, all);
    const expected = webhook({ ...all, id: second.id, created_at: at(1) });
    expect((await acme.get('/webhooks')).body).toEqual({ data: [created, expected] });
    expect((await acme.get(`/webhooks/${second.id}`)).body).toEqual(expected);
    const changed = { ...expected, description: '', batch_size: 100 };
    expect(await patch(acme, second.id, { description: '', batch_size: 100 })).toEqual([200, changed]);
    const unfiltered = { ...changed, filter: { sources: [], fields: ['name'], values: {} } };
    expect(await patch(acme, second.id, { filter: { fields: ['name'] } })).toEqual([200, unfiltered]);
    expect(await patch(acme, second.id, {})).toEqual([200, unfiltered]);
    const removed = await acme.call('DELETE', `/webhooks/${created.id}`);
    expect([removed.status, removed.body]).toEqual([204, undefined]);
    expect((await acme.get('/webhooks')).body).toEqual({ data: [unfiltered] });
  });

  it('are found only by their tenant', async () => {
    const { id } = await create(await server.tenant());
    const globex = await server.tenant();
    const missing = [404, problem(404, 'not_found', `There is no webhook ${id}.`)];
    expect((await globex.get('/webhooks')).body).toEqual({ data: [] });
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { description: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/test', undefined],
      ['POST', '/replay', { after: '0~0' }],
      ['POST', '/rotate-secret', undefined],
      ['GET', '/deliveries', undefined],
    ] as const) {
      const response = await globex.call(method, `/webhooks/${id}${path}`, body);
      expect([response.status, response.body]).toEqual(missing);
    }
  });

  it.each<[string, object, Record<string, string>]>([
    ['no URL', {}, { '/body/url': 'is missing' }],
    ['plain HTTP', { url: 'http://example.com/' }, { '/body/url': 'must begin with https://' }],
    [
      'a private address',
      { url: 'https://10.0.0.1/' },
      {
        '/body/url':
          'must not have a private address; the operator can allow it with ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS',
      },
    ],
    [
      'an unknown source',
      { url: URL, filter: { sources: ['default', 'nowhere'] } },
      { '/body/filter/sources/1': 'must be the name of a source' },
    ],
    ['a batch that is too large', { url: URL, batch_size: 101 }, { '/body/batch_size': 'must be <= 100' }],
    ['no events', { url: URL, events: [] }, { '/body/events': 'must NOT have fewer than 1 items' }],
  ])('are rejected with %s', async (_what, body, errors) => {
    const acme = await server.tenant();
    expect(await post(acme, '', body)).toEqual([400, invalid(errors)]);
    expect((await acme.get('/webhooks')).body).toEqual({ data: [] });
  });

  it('are 50 at most', async () => {
    const acme = await server.tenant();
    for (let i = 0; i < 50; i += 1) await create(acme);
    expect(await post(acme, '', { url: URL })).toEqual([
      409,
      problem(
        409,
        'too_many_webhooks',
        'A tenant may not have more than 50 webhooks. Remove one that is no longer needed first.',
      ),
    ]);
  });

  it('are paused and resumed', async () => {
    const acme = await server.tenant();
    const { id } = await create(acme);
    expect(await patch(acme, id, { state: 'paused' })).toEqual([200, webhook({ id, state: 'paused' })]);
    expect(await patch(acme, id, { state: 'active' })).toEqual([200, webhook({ id })]);
    expect((await patch(acme, id, { state: 'disabled' }))[0]).toBe(400);
  });

  it('show what the service has stopped, here and in the status', async () => {
    const acme = await server.tenant();
    const { id } = await create(acme);
    const holder = 'me';
    expect(await server.store.deliveries.take(holder)).toBe(true);
    const stop = { state: 'disabled', reason: 'It answered 410: it is gone.', at: 1 } as const;
    await server.store.deliveries.stop(holder, { id, tenantId: acme.id, generation: 0 }, stop);
    await server.store.deliveries.release(holder);
    const { reason, state } = stop;
    expect((await acme.get(`/webhooks/${id}`)).body).toEqual(webhook({ id, state, reason }));
    const warning = '1 webhook was paused or disabled because of failures: see Webhooks in the console.';
    expect((await acme.get('/status')).body.warnings).toEqual([warning]);
    await eventually(async () =>
      expect((await server.inject({ url: '/readyz' })).body).toEqual({
        status: 'ready',
        warnings: [warning],
      }),
    );
    await patch(acme, id, { state: 'active' });
    expect((await acme.get('/status')).body.warnings).toEqual([]);
    const audit = (await acme.get('/audit?limit=2')).body.data;
    expect(audit.map((entry: { action: string; via: string }) => [entry.action, entry.via])).toEqual([
      ['webhook.resume', 'api'],
      ['webhook.disabled', 'service'],
    ]);
  });

  it('get a new secret, with an overlap', async () => {
    const acme = await server.tenant();
    const { id, secret } = await create(acme);
    const until = at(DAY);
    const [status, rotated] = await post(acme, `/${id}/rotate-secret`);
    expect([status, rotated]).toEqual([201, webhook({ id, previous_secret_until: until, secret: SECRET })]);
    expect(rotated.secret).not.toBe(secret);
    expect((await acme.get(`/webhooks/${id}`)).body).toEqual(webhook({ id, previous_secret_until: until }));
  });

  it('are replayed from a cursor or a moment', async () => {
    const acme = await server.tenant();
    await acme.sync({ account_id: 'a' });
    await eventually(async () => expect((await acme.get('/changes')).body.data).toHaveLength(1));
    const { id } = await create(acme);
    const [change] = (await acme.get('/changes')).body.data;
    const replay = (body: object) => post(acme, `/${id}/replay`, body);
    const created_at = at(1);
    expect(await replay({ after: '0~0' })).toEqual([200, webhook({ id, created_at, has_all: false })]);
    expect(await replay({ after: change.cursor })).toMatchObject([200, { cursor: change.cursor }]);
    expect(await replay({ since: '2020-01-01T00:00:00Z' })).toEqual([
      200,
      webhook({ id, created_at, has_all: false }),
    ]);
    expect(await replay({ since: '2999-01-01T00:00:00Z' })).toMatchObject([200, { has_all: true }]);
    const either = [400, invalid({ '/body': 'must have either after or since' })];
    expect([await replay({}), await replay({ after: '0~0', since: at() })]).toEqual([either, either]);
    expect(await replay({ after: 'x' })).toEqual([
      400,
      invalid({ '/body/after': 'must be a cursor of the change feed' }),
    ]);
    expect(await replay({ since: 'yesterday' })).toEqual([
      400,
      invalid({ '/body/since': 'must be a timestamp such as 2027-01-31T12:00:00Z' }),
    ]);
  });

  it('get a test event, and list it among their deliveries', async () => {
    const acme = await server.tenant();
    const receiver = await WebhookReceiver.start();
    const { id, secret } = await create(acme, { url: receiver.url });
    const now = Date.now();
    server.now = now;
    receiver.next.push(answer(202, {}, 'thanks'), answer(500, {}, 'x'.repeat(3_000)));
    const message_id = expect.stringMatching(/^msg_test_[0-9a-f]{12}$/);
    const took_ms = expect.any(Number);
    const taken = { message_id, status: 202, error: null, took_ms, answer: 'thanks' };
    expect(await post(acme, `/${id}/test`)).toEqual([200, taken]);
    const [message] = receiver.messages;
    expect(await verifyWebhook(secret, message?.headers ?? {}, message?.body ?? '')).toEqual({
      id: message_id,
      timestamp: new Date(now).toISOString(),
      data: [
        {
          type: 'webhook.test',
          timestamp: new Date(now).toISOString(),
          cursor: null,
          data: { webhook_id: id },
        },
      ],
    });
    const failed = { ...taken, status: 500, error: 'It answered 500.', answer: 'x'.repeat(2_048) };
    expect(await post(acme, `/${id}/test`)).toEqual([200, failed]);
    const row = {
      id: expect.stringMatching(/^\d+$/),
      at: new Date(now).toISOString(),
      attempt: 1,
      messages: 1,
      events: 1,
    };
    expect(await acme.all(`/webhooks/${id}/deliveries`, 1)).toEqual([
      { ...row, ...failed },
      { ...row, ...taken },
    ]);
  });
});
