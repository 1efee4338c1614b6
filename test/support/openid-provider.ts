import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type AdapterPayload, type ClientMetadata } from 'oidc-provider';
import { memoryAdapter } from './memory-adapter.js';

export const CLIENT = { client_id: 'account-sync', client_secret: 'a secret: with/odd+characters' };

/** Shared by all providers, because it takes longer to make one than to sign in. */
const FIRST_KEY = newKey();

type Claims = Record<string, unknown>;

/** What a test may do to an ID token, which is then signed again. */
export interface Forgery {
  readonly claims?: Claims;
  readonly header?: Claims;
  /** Another key than that of the provider. */
  readonly key?: KeyObject;
}

/** How the provider fails on a path, such as `/token`. */
type Failure = (request: IncomingMessage, response: ServerResponse) => void;

/** A real OpenID provider on this machine. Its sign-in page answers by itself, for the user that `user` names. */
export class OpenIdProvider {
  /** The claims of each user. */
  readonly users = new Map<string, Claims>();
  /** Who signs in next; undefined: the user cancels. */
  user: string | undefined;
  /** Changes every ID token. */
  forgery: Forgery | undefined;
  /** By path. */
  readonly failures = new Map<string, Failure>();
  /** The paths of all requests, in order. */
  readonly requests: string[] = [];
  /** How the service is registered, besides its id, secret and addresses. */
  clientMetadata: Partial<ClientMetadata> = {};
  readonly #server: Server;
  readonly #stored = new Map<string, AdapterPayload>();
  #provider: Provider | undefined;
  #key = FIRST_KEY;
  #redirectUris: readonly string[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  /** On a free port, unless `port` names one. */
  static async start(port = 0): Promise<OpenIdProvider> {
    const server = createServer();
    const provider = new OpenIdProvider(server);
    server.on('request', (request, response) => provider.#serve(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return provider;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Registers the service with these addresses. */
  register(...redirectUris: string[]): void {
    this.#redirectUris = redirectUris;
    this.#provider = this.#create();
  }

  /** The provider signs with a new key, and does not publish the old one any more. */
  rotateKey(): void {
    this.#key = newKey();
    this.#provider = this.#create();
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { pathname } = new URL(request.url ?? '', this.issuer);
    this.requests.push(pathname);
    const failure = this.failures.get(pathname);
    if (failure !== undefined) failure(request, response);
    else if (pathname.startsWith('/interaction/')) void this.#signIn(request, response);
    else void this.#provider?.callback()(request, response);
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const result =
      this.user === undefined
        ? { error: 'access_denied', error_description: 'The user does not want to.' }
        : { login: { accountId: this.user } };
    await this.#provider?.interactionFinished(request, response, result);
  }

  #create(): Provider {
    const provider = new Provider(this.issuer, {
      adapter: (model) => memoryAdapter(model, this.#stored),
      clients: [{ ...CLIENT, ...this.clientMetadata, redirect_uris: [...this.#redirectUris] }],
      jwks: {
        keys: [{ ...this.#key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: kidOf(this.#key) }],
      },
      cookies: { keys: [randomUUID()] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'preferred_username'],
        groups: ['groups', 'realm_access'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...this.users.get(sub), sub }) }),
      // What the user consents to, without asking.
      loadExistingGrant: async ({ oidc }) => {
        const { client, session } = oidc;
        const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
      ttl: {
        AccessToken: 600,
        AuthorizationCode: 60,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        Session: 600,
      },
    });
    provider.use(async (context, next) => {
      await next();
      this.#forge(context);
    });
    return provider;
  }

  #forge({ path, body }: { readonly path: string; body: unknown }): void {
    const token = (body as { id_token?: string } | undefined)?.id_token;
    if (this.forgery === undefined || path !== '/token' || token === undefined) return;
    const { claims, header, key = this.#key } = this.forgery;
    const [head = '', payload = ''] = token.split('.');
    const parts = [
      { ...decoded(head), ...header },
      { ...decoded(payload), ...claims },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const signature = sign('sha256', Buffer.from(parts.join('.')), key).toString('base64url');
    Object.assign(body as object, { id_token: [...parts, signature].join('.') });
  }
}

const decoded = (part: string): Claims => JSON.parse(Buffer.from(part, 'base64url').toString());

function newKey(): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
}

function kidOf(key: KeyObject): string {
  return createHash('sha256')
    .update(String(key.export({ format: 'jwk' }).n))
    .digest('base64url')
    .slice(0, 16);
}
