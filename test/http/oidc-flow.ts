import type { Config } from '../../dist/config.js';
import { OidcSignIn } from '../../dist/http/auth/oidc.js';
import { OidcProblem } from '../../dist/http/auth/oidc-problem.js';
import type { PendingSignIn } from '../../dist/http/auth/pending-sign-in.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import { CLIENT, type OpenIdProvider } from '../support/openid-provider.js';

export type OidcSettings = NonNullable<Config['oidc']>;

const CALLBACK = '/api/v2/session/oidc/callback';
/** Nothing listens there: these tests hand the address over themselves. */
export const REDIRECT_URI = `https://accounts.example${CALLBACK}`;

export const NOW = Date.UTC(2027, 0, 31, 12);

/** The service's half of the protocol, without HTTP: what a test does with the answer of a real provider. */
export class OidcFlow {
  readonly signIn: OidcSignIn;
  now = NOW;
  elapsed = 0;

  constructor(
    readonly provider: OpenIdProvider,
    settings: Partial<OidcSettings> = {},
    timeoutMs = 5_000,
  ) {
    const all: OidcSettings = {
      issuer: provider.issuer,
      clientId: CLIENT.client_id,
      clientSecret: CLIENT.client_secret,
      name: 'Acme',
      scope: 'openid email profile',
      rolesClaim: 'groups',
      roles: [],
      trustsEmail: false,
      ...settings,
    };
    const parts = { clock: () => this.now, elapsed: () => this.elapsed, timeoutMs };
    this.signIn = new OidcSignIn(all, parts);
  }

  /** The user signs in at the provider, which leads the browser back. */
  async callback(browser = new CookieBrowser()): Promise<{ callback: URL; pending: PendingSignIn }> {
    const { url, pending } = await this.signIn.start(REDIRECT_URI, '/console/accounts');
    return { callback: await browser.follow(url, CALLBACK), pending };
  }

  async identity() {
    const { callback, pending } = await this.callback();
    return this.signIn.finish(callback, pending);
  }

  /** Code and reason of what a sign-in fails with. */
  async problem(): Promise<string[]> {
    return problemOf(this.identity());
  }
}

export async function problemOf(attempt: Promise<unknown>): Promise<string[]> {
  const error = await attempt.then(
    () => new Error('It succeeded.'),
    (reason) => reason,
  );
  if (!(error instanceof OidcProblem)) throw error;
  return [error.code, error.reason];
}
