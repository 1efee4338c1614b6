import { afterEach, expect, it, vi } from 'vitest';
import { OidcSignIn } from './oidc.js';
import { discover } from './oidc-provider.js';

const MICROSOFT = 'https://login.microsoftonline.com';
const DIRECTORY = '5b1c9a2e-0f4d-4c57-9f3a-2d1f6f0c7a11';
const settings = (issuer: string) => ({
  issuer,
  clientId: 'account-sync',
  clientSecret: undefined,
  name: 'Acme',
  scope: 'openid',
  rolesClaim: 'groups',
  roles: [],
  trustsEmail: false,
});

/** What Microsoft answers, by its documentation: below `common` the issuer is a template. */
const answerAsMicrosoft = async (url: string) => {
  const issuer = `${MICROSOFT}/${url.includes(DIRECTORY) ? DIRECTORY : '{tenantid}'}/v2.0`;
  return Response.json({ issuer, authorization_endpoint: `${MICROSOFT}/authorize` });
};

afterEach(() => void vi.unstubAllGlobals());

it('an issuer that stands for many directories is not used', async () => {
  vi.stubGlobal('fetch', answerAsMicrosoft);
  await expect(discover(settings(`${MICROSOFT}/common/v2.0`), 1_000)).rejects.toMatchObject({
    code: 'oidc_unreachable',
    reason: 'the address is that of many directories; set that of one',
  });
  const { issuer } = (await discover(settings(`${MICROSOFT}/${DIRECTORY}/v2.0`), 1_000)).serverMetadata();
  expect(issuer).toBe(`${MICROSOFT}/${DIRECTORY}/v2.0`);
});

it('a provider with HTTPS cannot lead to addresses without it', async () => {
  const issuer = 'https://login.example.com';
  vi.stubGlobal('fetch', async () =>
    Response.json({ issuer, authorization_endpoint: 'http://login.example.com/authorize' }),
  );
  const parts = { clock: () => 0, elapsed: () => 0 };
  const attempt = new OidcSignIn(settings(issuer), parts).start('https://accounts.example.com', undefined);
  await expect(attempt).rejects.toMatchObject({
    code: 'oidc_unreachable',
    reason: 'only requests to HTTPS are allowed',
  });
});
