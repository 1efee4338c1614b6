import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { runStatements } from '../support/released-database.js';
import { expectedAttribute } from './expected-attribute.js';
import { problem, type Tenant, useServer } from './v2-server.js';

const LIMIT_REACHED = problem(
  409,
  'too_many_attributes',
  'A tenant may not declare more than 1000 attributes. Remove one that is no longer needed first.',
);

describe.each(databases)('the attributes of a tenant on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  /** Written directly to the database, since a thousand requests take too long. */
  const declare = async ({ id }: Tenant, count: number) => {
    const rows = Array.from({ length: count }, (_, i) => `(${id}, 'custom_A${i}', 'text', '[]', 0, 0)`);
    const columns = 'tenant_id, name, type, choices, read_only, indexed';
    await runStatements(server.database, `insert into attribute (${columns}) values ${rows.join()}`);
  };
  const put = async (tenant: Tenant, name: string, body: object = { type: 'text' }) => {
    const answer = await tenant.call('PUT', `/attributes/${name}`, body);
    return [answer.status, answer.body];
  };

  it('are limited to 1,000, without the built-in ones', async () => {
    const acme = await server.tenant();
    await declare(acme, 999);
    expect((await put(acme, 'licenses', { type: 'integer', indexed: true }))[0]).toBe(200);
    expect(await put(acme, 'custom_Last')).toEqual([201, expectedAttribute('custom_Last')]);
    expect(await put(acme, 'custom_More')).toEqual([409, LIMIT_REACHED]);
    expect((await acme.get('/attributes/custom_More')).status).toBe(404);
    expect((await put(acme, 'custom_Is_Valid', { type: 'boolean', indexed: true }))[0]).toBe(200);
    expect(await put(acme, 'custom_A7', { type: 'date' })).toEqual([
      200,
      expectedAttribute('custom_A7', { type: 'date' }),
    ]);
    expect((await acme.call('DELETE', '/attributes/custom_A7')).status).toBe(204);
    expect(await put(acme, 'custom_More')).toEqual([201, expectedAttribute('custom_More')]);
    // The limit is per tenant.
    expect((await put(await server.tenant(), 'custom_More'))[0]).toBe(201);
  });

  it('are counted correctly under concurrency: of two concurrent declarations one is rejected', async () => {
    const acme = await server.tenant();
    await declare(acme, 999);
    const names = ['custom_X', 'custom_Y', 'custom_Z'];
    const answers = await Promise.all(names.map((name) => put(acme, name)));
    expect(answers.map(([status]) => status).sort()).toEqual([201, 409, 409]);
  });

  it('stay and can be changed if an older version accepted more', async () => {
    const acme = await server.tenant();
    await declare(acme, 1_002);
    expect((await acme.get('/attributes')).body.data).toHaveLength(4 + 1_002);
    expect(await put(acme, 'custom_A1001', { type: 'date' })).toEqual([
      200,
      expectedAttribute('custom_A1001', { type: 'date' }),
    ]);
    expect(await put(acme, 'custom_More')).toEqual([409, LIMIT_REACHED]);
    await acme.sync({ account_id: 'a', custom_A1001: '2027-01-31' });
  });
});
