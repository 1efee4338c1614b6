import type { Configuration } from 'openid-client';
import type { OidcSettings } from '../../config.js';
import { claimTexts, needsClaim, rolesByTenant } from '../../domain/role-mapping.js';
import { canonicalEmail, canonicalUserName, type Role } from '../../domain/user.js';
import { asOidcProblem, asUnreachable, OidcProblem, printableCode } from './oidc-problem.js';
import { library, OidcProvider, PROVIDER_TIMEOUT_MS } from './oidc-provider.js';
import { PENDING_SECONDS, type PendingSignIn } from './pending-sign-in.js';
import { returnPath } from './return-path.js';

/** Sign-ins that wait for the provider at the same time; more than people need, and few enough to hold. */
const MAX_WAITING = 50;

/** Who signed in, by the claims of the provider. */
export interface Identity {
  /** Together with `subject` the provider's name for this person, which never changes. */
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** The roles that the claims give, by the name of the tenant. */
  readonly roles: ReadonlyMap<string, Role>;
}

type Claims = Readonly<Record<string, unknown>>;

interface OidcParts {
  readonly clock: () => number;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
  readonly timeoutMs?: number;
}

/**
 * Sign-in by OpenID Connect: authorization code with PKCE, state and nonce.
 *
 *   browser ── start ──▶ provider ── code, state ──▶ finish ── code, verifier ──▶ provider
 *      └── cookie: state, nonce, verifier ────────────▲            ◀── ID token: audience, nonce, signature …
 *
 * Invariants: a callback without the state of its own browser costs no request to the provider; nothing about a sign-in
 * is kept here, so any process can finish it; every request to the provider has an end.
 */
export class OidcSignIn {
  readonly #settings: OidcSettings;
  readonly #clock: () => number;
  readonly #provider: OidcProvider;
  #waiting = 0;

  constructor(settings: OidcSettings, { clock, elapsed, timeoutMs = PROVIDER_TIMEOUT_MS }: OidcParts) {
    this.#settings = settings;
    this.#clock = clock;
    this.#provider = new OidcProvider(settings, elapsed, timeoutMs);
  }

  /** Where the browser has to go, and what it keeps until it comes back to `redirectUri`. */
  async start(
    redirectUri: string,
    returnTo: string | undefined,
  ): Promise<{ readonly url: URL; readonly pending: PendingSignIn }> {
    const [oidc, provider] = await Promise.all([library(), this.#provider.get()]);
    const pending = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
      startedAt: this.#clock(),
      returnTo: returnPath(returnTo),
    };
    const parameters = {
      redirect_uri: redirectUri,
      scope: this.#settings.scope,
      state: pending.state,
      nonce: pending.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pending.codeVerifier),
      code_challenge_method: 'S256',
    };
    try {
      return { url: oidc.buildAuthorizationUrl(provider, parameters), pending };
    } catch (error) {
      // The provider has no address for sign-ins, or not an allowed one.
      this.#provider.forget(provider);
      throw asUnreachable(error);
    }
  }

  /** `callback` is the address to which the provider sent the browser. Throws an `OidcProblem`. */
  async finish(callback: URL, pending: PendingSignIn | undefined): Promise<Identity> {
    checkCallback(callback.searchParams, pending, this.#clock());
    if (this.#waiting >= MAX_WAITING) throw new OidcProblem('oidc_busy', `${MAX_WAITING} sign-ins wait`);
    this.#waiting += 1;
    try {
      const provider = await this.#provider.get();
      return this.#identity(await this.#redeem(provider, callback, pending));
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Exchanges the code for the claims of the user. */
  async #redeem(provider: Configuration, callback: URL, pending: PendingSignIn): Promise<Claims> {
    const oidc = await library();
    try {
      const tokens = await oidc.authorizationCodeGrant(provider, callback, {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.codeVerifier,
      });
      const claims: Claims & { sub: string } = { sub: '', ...tokens.claims() };
      if (this.#isComplete(claims) || provider.serverMetadata().userinfo_endpoint === undefined)
        return claims;
      // The claims of the ID token win: they are signed.
      return { ...(await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
    } catch (error) {
      const problem = asOidcProblem(error);
      const isRefused = problem instanceof OidcProblem && problem.code === 'oidc_refused';
      if (!isRefused) this.#provider.forget(provider);
      throw problem;
    }
  }

  /** Whether the ID token has all that is needed; many providers have the rest in their user info. */
  #isComplete(claims: Claims): boolean {
    const { roles, rolesClaim } = this.#settings;
    return claims.email !== undefined && (!needsClaim(roles) || claimTexts(claims, rolesClaim) !== undefined);
  }

  #identity(claims: Claims): Identity {
    const { roles, rolesClaim, trustsEmail } = this.#settings;
    const isEmailVerified = claims.email_verified === true || claims.email_verified === 'true';
    return {
      issuer: String(claims.iss),
      subject: String(claims.sub),
      email: typeof claims.email === 'string' ? canonicalEmail(claims.email) : undefined,
      // Some providers have no such claim, and one of them has it as text.
      isEmailVerified: isEmailVerified || (trustsEmail && claims.email_verified === undefined),
      name: [claims.name, claims.preferred_username].map(asName).find((name) => name !== undefined),
      roles: rolesByTenant(roles, claimTexts(claims, rolesClaim) ?? []),
    };
  }
}

function asName(claim: unknown): string | undefined {
  return typeof claim === 'string' ? canonicalUserName(claim) : undefined;
}

/** The checks that need no request to the provider. */
function checkCallback(
  parameters: URLSearchParams,
  pending: PendingSignIn | undefined,
  now: number,
): asserts pending is PendingSignIn {
  if (pending === undefined) throw new OidcProblem('oidc_expired', 'the browser has begun no sign-in');
  if (Math.abs(now - pending.startedAt) > PENDING_SECONDS * 1_000) {
    throw new OidcProblem('oidc_expired', `the sign-in began more than ${PENDING_SECONDS} seconds ago`);
  }
  const states = parameters.getAll('state');
  if (states.length !== 1 || states[0] !== pending.state) {
    throw new OidcProblem('oidc_state_mismatch', 'the state is that of another sign-in');
  }
  const error = parameters.get('error');
  if (error === null) return;
  const code = error === 'access_denied' ? 'oidc_cancelled' : 'oidc_refused';
  throw new OidcProblem(code, `the provider answered ${printableCode(error)}`);
}
