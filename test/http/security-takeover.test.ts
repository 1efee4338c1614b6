import { describe, expect, it } from 'vitest';
import { cheapHash } from '../support/cheap-password.js';
import { databases } from '../support/databases.js';
import { dumpLasting } from '../support/dump-tables.js';
import { runStatements } from '../support/released-database.js';
import { auditOf } from './audit-of.js';
import { People, type Person, tokenIn } from './people.js';
import { NOON, problem, type Tenant, useServer } from './v2-server.js';

const FAILED = problem(401, 'sign_in_failed', 'The e-mail address or the password is not right.');
const LINK_NOT_FOUND = problem(
  404,
  'link_not_found',
  'This link is not valid: it has expired, was used, or was replaced by another. Ask for a new one.',
);

/** A link must not give more than the tenant has that made it. */
describe.each(databases)('an administrator of one tenant on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);
  const people = new People(server);

  const invite = async (tenant: Tenant, email: string, role = 'admin') =>
    tokenIn((await tenant.call('POST', '/invitations', { email, role })).body.url);
  const passwordLink = async (tenant: Tenant, { id }: Person) =>
    tokenIn((await tenant.call('POST', `/users/${id}/password-link`)).body.url);
  const redeem = (token: string, password: string, name?: string) =>
    people.send('POST', '/links/redeem', { body: { token, password, ...(name && { name }) } });

  /** Rows that a failed attempt must leave as they are. */
  const dump = () => dumpLasting(server.databaseUrl);

  async function expectRefused(answer: ReturnType<typeof redeem>, status: number, body: object) {
    const { status: got, body: text, headers } = await answer;
    expect([got, text]).toEqual([status, body]);
    expect(headers).not.toHaveProperty('set-cookie');
  }

  it('cannot take over a user of another by inviting the address and choosing a password', async () => {
    const [evil, bank] = [await server.tenant(), await server.tenant()];
    const victim = await people.join(bank, 'admin');
    const token = await invite(evil, victim.email);
    const before = await dump();
    for (const password of [
      'password-of-the-attacker',
      '',
      `${victim.password} `,
      victim.password.toUpperCase(),
    ])
      await expectRefused(redeem(token, password, 'Attacker'), 401, FAILED);
    expect(await dump()).toEqual(before);
    expect((await evil.get('/users')).body).toEqual({ data: [] });
    const signedIn = await people.signIn(victim);
    expect([signedIn.status, signedIn.body.tenants]).toEqual([201, [{ name: bank.name, role: 'admin' }]]);
  });

  it('gains nothing by choosing a password for an address that another invites later', async () => {
    const [evil, bank] = [await server.tenant(), await server.tenant()];
    const prepared = await people.join(evil, 'admin', { email: `victim-${evil.id}@bank.example` });
    const token = await invite(bank, prepared.email);
    expect((await people.signIn(prepared)).body.tenants).toEqual([{ name: evil.name, role: 'admin' }]);
    const headers = await people.session(prepared, evil);
    const switched = await people.send('PUT', '/session/tenant', { headers, body: { tenant: bank.name } });
    expect(switched.status).toBe(404);
    // Only a person with both the link and the password gets in: the bank sees a refusal, and no data of others.
    await expectRefused(redeem(token, 'password-of-the-real-one', 'Real'), 401, FAILED);
    expect((await bank.get('/users')).body).toEqual({ data: [] });
  });

  it('cannot add a password to a user who signs in without one', async () => {
    const [evil, bank] = [await server.tenant(), await server.tenant()];
    const victim = await people.join(bank, 'admin');
    await runStatements(
      server.database,
      `update app_user set password = null, oidc_issuer = 'https://issuer.example', oidc_subject = '${victim.id}'
       where id = '${victim.id}';`,
    );
    const token = await invite(evil, victim.email);
    const before = await dump();
    const message =
      'This user signs in without a password. Sign in that way, with the same e-mail address: that accepts the invitation.';
    await expectRefused(
      redeem(token, 'password-of-the-attacker', 'A'),
      409,
      problem(409, 'link_needs_identity', message),
    );
    expect(await dump()).toEqual(before);
    expect((await people.signIn({ ...victim, password: 'password-of-the-attacker' })).body).toEqual(FAILED);
  });

  it('cannot set the password of a user with a link from before the user joined another tenant', async () => {
    const [evil, bank] = [await server.tenant(), await server.tenant()];
    const victim = await people.join(evil);
    const token = await passwordLink(evil, victim);
    await people.joinAlso(victim, bank, 'admin');
    const before = await dump();
    await expectRefused(redeem(token, 'password-of-the-attacker'), 404, LINK_NOT_FOUND);
    expect(await dump()).toEqual(before);
    // Nor where the user is disabled elsewhere, who may be enabled again.
    await bank.call('PATCH', `/users/${victim.id}`, { disabled: true });
    await expectRefused(redeem(token, 'password-of-the-attacker'), 404, LINK_NOT_FOUND);
    expect((await evil.call('POST', `/users/${victim.id}/password-link`)).body.code).toBe(
      'user_of_other_tenants',
    );
    expect((await people.signIn(victim)).status).toBe(201);
  });

  it('cannot set the password of a user who has left the tenant since', async () => {
    const [evil, bank] = [await server.tenant(), await server.tenant()];
    const victim = await people.join(evil);
    const token = await passwordLink(evil, victim);
    await people.joinAlso(victim, bank, 'admin');
    await evil.call('DELETE', `/users/${victim.id}`);
    const before = await dump();
    await expectRefused(redeem(token, 'password-of-the-attacker'), 404, LINK_NOT_FOUND);
    expect(await dump()).toEqual(before);
    await bank.call('DELETE', `/users/${victim.id}`);
    await expectRefused(redeem(token, 'password-of-the-attacker'), 404, LINK_NOT_FOUND);
  });

  it('cannot touch users, invitations and links of another by their ids', async () => {
    const [evil, bank] = [await server.tenant(), await server.tenant()];
    const victim = await people.join(bank, 'admin');
    await people.session(victim, bank, `of-${victim.id}`);
    const invited = (await bank.call('POST', '/invitations', { email: 'new@bank.example', role: 'admin' }))
      .body;
    const attacker = await people.join(evil, 'admin');
    const headers = await people.session(attacker, evil);
    const { configuration: _version, ...before } = await dump();
    for (const [method, path, body] of [
      ['PATCH', `/users/${victim.id}`, { role: 'viewer', disabled: true }],
      ['DELETE', `/users/${victim.id}`, undefined],
      ['DELETE', `/users/${victim.id}/sessions`, undefined],
      ['POST', `/users/${victim.id}/password-link`, undefined],
      ['DELETE', `/invitations/${invited.id}`, undefined],
      ['DELETE', `/sessions/of-${victim.id}`, undefined],
      ['PUT', '/session/tenant', { tenant: bank.name }],
    ] as const) {
      const { status, body: text } = await people.send(method, path, { headers, body });
      expect([path, status, text.code]).toEqual([path, 404, 'not_found']);
    }
    const { configuration: _later, ...after } = await dump();
    expect(after).toEqual(before);
  });

  it('finds no password of a former user, whom it invites', async () => {
    const [bank, evil] = [await server.tenant(), await server.tenant()];
    const person = await people.join(bank, 'admin');
    await bank.call('DELETE', `/users/${person.id}`);
    expect((await people.signIn(person)).body).toEqual(FAILED);
    const token = await invite(evil, person.email, 'viewer');
    const lookedUp = await people.send('POST', '/links/look-up', { body: { token } });
    expect(lookedUp.body.has_password).toBe(false);
    const joined = await redeem(token, 'password-of-the-new-person');
    expect([joined.status, joined.body.tenants]).toEqual([201, [{ name: evil.name, role: 'viewer' }]]);
    expect((await people.signIn(person)).body).toEqual(FAILED);
    expect((await bank.get('/users')).body).toEqual({ data: [] });
    // The person who set that password can come back to the first tenant only if it invites the address again.
    const again = await invite(bank, person.email, 'viewer');
    await expectRefused(redeem(again, person.password), 401, FAILED);
  });

  it('cannot enable or promote a member with an invitation that is left over', async () => {
    const acme = await server.tenant();
    const token = await invite(acme, 'left-over@example.com');
    const by = { role: 'viewer', email: 'left-over@example.com', name: 'Left over' } as const;
    await runStatements(
      server.database,
      `insert into app_user (id, email, name, password, created_at)
       values ('usr_left${acme.id}', '${by.email}', '${by.name}', '${cheapHash('password-of-left-over')}', ${NOON});
       insert into membership (tenant_id, user_id, role, origin, created_at, disabled_at)
       values (${acme.id}, 'usr_left${acme.id}', 'viewer', 'oidc', ${NOON}, ${NOON});`,
    );
    await expectRefused(redeem(token, 'password-of-left-over'), 404, LINK_NOT_FOUND);
    expect((await acme.get('/users')).body.data).toMatchObject([{ role: 'viewer', state: 'disabled' }]);
  });

  it('who has lost the role cannot use it, also not with a request that is repeated', async () => {
    const acme = await server.tenant();
    const [first, second] = [await people.join(acme, 'admin'), await people.join(acme, 'admin')];
    const [ofFirst, ofSecond] = [await people.session(first, acme), await people.session(second, acme)];
    const demote = (headers: Record<string, string>, { id }: Person) =>
      people.send('PATCH', `/users/${id}`, { headers, body: { role: 'viewer' } });
    expect((await demote(ofFirst, second)).status).toBe(200);
    const back = await people.send('PATCH', `/users/${second.id}`, {
      headers: ofSecond,
      body: { role: 'admin' },
    });
    const message = 'This needs the role admin, and yours is viewer.';
    expect([back.status, back.body]).toEqual([403, problem(403, 'role_missing', message)]);
    expect((await demote(ofSecond, first)).status).toBe(403);
    for (const [path, body] of [
      ['/invitations', { email: 'friend@example.com', role: 'admin' }],
      ['/keys', { scopes: ['admin'] }],
    ] as const)
      expect((await people.send('POST', path, { headers: ofSecond, body })).status).toBe(403);
    expect((await auditOf(acme)).at(-1)?.slice(0, 3)).toEqual(['user.change', second.email, first.id]);
  });
});
