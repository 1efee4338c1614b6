import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashKey } from '../../dist/domain/api-key.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, databases } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { runStatements } from '../support/released-database.js';
import { run, runJson } from '../support/service.js';

const DAY_MS = 86_400_000;

describe.each(databases)('changes of users on the command line on %s', (_name, createDatabase) => {
  let database: Database;
  let store: Store;
  let named: string;
  let tenant: string;
  let tenantId: number;
  let other: number;
  let email: string;
  let userId: string;
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
    other = await addTenant(`other-${tests}`);
    userId = (await joinTenant(store, tenantId, { email, name: 'Someone', role: 'viewer' })).id;
  });

  const addTenant = async (name: string) => {
    await store.directory.createTenant(name, {}, 1);
    return (await store.directory.findTenant({ name }))?.id ?? 0;
  };
  const json = (...args: string[]) => runJson(database.settings, 'user', ...args);
  const output = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['user', ...args], database.settings);
    expect([status, stderr]).toEqual([0, named]);
    return stdout;
  };
  const failure = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['user', ...args], database.settings);
    expect([status, stdout]).toEqual([1, '']);
    return stderr.replace(named, '').trimEnd();
  };
  const member = () => store.directory.users.member(tenantId, userId);
  const signIn = (name: string, tenantOf: number) =>
    store.directory.sessions.create({
      ...{ hash: `${name}-${tests}`, id: name, tenantId: tenantOf, senderId: userId, userAgent: null },
      ...{ createdAt: Date.now(), expiresAt: Date.now() + DAY_MS },
    });
  const sessions = async () => (await store.directory.sessions.list(userId, Date.now())).map(({ id }) => id);
  const applied = 'A running server applies this within a second.';

  it('set changes the role, disables and enables', async () => {
    expect(await output('set', tenant, email.toUpperCase(), '--role', 'editor')).toBe(
      `${email} is now editor in ${tenant}. ${applied}\n`,
    );
    expect(await member()).toMatchObject({ role: 'editor', disabledAt: null });
    await signIn('here', tenantId);
    expect(await output('set', tenant, email, '--disable')).toBe(
      `${email} is now editor in ${tenant}, disabled. ${applied}\n`,
    );
    expect(await sessions()).toEqual([]);
    expect(await json('set', tenant, email, '--enable', '--role', 'admin')).toEqual({
      id: userId,
      email,
      name: 'Someone',
      role: 'admin',
      state: 'active',
      origin: 'invitation',
      has_password: true,
      has_oidc: false,
      joined_at: new Date(150).toISOString(),
      last_used_at: null,
    });
    expect(await member()).toMatchObject({ role: 'admin', disabledAt: null });
    const [entry] = await store.directory.audit(tenantId, undefined, 1);
    expect(entry).toMatchObject({ senderId: null, requestId: null, action: 'user.change', subject: email });
  });

  it('set says that claims decide on the role', async () => {
    await runStatements(database, `update membership set origin = 'oidc' where user_id = '${userId}'`);
    expect(await output('set', tenant, email, '--role', 'editor')).toBe(
      `${email} is now editor in ${tenant}. ${applied}\n` +
        'The role comes from OpenID Connect: the next sign-in of the user sets it again.\n',
    );
    expect(await output('set', tenant, email, '--disable')).not.toContain('OpenID');
  });

  it('set needs something to change, and not both states', async () => {
    expect(await failure('set', tenant, email)).toBe(
      'Nothing to change: give --role, --disable or --enable.',
    );
    expect(await failure('set', tenant, email, '--enable', '--disable')).toContain(
      "error: option '--disable' cannot be used with option '--enable'",
    );
    expect(await failure('set', tenant, email, '--role', 'owner')).toContain('viewer, editor, admin');
    expect(await member()).toMatchObject({ role: 'viewer', disabledAt: null });
  });

  it('remove ends the sessions and the password', async () => {
    await signIn('here', tenantId);
    expect(await output('remove', tenant, email)).toBe(
      `Removed ${email} from ${tenant}. A running server signs the user out within a second.\n`,
    );
    expect([await member(), await sessions()]).toEqual([undefined, []]);
    expect((await store.directory.users.find({ email }))?.password).toBeNull();
    await joinTenant(store, tenantId, { email });
    expect(await json('remove', tenant, email)).toEqual({ email, removed: 'user' });
  });

  it('remove withdraws an invitation', async () => {
    const { url } = await json('invite', tenant, `new-${email}`, '--role', 'viewer');
    expect(await output('remove', tenant, `new-${email}`)).toBe(
      `Withdrew the invitation of new-${email}. Its link no longer works.\n`,
    );
    expect(await store.directory.links.find(hashKey(url.split('#')[1]))).toBeUndefined();
    await json('invite', tenant, `new-${email}`, '--role', 'viewer');
    expect(await json('remove', tenant, `new-${email}`)).toEqual({
      email: `new-${email}`,
      removed: 'invitation',
    });
  });

  it.each([['set', '--disable'], ['remove']])(
    '%s reports who does not belong to the tenant',
    async (command, ...options) => {
      const message = `The tenant other-${tests} has no user ${email}. List its users with: account-sync user list other-${tests}`;
      expect(await failure(command, `other-${tests}`, email, ...options)).toBe(message);
      expect(await failure(command, 'nowhere', email, ...options)).toContain(
        'The tenant nowhere does not exist.',
      );
      expect(await failure(command, tenant, 'nobody', ...options)).toContain(
        '"nobody" is not an e-mail address.',
      );
      expect(await member()).toMatchObject({ disabledAt: null });
    },
  );

  it('set reports who was invited and is no user yet', async () => {
    await json('invite', tenant, `new-${email}`, '--role', 'viewer');
    expect(await failure('set', tenant, `new-${email}`, '--role', 'admin')).toBe(
      `new-${email} has not accepted the invitation to ${tenant} yet. To change it, invite again: account-sync user invite ${tenant} new-${email} --role <role>`,
    );
  });

  it('reset-password shows a link for a day, in whatever tenants the user is', async () => {
    await joinTenant(store, other, { email });
    const stdout = await output('reset-password', email);
    const [token = ''] = /lnk_[\w-]{43}/.exec(stdout) ?? [];
    const link = await store.directory.links.find(hashKey(token));
    expect(link).toMatchObject({ kind: 'password', tenantId: null, email, role: null, createdBy: null });
    expect((link?.expiresAt ?? 0) - (link?.createdAt ?? 0)).toBeCloseTo(DAY_MS, -5);
    expect(stdout.replace(/\d{4}-.*UTC/, 'TIME')).toBe(
      [
        `Link     http://127.0.0.1:8080/console/welcome#${token}`,
        `User     ${email}`,
        `Tenants  other-${tests}, ${tenant}`,
        'Expires  TIME',
        '',
        'Send it to the person: it is shown only once, and works once.',
        'The old password works until the link is used.',
        'If browsers reach the server at another address, set ACCOUNT_SYNC_PUBLIC_URL.',
        '',
      ].join('\n'),
    );
    await store.directory.links.redeem(hashKey(token), { newPassword: 'p2' }, Date.now(), 'r');
    expect((await member())?.password).toBe('p2');
  });

  it('reset-password prints JSON', async () => {
    const reset = await json('reset-password', email);
    expect(reset).toEqual({
      email,
      tenants: [tenant],
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8080\/console\/welcome#lnk_[\w-]{43}$/),
    });
  });

  it('reset-password makes no link for who cannot sign in', async () => {
    const advice =
      `${email} cannot sign in to any tenant, so a password would be of no use. ` +
      `Invite the person again: account-sync user invite <tenant> ${email} --role <role> – or, ` +
      `if disabled in a tenant: account-sync user set <tenant> ${email} --enable`;
    await json('set', tenant, email, '--disable');
    expect(await failure('reset-password', email)).toBe(advice);
    await json('remove', tenant, email);
    expect(await failure('reset-password', email)).toBe(advice);
    const unknown = `There is no user nobody@acme.example. Invite the person with: account-sync user invite <tenant> nobody@acme.example --role <role>`;
    expect(await failure('reset-password', 'nobody@acme.example')).toBe(unknown);
    expect(await failure('end-sessions', 'nobody@acme.example')).toBe(unknown);
  });

  it('end-sessions signs the user out of all tenants, which each of them records', async () => {
    await joinTenant(store, other, { email });
    for (const name of ['first', 'second']) await signIn(name, tenantId);
    await signIn('third', other);
    expect(await output('end-sessions', email)).toBe(`Ended 3 sessions of ${email}.\n`);
    expect(await sessions()).toEqual([]);
    for (const [id, count] of [
      [tenantId, 2],
      [other, 1],
    ] as const) {
      const [entry] = await store.directory.audit(id, undefined, 1);
      expect(entry).toMatchObject({ action: 'user.end-sessions', subject: email, to: { sessions: count } });
    }
    await signIn('fourth', tenantId);
    expect(await output('end-sessions', email)).toBe(`Ended 1 session of ${email}.\n`);
    expect(await json('end-sessions', email)).toEqual({ email, ended: 0 });
  });
});
