import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client';
import { isLoopback, type OidcSettings } from '../../config.js';
import { boundedFetch } from './bounded-fetch.js';
import { asUnreachable, OidcProblem } from './oidc-problem.js';

/** Each request to the provider has this time, so that one that hangs holds nothing for long. */
export const PROVIDER_TIMEOUT_MS = 5_000;
/** Then addresses and keys are read again, because the provider may have changed them. */
const FRESH_FOR_MS = 3_600_000;

/** Loaded with the first sign-in: a server without OpenID Connect never loads the library. */
export const library = () => import('openid-client');

/** Reads the provider's description of itself. Throws an `OidcProblem` if it has none that is valid. */
export async function discover(settings: OidcSettings, timeoutMs: number): Promise<Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const oidc = await library();
  const server = new URL(issuer);
  const authentication = clientSecret === undefined ? oidc.None() : bySecret(oidc, clientSecret);
  try {
    const found = await oidc.discovery(server, clientId, undefined, authentication, {
      timeout: timeoutMs / 1_000,
      [oidc.customFetch]: boundedFetch,
      // Signatures are checked although the token comes from the provider by TLS, which OpenID Connect would accept.
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(server.protocol === 'http:' && isLoopback(server.hostname) ? [oidc.allowInsecureRequests] : []),
      ],
    });
    // Such as `common` of Microsoft: everyone with an account in any of its directories could sign in.
    if (found.serverMetadata().issuer.includes('{')) {
      throw new OidcProblem('oidc_unreachable', 'the address is that of many directories; set that of one');
    }
    return found;
  } catch (error) {
    throw asUnreachable(error);
  }
}

/** In the header, as clients are registered by default, unless the provider accepts the secret in the body only. */
function bySecret(oidc: Awaited<ReturnType<typeof library>>, secret: string): ClientAuth {
  const inHeader = oidc.ClientSecretBasic(secret);
  const inBody = oidc.ClientSecretPost(secret);
  const acceptsHeader = ({ token_endpoint_auth_methods_supported: methods }: ServerMetadata) =>
    methods === undefined || methods.includes('client_secret_basic');
  return (server, ...request) => (acceptsHeader(server) ? inHeader : inBody)(server, ...request);
}

/**
 * The provider as it was last discovered. However many sign-ins need it, one discovery is under way at a time; one that
 * failed is repeated by the next sign-in.
 */
export class OidcProvider {
  readonly #settings: OidcSettings;
  readonly #elapsed: () => number;
  readonly #timeoutMs: number;
  #known: { readonly configuration: Configuration; readonly at: number } | undefined;
  #discovery: Promise<Configuration> | undefined;

  constructor(settings: OidcSettings, elapsed: () => number, timeoutMs: number) {
    this.#settings = settings;
    this.#elapsed = elapsed;
    this.#timeoutMs = timeoutMs;
  }

  async get(): Promise<Configuration> {
    const known = this.#known;
    if (known !== undefined && this.#elapsed() - known.at < FRESH_FOR_MS) return known.configuration;
    this.#discovery ??= this.#discover().finally(() => {
      this.#discovery = undefined;
    });
    return this.#discovery;
  }

  /** Discovers the provider again: its addresses or keys seem to have changed. */
  forget(configuration: Configuration): void {
    if (this.#known?.configuration === configuration) this.#known = undefined;
  }

  async #discover(): Promise<Configuration> {
    const configuration = await discover(this.#settings, this.#timeoutMs);
    this.#known = { configuration, at: this.#elapsed() };
    return configuration;
  }
}
