import { beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { runStatements } from '../support/released-database.js';
import { addSession, addUser, giveId } from './add-user.js';
import { insertWebhook } from './insert-webhook.js';
import { type Described, OpenapiDocument } from './openapi-document.js';
import { requestsCounted } from './run-requests.js';
import { eventually, type Tenant, useServer } from './v2-server.js';

/** Values of path parameters that belong to tenant a. Everything of this tenant contains `of-a`. */
const OF_A: Record<string, string> = {
  '/api/v2/accounts/{id}': 'of-a-1',
  '/api/v2/keys/{id}': 'of-a-key',
  '/api/v2/attributes/{name}': 'custom_of-a',
  '/api/v2/blocked-ids/{pattern}': 'of-a.example',
  '/api/v2/sources/{name}': 'of-a',
  '/api/v2/runs/{id}': '1',
  '/api/v2/webhooks/{id}': 'of-a-webhook',
  '/api/v2/users/{id}': 'usr_of-a',
  '/api/v2/invitations/{id}': 'of-a-invitation',
  '/api/v2/sessions/{id}': 'of-a-session',
};
/** The same for ids that do not exist. */
const UNKNOWN_IDS = Object.fromEntries(
  Object.entries(OF_A).map(([at, id]) => [at, id.replace('of-a', 'no-1')]),
);

/** Queries that refer to something of tenant a. */
const QUERIES = [
  '/accounts?parent=of-a-1',
  '/accounts?search=of-a',
  '/accounts?id_prefix=of-a',
  '/accounts?name_prefix=of-a',
  '/accounts?attribute=custom_of-a:of-a',
  '/rejections?key_id=of-a-key',
  '/rejections?account_id=of-a-1',
  '/changes?last=10',
  '/stats?unit=minute',
];

/** Listings, each with more than one entry of tenant a. */
const LISTINGS = [
  '/accounts',
  '/accounts?sort=-updated',
  '/accounts?sort=name',
  '/accounts?search=of-a',
  '/accounts/of-a-1/children',
  '/accounts/of-a-1/subtree',
  '/accounts/of-a-1/history',
  '/rejections',
  '/audit',
  '/webhooks/of-a-webhook/deliveries',
];

describe.each(databases)('a tenant that knows the ids of another on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  let document: OpenapiDocument;
  let a: Tenant;
  let b: Tenant;

  beforeAll(async () => {
    document = await OpenapiDocument.of(server.app);
    a = await server.tenant();
    b = await server.tenant();
    await a.addKey(['sync', 'read', 'admin'], { id: 'of-a-key', key: 'x'.repeat(32) });
    await a.call('PUT', '/attributes/custom_of-a', { type: 'text', indexed: true });
    await a.call('POST', '/keys', { scopes: ['read'], label: 'of-a' });
    await a.call('POST', '/blocked-ids', { pattern: 'of-a.example' });
    const fields = { name: 'of-a', 'custom_of-a': 'of-a', licenses: 1 };
    await a.sync({ account_id: 'of-a-1', ...fields }, { account_id: 'of-a-1', licenses: 2 });
    for (const id of ['of-a-2', 'of-a-3'])
      await a.sync({ account_id: id, parent_account_id: 'of-a-1', ...fields });
    for (const licenses of ['of-a 1', 'of-a 2']) await reject(a, { account_id: 'of-a-1', licenses });
    await b.sync({ account_id: 'own-1', name: 'own' }, { account_id: 'own-2' });
    await eventually(async () => expect((await a.get('/rejections')).body.data.length).toBe(2));
    await eventually(async () => expect(await server.store.jobs.countChanges(a.id, server.now)).toBe(true));
    const ofA = { tenantId: a.id, at: server.now };
    const person = { email: 'of-a@example.com', name: 'of-a', password: 'password-of-a' };
    const user = await addUser(server.store, { ...ofA, ...person, role: 'admin' });
    await addSession(server.store, { ...ofA, userId: 'usr_of-a', id: 'of-a-session' });
    const invited = await a.call('POST', '/invitations', { email: 'of-a-2@example.com', role: 'admin' });
    await runStatements(
      server.database,
      insertWebhook(a.id, 'of-a-webhook') +
        giveId('user', user, 'usr_of-a') +
        giveId('invitation', invited.body.id, 'of-a-invitation'),
    );
    for (let i = 0; i < 2; i += 1) await a.call('POST', '/webhooks/of-a-webhook/test');
    await requestsCounted(a, 6);
  });

  const reject = (tenant: Tenant, record: object) =>
    server.app.inject({
      method: 'POST',
      url: '/api/v1_1/account',
      headers: { authorization: `Bearer ${tenant.key}` },
      payload: record,
    });

  async function rowsOf(tenant: Tenant): Promise<string[]> {
    const rows = Object.entries(await dumpLasting(server.databaseUrl)).flatMap(([table, texts]) =>
      texts.map((text) => `${table} ${text}`),
    );
    const own = rows.filter((row) => Number(JSON.parse(row.slice(row.indexOf(' '))).tenant_id) === tenant.id);
    expect(own.length).toBeGreaterThan(10);
    return own;
  }

  /** Calls every operation with an id in its path, and returns the responses, with a dot for the id. */
  async function callAll(ids: Record<string, string>): Promise<Record<string, unknown>> {
    const answers: Record<string, unknown> = {};
    for (const { name, method, path, operation } of withIds()) {
      const place = Object.keys(ids).find((one) => path.startsWith(one)) ?? '';
      const id = ids[place] ?? '';
      const [media] = Object.values(operation.requestBody?.content ?? {});
      const [example] = Object.values(media?.examples ?? {});
      const url = path.replace(place, place.replace(/{.*}/, encodeURIComponent(id))).replace('/api/v2', '');
      const { status, body } = await b.call(method as 'GET', url, example && document.valueOf(example));
      answers[name] = [status, JSON.stringify(body ?? null).replaceAll(id, '·')];
    }
    return answers;
  }

  const withIds = (): Described[] => document.operations.filter(({ path }) => path.includes('{'));

  it('gets the same responses as for unknown ids from every operation, and changes nothing', async () => {
    expect(withIds().map(({ path }) => path.replace(/}.*/, '}'))).toEqual(
      withIds().map(() =>
        expect.stringMatching(new RegExp(`^(${Object.keys(OF_A).map(literal).join('|')})$`)),
      ),
    );
    const before = await rowsOf(a);
    const ofA = await callAll(OF_A);
    expect(JSON.stringify(ofA)).not.toContain('of-a');
    expect(ofA).toEqual(await callAll(UNKNOWN_IDS));
    expect(await rowsOf(a)).toEqual(before);
  });

  it('finds nothing with queries', async () => {
    const c = await server.tenant();
    for (const path of QUERIES) {
      const [ofA, ofUnknown] = [await c.get(path), await c.get(path.replaceAll('of-a', 'no-1'))];
      const text = JSON.stringify(ofA.body).replaceAll('of-a', 'no-1');
      expect([path, ofA.status, text]).toEqual([path, ofUnknown.status, JSON.stringify(ofUnknown.body)]);
    }
    const dryRun = async (account_id: string) => {
      const record = { account_id, name: 'of-a', 'custom_of-a': 'of-a', licenses: 2 };
      const { body } = await server.app.inject({
        method: 'POST',
        url: '/api/v2/accounts/import?dry_run=true',
        headers: { authorization: `Bearer ${c.key}` },
        payload: [record],
      });
      return body.replaceAll(account_id, '·');
    };
    expect(await dryRun('of-a-1')).toBe(await dryRun('no-1-1'));
  });

  it('sees its own data or is rejected with cursors of the other', async () => {
    const c = await server.tenant();
    for (const listing of LISTINGS) {
      const first = `${listing}${listing.includes('?') ? '&' : '?'}limit=1`;
      const { next } = (await a.get(first)).body;
      expect([listing, next]).toEqual([listing, expect.any(String)]);
      const { status, body } = await c.get(`${first}&cursor=${next}`);
      expect([200, 404], listing).toContain(status);
      expect(
        JSON.stringify(body).replace(/There is no (account of-a-1|webhook of-a-webhook)\./, ''),
        listing,
      ).not.toContain('of-a');
    }
  });

  it('sees only its own changes from any position of the other in the feed', async () => {
    const { data } = (await a.get('/changes')).body;
    const places = ['0~0', ...data.map(({ cursor }: { cursor: string }) => cursor)];
    expect(places.length).toBeGreaterThan(4);
    for (const place of places) {
      const { body } = await b.get(`/changes?after=${place}`);
      expect(body.data.map(({ account_id }: { account_id: string }) => account_id)).toEqual([
        'own-1',
        'own-2',
      ]);
    }
  });

  it('stores its own account under the same id, also if fields claim another tenant', async () => {
    const before = await rowsOf(a);
    const claims = { tenant: a.name, tenant_id: a.id, key_id: 'of-a-key' };
    await b.sync({ account_id: 'of-a-1', name: 'own', ...claims });
    const { body } = await b.get('/accounts/of-a-1');
    expect([body.name, body.fields, body.revision]).toEqual(['own', claims, 1]);
    expect(await rowsOf(a)).toEqual(before);
    expect((await b.call('DELETE', '/accounts/of-a-1')).status).toBe(204);
    expect(await rowsOf(a)).toEqual(before);
  });
});

function literal(text: string): string {
  return text.replaceAll(/[{}/]/g, '\\$&');
}
