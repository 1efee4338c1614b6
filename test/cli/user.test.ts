import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, databases } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { runStatements } from '../support/released-database.js';
import { run, runJson } from '../support/service.js';

const DAY_MS = 86_400_000;
const SHORT_TIME = /\d{4}-\d\d-\d\d \d\d:\d\d UTC/g;

describe.each(databases)('users on the command line on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let named: string;
  let tenant: string;
  let tenantId: number;
  let email: string;
  let tests = 0;
  beforeAll(async () => {
    database = await createDatabase();
    store = await openStore({ database: database.url });
    named = `Database: ${store.location}\n`;
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });
  beforeEach(async () => {
    tests += 1;
    tenant = `tenant-${tests}`;
    email = `u${tests}@acme.example`;
    tenantId = await addTenant(tenant);
  });

  const addTenant = async (name: string) => {
    await store.directory.createTenant(name, {}, 1);
    return (await store.directory.findTenant({ name }))?.id ?? 0;
  };
  const json = (...args: string[]) => runJson(database.settings, 'user', ...args);
  const text = (args: string[], settings = {}) =>
    run(['user', ...args], { ...database.settings, ...settings });
  const join = (given: object = {}) => joinTenant(store, tenantId, { email, name: 'Someone', ...given });
  const failure = async (...args: string[]) => {
    const { status, stdout, stderr } = await text(args);
    expect([status, stdout]).toEqual([1, '']);
    return stderr.replace(named, '').trimEnd();
  };
  const tokenIn = (output: string) => /#(lnk_[\w-]{43})\b/.exec(output)?.[1] ?? '';
  const linkIn = (output: string) => store.directory.links.find(hashKey(tokenIn(output)));
  const list = async () => json('list', tenant);

  describe('invite', () => {
    it('shows a link that lets the person join, once', async () => {
      const { status, stdout, stderr } = await text([
        'invite',
        tenant,
        ` ${email.toUpperCase()}`,
        '--role',
        'admin',
      ]);
      expect([status, stderr]).toEqual([0, named]);
      const link = await linkIn(stdout);
      expect(stdout.replace(SHORT_TIME, 'TIME')).toBe(
        [
          `Link     http://127.0.0.1:8080/console/welcome#${tokenIn(stdout)}`,
          `User     ${email}`,
          `Tenant   ${tenant}`,
          'Role     admin',
          'Expires  TIME',
          '',
          'Send it to the person: it is shown only once, and works once.',
          'If browsers reach the server at another address, set ACCOUNT_SYNC_PUBLIC_URL.',
          '',
        ].join('\n'),
      );
      expect(link).toMatchObject({ kind: 'invitation', tenantId, email, role: 'admin', createdBy: null });
      expect((link?.expiresAt ?? 0) - (link?.createdAt ?? 0)).toBeCloseTo(7 * DAY_MS, -5);
      const user = await store.directory.links.redeem(
        hashKey(tokenIn(stdout)),
        { name: 'Someone', newPassword: 'p1' },
        Date.now(),
        'r',
      );
      expect(await store.directory.users.member(tenantId, user.id)).toMatchObject({ email, role: 'admin' });
    });

    it('prints JSON', async () => {
      const invited = await json('invite', tenant, email, '--role', 'viewer');
      const link = await linkIn(invited.url);
      expect(invited).toEqual({
        id: link?.id,
        email,
        tenant,
        role: 'viewer',
        created_at: new Date(link?.createdAt ?? 0).toISOString(),
        expires_at: new Date(link?.expiresAt ?? 0).toISOString(),
        url: `http://127.0.0.1:8080/console/welcome#${tokenIn(invited.url)}`,
      });
    });

    it.each([
      [{ ACCOUNT_SYNC_PUBLIC_URL: 'https://sync.example' }, 'https://sync.example'],
      [{ ACCOUNT_SYNC_PUBLIC_URL: 'https://sync.example', ACCOUNT_SYNC_PORT: '0' }, 'https://sync.example'],
      [{ ACCOUNT_SYNC_HOST: '0.0.0.0', ACCOUNT_SYNC_PORT: '9000' }, 'http://127.0.0.1:9000'],
      [{ ACCOUNT_SYNC_HOST: 'sync.example' }, 'http://sync.example:8080'],
      [{ ACCOUNT_SYNC_HOST: '::1' }, 'http://[::1]:8080'],
      [{ ACCOUNT_SYNC_TLS_CERT: 'c.pem', ACCOUNT_SYNC_TLS_KEY: 'k.pem' }, 'https://127.0.0.1:8080'],
    ])('with %j has the address %s', async (settings, address) => {
      const { stdout } = await text(['invite', tenant, email, '--role', 'viewer'], settings);
      expect(stdout).toContain(`Link     ${address}/console/welcome#lnk_`);
      expect(stdout.includes('set ACCOUNT_SYNC_PUBLIC_URL')).toBe(!('ACCOUNT_SYNC_PUBLIC_URL' in settings));
    });

    it('makes no link without the address of the server', async () => {
      const args = ['invite', tenant, email, '--role', 'viewer'];
      expect(await text(args, { ACCOUNT_SYNC_PORT: '0' })).toEqual({
        status: 1,
        stdout: '',
        stderr:
          'The link needs the address of the server, but ACCOUNT_SYNC_PORT is 0. Set ACCOUNT_SYNC_PUBLIC_URL to the address that browsers use.\n',
      });
      expect(await list()).toEqual({ users: [], invitations: [] });
    });

    it('replaces the earlier invitation', async () => {
      const first = await json('invite', tenant, email, '--role', 'viewer');
      const second = await json('invite', tenant, email, '--role', 'admin');
      expect((await list()).invitations).toMatchObject([{ id: second.id, role: 'admin' }]);
      expect(await linkIn(first.url)).toBeUndefined();
    });

    it('does not invite who belongs to the tenant', async () => {
      const { id } = await join({ role: 'viewer' });
      const again = ['invite', tenant, email, '--role', 'admin'];
      expect(await failure(...again)).toBe(
        `${email} is already viewer in ${tenant}. Change the role with: account-sync user set ${tenant} ${email} --role <role>`,
      );
      await store.directory.users.change(tenantId, id, { isDisabled: true });
      expect(await failure(...again)).toBe(
        `${email} is already viewer in ${tenant}, but disabled. Enable the user with: account-sync user set ${tenant} ${email} --enable`,
      );
      expect((await list()).invitations).toEqual([]);
    });

    it.each([
      [
        ['nobody', '--role', 'viewer'],
        '"nobody" is not an e-mail address. Give one such as colleague@acme.example.',
      ],
      [
        ['a@b@c', '--role', 'viewer'],
        '"a@b@c" is not an e-mail address. Give one such as colleague@acme.example.',
      ],
      [['a@b.example'], "error: required option '--role <role>' not specified"],
      [['a@b.example', '--role', 'owner'], 'Allowed choices are viewer, editor, admin.'],
    ])('does not accept %j', async (args, message) => {
      expect(await failure('invite', tenant, ...args)).toContain(message);
      expect(await list()).toEqual({ users: [], invitations: [] });
    });

    it('reports that the tenant is full', async () => {
      await runStatements(
        database,
        `insert into one_time_link (id, hash, kind, tenant_id, email, role, created_at, expires_at)
           with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
           select '${tests}-' || i, '${tests}-' || i, 'invitation', ${tenantId}, i || '@acme.example', 'viewer', 1,
             ${Date.now() + DAY_MS} from n`,
      );
      expect(await failure('invite', tenant, email, '--role', 'viewer')).toBe(
        'A tenant may not have more than 1000 users and 1000 invitations. Remove one first.',
      );
    });
  });

  describe('list', () => {
    it('is empty at first', async () => {
      expect((await text(['list', tenant])).stdout).toBe(
        `No users yet. Invite one with: account-sync user invite ${tenant} <email> --role <role>\n`,
      );
      expect(await list()).toEqual({ users: [], invitations: [] });
    });

    it('shows the users with their state, how they sign in and when they did, and open invitations', async () => {
      const active = await join({ role: 'admin', name: 'A' });
      const disabled = await join({ email: `b-${email}`, name: 'B', role: 'viewer' });
      const both = await join({ email: `c-${email}`, name: 'C' });
      const identity = (id: string) =>
        `oidc_issuer = 'https://idp.example', oidc_subject = '${id}' where id = '${id}'`;
      await runStatements(database, `update app_user set password = null, ${identity(disabled.id)}`);
      await runStatements(database, `update app_user set ${identity(both.id)}`);
      await store.directory.users.change(tenantId, disabled.id, { isDisabled: true });
      await store.directory.users.recordUse([
        { tenantId, userId: active.id, at: Date.UTC(2027, 0, 31, 12, 5) },
      ]);
      const invited = await json('invite', tenant, `new-${email}`, '--role', 'viewer');
      const { stdout } = await text(['list', tenant]);
      const cells = stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/));
      const short = (time: string) => `${time.slice(0, 16).replace('T', ' ')} UTC`;
      expect(cells).toEqual([
        ['USER', 'NAME', 'ROLE', 'STATE', 'SIGN-IN', 'LAST USED'],
        [email, 'A', 'admin', 'active', 'password', '2027-01-31 12:05 UTC'],
        [`b-${email}`, 'B', 'viewer', 'disabled', 'OpenID Connect', '–'],
        [`c-${email}`, 'C', 'editor', 'active', 'password, OpenID Connect', '–'],
        [''],
        ['INVITED', 'ROLE', 'CREATED', 'EXPIRES'],
        [`new-${email}`, 'viewer', short(invited.created_at), short(invited.expires_at)],
      ]);
      const user = { origin: 'invitation', state: 'active', has_password: true, has_oidc: false };
      const times = { joined_at: new Date(150).toISOString(), last_used_at: null };
      expect(await list()).toEqual({
        users: [
          {
            ...{ id: active.id, email, name: 'A', role: 'admin', ...user, ...times },
            last_used_at: '2027-01-31T12:05:00.000Z',
          },
          {
            ...{ id: disabled.id, email: `b-${email}`, name: 'B', role: 'viewer', ...user, ...times },
            ...{ state: 'disabled', has_password: false, has_oidc: true },
          },
          { id: both.id, email: `c-${email}`, name: 'C', role: 'editor', ...user, ...times, has_oidc: true },
        ],
        invitations: [
          {
            id: invited.id,
            email: `new-${email}`,
            role: 'viewer',
            created_at: invited.created_at,
            expires_at: invited.expires_at,
            created_by: null,
          },
        ],
      });
    });
  });
});
