import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config, SignInMethod } from '../../config.js';
import { keyIdIn } from '../../domain/api-key.js';
import { canonicalEmail } from '../../domain/user.js';
import { IdentityRefused } from '../../store/errors.js';
import type { Store } from '../../store/store.js';
import type { User } from '../../store/tenants/user-row.js';
import type { UserTenant } from '../../store/tenants/users.js';
import { httpError } from '../errors.js';
import { type AuthorizeParts, authorize } from './authenticate.js';
import { newSession } from './new-session.js';
import { type Identity, OidcSignIn } from './oidc.js';
import { OidcProblem } from './oidc-problem.js';
import { PasswordHashing } from './password-hashing.js';
import type { PendingSignIn } from './pending-sign-in.js';
import type { Principal, Principals } from './principals.js';
import { setSessionCookie } from './sessions.js';
import { SignInThrottle } from './sign-in-throttle.js';

const HOUR_MS = 3_600_000;

interface SignInParts extends AuthorizeParts {
  readonly config: Config;
  readonly store: Store;
  readonly principals: Principals;
  /** Monotonic milliseconds. */
  readonly elapsed: () => number;
}

/** A signed-in user chooses the tenant, and otherwise gets the first one by name. */
interface ChosenTenant {
  readonly tenant?: string | undefined;
}

interface CheckedPassword {
  /** The stored hash of the password that was checked. */
  readonly password?: string | undefined;
}

/** Begins sessions, with any method: checks the credentials, throttles failures, stores the session, sets the cookie. */
export class SignIn {
  readonly passwords = new PasswordHashing();
  readonly throttle: SignInThrottle;
  readonly #oidc: OidcSignIn | undefined;
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    const { oidc } = parts.config;
    this.#oidc = oidc && new OidcSignIn(oidc, parts);
    this.throttle = new SignInThrottle(parts.elapsed);
  }

  isOn(method: SignInMethod): boolean {
    return this.#parts.config.signInMethods.includes(method);
  }

  /** Throws if the operator has switched the method off. */
  require(method: SignInMethod): void {
    if (!this.isOn(method)) throw httpError('sign_in_method_off', method);
  }

  /** Throws if people cannot sign in by OpenID Connect here. */
  get oidc(): OidcSignIn {
    if (this.#oidc === undefined) throw httpError('sign_in_method_off', 'oidc');
    return this.#oidc;
  }

  async byKey(key: string, request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    this.require('key');
    const { principals, clock } = this.#parts;
    const attempt = { keyId: keyIdIn(key) };
    const principal = await this.throttle.attempt(request, attempt, async () => {
      const found = await principals.find(key, request.hostname, clock());
      await authorize(this.#parts, found, clock(), request, reply);
      return found as Principal;
    });
    return this.#begin(principal, request, reply);
  }

  async byPassword(
    { email, password, tenant }: { readonly email: string; readonly password: string } & ChosenTenant,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Principal> {
    this.require('password');
    // Without an address there is no user. The text itself may be long, and is not kept in the throttle.
    const user = await this.checkPassword(canonicalEmail(email) ?? '', password, request);
    return this.asUser(user.id, { tenant, password: user.password ?? undefined }, request, reply);
  }

  /** The user, or 401. Both take the same time. */
  checkPassword(email: string, password: string, request: FastifyRequest): Promise<User> {
    const { users } = this.#parts.store.directory;
    return this.throttle.attempt(request, { email }, async () => {
      const user = await users.find({ email });
      const stored = user?.password ?? null;
      const { isRight, rehashed } = await this.passwords.verify(password, stored);
      if (!isRight || user === undefined || stored === null) throw httpError('sign_in_failed');
      if (rehashed === undefined) return user;
      await users.rehash(user.id, stored, rehashed);
      return { ...user, password: rehashed };
    });
  }

  /** Begins a session of the user who comes back from the OpenID provider, to the address `callback`. */
  byIdentity(
    callback: URL,
    pending: PendingSignIn | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Principal> {
    const { oidc } = this;
    return this.throttle.attempt(request, {}, async () => {
      const userId = await this.#userOf(await oidc.finish(callback, pending), request);
      return this.asUser(userId, {}, request, reply);
    });
  }

  async #userOf(identity: Identity, request: FastifyRequest): Promise<string> {
    const { config, store, principals, clock } = this.#parts;
    const decidedTenants = [...new Set((config.oidc?.roles ?? []).map(({ tenant }) => tenant))];
    const email = identity.isEmailVerified ? identity.email : undefined;
    const proven = { ...identity, email, decidedTenants };
    try {
      return await store.directory.identities.signIn(proven, clock(), request.id);
    } catch (error) {
      if (error instanceof IdentityRefused) throw new OidcProblem(error.problem, 'the claims give no access');
      throw error;
    } finally {
      // The user may have got or lost tenants, also if the sign-in is refused.
      principals.refresh();
    }
  }

  /** Begins a session of a user whose identity is proven. */
  async asUser(
    userId: string,
    { tenant, password }: ChosenTenant & CheckedPassword,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Principal> {
    const { principals, clock } = this.#parts;
    const tenants = await this.tenantsOf(userId, request);
    const chosen = tenants.find(({ name }) => name === tenant) ?? tenants[0];
    const principal = chosen && (await principals.findSender(chosen.id, userId, request.hostname, clock()));
    if (principal === undefined) throw httpError('no_tenant');
    await authorize(this.#parts, principal, clock(), request, reply);
    return this.#begin(principal, request, reply, password);
  }

  /** The tenants that a user can work in: on the host name of a tenant only that one. */
  async tenantsOf(userId: string, request: FastifyRequest): Promise<UserTenant[]> {
    const { store, principals } = this.#parts;
    const [tenants, ofHost] = await Promise.all([
      store.directory.users.tenantsOf(userId),
      principals.tenantOfHost(request.hostname),
    ]);
    return tenants.filter(({ id }) => ofHost === undefined || id === ofHost);
  }

  async #begin(
    principal: Principal,
    request: FastifyRequest,
    reply: FastifyReply,
    password?: string,
  ): Promise<Principal> {
    const { config, store, clock } = this.#parts;
    const { senderId, tenant } = principal;
    const now = clock();
    const end = now + config.sessionHours * HOUR_MS;
    const expiresAt = Math.min(end, principal.expiresAt ?? end);
    const started = newSession(request, { senderId, tenantId: tenant.id, createdAt: now, expiresAt });
    const hasBegun = await store.directory.sessions.create(started.session, password);
    if (!hasBegun) throw httpError('sign_in_failed');
    setSessionCookie(reply, started.token, Math.ceil((expiresAt - now) / 1_000));
    return { ...principal, session: started.session };
  }
}
