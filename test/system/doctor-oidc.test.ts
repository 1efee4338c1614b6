import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { freshSqlite } from '../support/databases.js';
import { OpenIdProvider } from '../support/openid-provider.js';
import { run } from '../support/service.js';

it('doctor names an OpenID provider that cannot be used, and tenants of its roles that do not exist', async () => {
  const database = await freshSqlite();
  const provider = await OpenIdProvider.start();
  onTestFinished(async () => {
    await provider.stop();
    await database.remove();
  });
  provider.register('https://accounts.example/api/v2/session/oidc/callback');
  const { issuer } = provider;
  const settings = {
    ...database.settings,
    ACCOUNT_SYNC_OIDC_ISSUER: issuer,
    ACCOUNT_SYNC_OIDC_CLIENT_ID: 'account-sync',
    ACCOUNT_SYNC_OIDC_CLIENT_SECRET: 'the secret of the client',
    ACCOUNT_SYNC_OIDC_ROLES: 'ops=acme:admin, cs=trial:viewer, *=trial:viewer',
  };
  const check = 'OpenID provider';
  const findings = async (changes: Record<string, string> = {}) => {
    const { status, stdout, stderr } = await run(['doctor', '--json'], { ...settings, ...changes });
    expect(stdout + stderr).not.toContain('the secret of the client');
    const all: { check: string }[] = JSON.parse(stdout).findings;
    return [status, all.filter((one) => one.check === check)];
  };
  const store = await openStore({ database: database.url });
  await store.directory.createTenant('acme', {}, 1);
  await store.close();
  const ok = { check, state: 'ok', found: `${issuer} answers` };
  const missing = {
    check,
    state: 'warning',
    found: 'ACCOUNT_SYNC_OIDC_ROLES gives roles in the tenant trial, which does not exist',
    advice: 'Create it with: account-sync tenant create trial',
  };
  expect(await findings()).toEqual([0, [ok, missing]]);
  expect(await findings({ ACCOUNT_SYNC_OIDC_ROLES: 'ops=acme:admin' })).toEqual([0, [ok]]);
  const unusable = (found: string, reason: string) => ({
    check,
    state: 'failed',
    found: `${found} cannot be used: ${reason}`,
    advice:
      'Correct ACCOUNT_SYNC_OIDC_ISSUER, or let this machine reach the provider. Nobody can sign in there.',
  });
  const elsewhere = `${issuer}/elsewhere`;
  expect(await findings({ ACCOUNT_SYNC_OIDC_ISSUER: elsewhere })).toEqual([
    1,
    [unusable(elsewhere, 'unexpected HTTP response status code: 404'), missing],
  ]);
  await provider.stop();
  expect(await findings()).toEqual([1, [unusable(issuer, 'ECONNREFUSED'), missing]]);
  const off = { ACCOUNT_SYNC_SIGN_IN: 'password,key' };
  expect(await findings(off)).toEqual([0, []]);
});
