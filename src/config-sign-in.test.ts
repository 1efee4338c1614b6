import { describe, expect, it } from 'vitest';
import { BadConfig, readConfig } from './config.js';
import type { Environment } from './setting-values.js';

const ISSUER = 'https://login.example.com/realms/acme';

const prefixed = (settings: Environment) =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`ACCOUNT_SYNC_${name}`, value]));
const oidc = (settings: Environment) =>
  readConfig(prefixed({ OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'account-sync', ...settings })).oidc;

const defaults = {
  issuer: ISSUER,
  clientId: 'account-sync',
  clientSecret: undefined,
  name: 'login.example.com',
  scope: 'openid email profile',
  rolesClaim: 'groups',
  roles: [],
  trustsEmail: false,
};

describe('the settings of sign-in by OpenID Connect', () => {
  it('are off without an issuer, and on with one', () => {
    expect(readConfig({})).toMatchObject({ signInMethods: ['password', 'key'], oidc: undefined });
    const config = readConfig(prefixed({ OIDC_ISSUER: ISSUER, OIDC_CLIENT_ID: 'account-sync' }));
    expect(config).toMatchObject({ signInMethods: ['password', 'key', 'oidc'], oidc: defaults });
  });

  it.each([
    ['SIGN_IN', 'oidc', {}],
    ['OIDC_ISSUER', 'http://localhost:8080', { issuer: 'http://localhost:8080', name: 'localhost:8080' }],
    ['OIDC_ISSUER', 'http://127.0.0.1/oidc', { issuer: 'http://127.0.0.1/oidc', name: '127.0.0.1' }],
    ['OIDC_ISSUER', 'http://[::1]:8080', { issuer: 'http://[::1]:8080', name: '[::1]:8080' }],
    ['OIDC_CLIENT_SECRET', ' s3cret ', { clientSecret: 's3cret' }],
    ['OIDC_NAME', 'Acme single sign-on', { name: 'Acme single sign-on' }],
    ['OIDC_SCOPE', 'openid  email groups', { scope: 'openid email groups' }],
    ['OIDC_ROLES_CLAIM', 'realm_access.roles', { rolesClaim: 'realm_access.roles' }],
    ['OIDC_ROLES', 'ops=default:admin', { roles: [{ value: 'ops', tenant: 'default', role: 'admin' }] }],
    ['OIDC_TRUST_EMAIL', 'true', { trustsEmail: true }],
    ['OIDC_TRUST_EMAIL', 'false', {}],
  ])('%s = %j', (name, value, expected) => {
    expect(oidc({ [name]: value })).toEqual({ ...defaults, ...expected });
  });

  it('can be turned off while they are set', () => {
    expect(oidc({ SIGN_IN: 'password' })).toBeUndefined();
  });

  const ISSUER_RULE =
    'ACCOUNT_SYNC_OIDC_ISSUER must be the HTTPS address of an OpenID provider, without /.well-known/openid-configuration; it is';
  const ROLES_RULE =
    'ACCOUNT_SYNC_OIDC_ROLES must be rules such as cs-team=default:editor, separated by commas: the value of a claim, a tenant, and viewer, editor or admin; it is';
  const SCOPE_RULE = 'ACCOUNT_SYNC_OIDC_SCOPE must be scopes separated by spaces, openid among them; it is';

  it.each([
    [{ OIDC_ISSUER: 'login.example.com' }, `${ISSUER_RULE} "login.example.com".`],
    [{ OIDC_ISSUER: 'http://login.example.com' }, `${ISSUER_RULE} "http://login.example.com".`],
    [{ OIDC_ISSUER: 'http://127.example.com' }, `${ISSUER_RULE} "http://127.example.com".`],
    [{ OIDC_ISSUER: 'ftp://localhost' }, `${ISSUER_RULE} "ftp://localhost".`],
    [{ OIDC_ISSUER: 'https://me@login.example.com' }, `${ISSUER_RULE} "https://me@login.example.com".`],
    [{ OIDC_ISSUER: `${ISSUER}?x=1` }, `${ISSUER_RULE} "${ISSUER}?x=1".`],
    [{ OIDC_ISSUER: `${ISSUER}#x` }, `${ISSUER_RULE} "${ISSUER}#x".`],
    [
      { OIDC_ISSUER: `${ISSUER}/.well-known/openid-configuration` },
      `${ISSUER_RULE} "${ISSUER}/.well-known/openid-configuration".`,
    ],
    [{ OIDC_SCOPE: 'email profile' }, `${SCOPE_RULE} "email profile".`],
    [{ OIDC_SCOPE: 'openid "email"' }, `${SCOPE_RULE} ${JSON.stringify('openid "email"')}.`],
    [{ OIDC_ROLES: 'ops=default:owner' }, `${ROLES_RULE} "ops=default:owner".`],
    [{ OIDC_TRUST_EMAIL: 'yes' }, 'ACCOUNT_SYNC_OIDC_TRUST_EMAIL must be true or false; it is "yes".'],
    [
      { OIDC_TRUST_EMAIL: 'toString' },
      'ACCOUNT_SYNC_OIDC_TRUST_EMAIL must be true or false; it is "toString".',
    ],
    [
      { OIDC_CLIENT_ID: '' },
      'ACCOUNT_SYNC_OIDC_ISSUER is set, but ACCOUNT_SYNC_OIDC_CLIENT_ID is not. Set both, or neither for no sign-in by OpenID Connect.',
    ],
    [
      { OIDC_ISSUER: '' },
      'ACCOUNT_SYNC_OIDC_CLIENT_ID is set, but ACCOUNT_SYNC_OIDC_ISSUER is not. Set it to the address of the OpenID provider.',
    ],
    [
      { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: 's3cret' },
      'ACCOUNT_SYNC_OIDC_CLIENT_SECRET is set, but ACCOUNT_SYNC_OIDC_ISSUER is not. Set it to the address of the OpenID provider.',
    ],
    [
      { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', SIGN_IN: 'password, oidc' },
      'ACCOUNT_SYNC_SIGN_IN has oidc, but ACCOUNT_SYNC_OIDC_ISSUER is not set. Set it to the address of the OpenID provider.',
    ],
  ])('rejects %j with one sentence', (settings: Environment, problem) => {
    expect(() => oidc(settings)).toThrow(new BadConfig([problem]));
  });

  it('is no sentence that repeats the secret, whatever else is wrong', () => {
    const settings = { OIDC_CLIENT_SECRET: 's3cret', OIDC_SCOPE: 'email', OIDC_ROLES: 'ops', SIGN_IN: 'sso' };
    expect(() => oidc(settings)).toThrow(BadConfig);
    expect(() => oidc(settings)).not.toThrow(/s3cret/);
  });
});
