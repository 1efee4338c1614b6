import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TooManyUsers } from '../../dist/store/errors.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, databases } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { runStatements } from '../support/released-database.js';
import { createTenant } from './store-contract.js';

const REFUSAL = 'A tenant may not have more than 1000 users and 1000 invitations. Remove one first.';
const NUMBERS = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 999)';

describe.each(databases)('a tenant on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let tenantId: number;
  let other: number;

  beforeEach(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
    tenantId = await createTenant(store, 'acme');
    other = await createTenant(store, 'other');
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  const invite = (email: string, tenant = tenantId) => {
    const link = { hash: `hash for ${email}`, email, expiresAt: 1_000 };
    const by = { at: 100, senderId: null, requestId: null };
    return store.directory.links.invite(tenant, 'viewer', link, by);
  };
  const redeem = (email: string) =>
    store.directory.links.redeem(`hash for ${email}`, { newPassword: 'p' }, 200, 'r');
  const expectRefused = async (attempt: Promise<unknown>) => {
    await expect(attempt).rejects.toThrow(TooManyUsers);
    await expect(attempt).rejects.toThrow(REFUSAL);
  };

  it('has at most 1,000 users, disabled ones included', async () => {
    await runStatements(
      database,
      `insert into membership (tenant_id, user_id, role, origin, created_at, disabled_at)
         ${NUMBERS} select ${tenantId}, 'usr_' || i, 'viewer', 'invitation', 1, 2 from n`,
    );
    await invite('last@acme.example');
    await invite('late@acme.example');
    const { id } = await redeem('last@acme.example');
    await expectRefused(redeem('late@acme.example'));
    expect(await store.directory.users.find({ email: 'late@acme.example' })).toBeUndefined();
    await joinTenant(store, other, { email: 'elsewhere@acme.example' });
    // The link works as soon as there is room: a former user does not count.
    await store.directory.users.remove(tenantId, id);
    await redeem('late@acme.example');
  });

  it('has at most 1,000 open links; expired ones do not count', async () => {
    await runStatements(
      database,
      `insert into one_time_link (id, hash, kind, tenant_id, email, role, created_at, expires_at)
         ${NUMBERS} select 'id' || i, 'hash' || i, 'invitation', ${tenantId}, 'u' || i || '@acme.example',
           'viewer', 1, 1000 from n`,
    );
    await invite('last@acme.example');
    await expectRefused(invite('late@acme.example'));
    await expectRefused(
      store.directory.links.allowPassword(
        tenantId,
        {
          hash: 'password',
          email: 'u1@acme.example',
          expiresAt: 1_000,
        },
        { at: 100, senderId: null, requestId: null },
      ),
    );
    // The same person again replaces the invitation, and another tenant has its own limit.
    await invite('last@acme.example');
    await invite('late@acme.example', other);
    await runStatements(database, `update one_time_link set expires_at = 100 where id = 'id1'`);
    expect(await invite('late2@acme.example')).toMatchObject({ email: 'late2@acme.example' });
  });
});
