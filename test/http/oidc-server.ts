import type { FastifyInstance } from 'fastify';
import { type Config, readConfig } from '../../dist/config.js';
import type { Store } from '../../dist/store/store.js';
import { CookieBrowser } from '../support/cookie-browser.js';
import type { Database } from '../support/databases.js';
import { CLIENT, OpenIdProvider } from '../support/openid-provider.js';
import { RunningServer } from './running-server.js';
import type { Answer } from './v2-server.js';

export const START = '/api/v2/session/oidc';
export const CALLBACK = '/api/v2/session/oidc/callback';

/** A server that listens, with a real OpenID provider that knows it. */
export class OidcServer {
  private constructor(
    readonly running: RunningServer,
    readonly provider: OpenIdProvider,
    readonly url: string,
    readonly database: Database,
  ) {}

  static async start(
    createDatabase: () => Promise<Database>,
    settings: Record<string, string> = {},
    config: Partial<Config> = {},
  ): Promise<OidcServer> {
    const [database, provider] = await Promise.all([createDatabase(), OpenIdProvider.start()]);
    const all = {
      ACCOUNT_SYNC_OIDC_ISSUER: provider.issuer,
      ACCOUNT_SYNC_OIDC_CLIENT_ID: CLIENT.client_id,
      ACCOUNT_SYNC_OIDC_CLIENT_SECRET: CLIENT.client_secret,
      ACCOUNT_SYNC_OIDC_NAME: 'Acme',
      ACCOUNT_SYNC_OIDC_SCOPE: 'openid email profile groups',
      ...settings,
    };
    const running = await RunningServer.start({
      store: { database: database.url, serving: true },
      config: { ...readConfig(all), ...config },
    });
    const url = await running.app.listen({ host: '127.0.0.1', port: 0 });
    provider.register(`${url}${CALLBACK}`);
    return new OidcServer(running, provider, url, database);
  }

  get app(): FastifyInstance {
    return this.running.app;
  }

  get store(): Store {
    return this.running.store;
  }

  /** Adds a user at the provider, who is the next to sign in. */
  addUser(subject: string, claims: Record<string, unknown> = {}): void {
    const email = `${subject}@acme.example`;
    this.provider.users.set(subject, { email, email_verified: true, name: subject, ...claims });
    this.provider.user = subject;
  }

  async addTenant(name: string): Promise<number> {
    await this.store.directory.createTenant(name, {}, 1);
    return (await this.store.directory.findTenant({ name }))?.id ?? Number.NaN;
  }

  /** Where the provider leads the browser after the user has signed in there. */
  callback(browser: CookieBrowser, returnTo = '/console/accounts'): Promise<URL> {
    const query = new URLSearchParams({ return_to: returnTo });
    return browser.follow(`${this.url}${START}?${query}`, CALLBACK);
  }

  /** The page of the console to which a whole sign-in leads. */
  async signIn(browser = new CookieBrowser(), returnTo?: string): Promise<string | null> {
    const response = await browser.get(await this.callback(browser, returnTo));
    return response.headers.get('location');
  }

  /** A request of the console in a browser. */
  async call(browser: CookieBrowser, path: string, method: 'GET' | 'POST' = 'GET'): Promise<Answer> {
    const url = new URL(`/api/v2${path}`, this.url);
    const headers = { cookie: browser.cookiesFor(url), 'x-account-sync-console': '1', 'x-request-id': 'r' };
    const response = await fetch(url, { method, headers });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.json(),
    };
  }

  /** The log lines of failed sign-ins, without times. */
  get failures(): Record<string, unknown>[] {
    return this.running.log
      .filter(({ msg }) => msg === 'sign-in failed')
      .map(({ problem, reason, address }) => ({ problem, reason, address }));
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.provider.stop();
    await this.database.remove();
  }
}
