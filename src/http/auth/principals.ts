import { hashKey, isMistyped, type KeyLife, keyState, type Scope } from '../../domain/api-key.js';
import { canonicalHost } from '../../domain/host-name.js';
import { type TenantRules, type TenantSettings, tenantRules } from '../../domain/tenant.js';
import { CONSOLE_SOURCE, isUserId, scopesOf } from '../../domain/user.js';
import type { Directory } from '../../store/tenants/directory.js';
import type { KeyRecord } from '../../store/tenants/keys.js';
import type { Session } from '../../store/tenants/sessions.js';
import type { Member } from '../../store/tenants/user-row.js';
import { BatchedLookups } from './batched-lookups.js';
import { SessionCache } from './sessions.js';

/** The sender of a request, a key or a user, and the tenant with its rules. */
export interface Principal extends KeyLife {
  /** The id of the key or user. */
  readonly senderId: string;
  /** The label of the key, or the name of the user. */
  readonly label: string;
  readonly source: string;
  readonly scopes: readonly Scope[];
  /** Set for a user, and not for a key. */
  readonly user?: Pick<Member, 'id' | 'email' | 'name' | 'role'>;
  /** Set if the request was authenticated by a session instead of the key itself. */
  readonly session?: Session;
  readonly tenant: {
    readonly id: number;
    readonly name: string;
    readonly settings: TenantSettings;
    readonly rules: TenantRules;
    readonly rejectionDays: number | null;
  };
}

/** Changes of keys and settings apply within one second: at most half of it in this cache, the rest in the checks. */
const FRESH_FOR_MS = 500;

interface Cache {
  readonly version: number;
  readonly hosts: ReadonlyMap<string, number>;
  /** Only keys that exist: a client could fill the memory with invented ones. */
  readonly byKey: Map<string, Principal>;
  /** Those of sessions, by tenant and key or user. */
  /** For sessions, which name the id of their key. */
  readonly bySender: Map<string, Principal>;
  readonly tenants: Map<number, Principal['tenant']>;
}

/**
 * Finds the principal of a key or session. A database query per request would be too expensive, so principals are
 * cached and validated by version: the directory's version changes with every change of a key, tenant or setting.
 *
 *   find(key) ─▶ cache checked within 500 ms? ──yes──▶ key cached? ──yes──▶ return, synchronously
 *                          │ no                            │ no
 *                          ▼                               ▼
 *                read the version; drop the         load key and tenant (BatchedLookups)
 *                cache if it has changed
 *
 * Invariants: expiry, revocation and host are checked on every request, never cached; a change that this process makes
 * (`refresh`) applies to its next request; a check that began before a refresh does not count as fresh.
 */
export class Principals {
  readonly #directory: Directory;
  readonly #keys: BatchedLookups<KeyRecord>;
  readonly #sessions: SessionCache;
  #cache: Cache | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<Cache> | undefined;
  #refreshes = 0;

  constructor(directory: Directory) {
    this.#directory = directory;
    this.#keys = new BatchedLookups((hashes) => directory.keys.findAll(hashes));
    this.#sessions = new SessionCache(directory.sessions);
  }

  /** Undefined if the key is unknown, revoked, expired at `now`, or belongs to another tenant than the host does. */
  find(key: string, host: string, now: number): Principal | undefined | Promise<Principal | undefined> {
    const cache = this.#freshCache();
    const known = cache?.byKey.get(key);
    if (cache === undefined || known === undefined) return this.#findUncached(key, host, now);
    return ifValid(known, cache, host, now);
  }

  async #findUncached(key: string, host: string, now: number): Promise<Principal | undefined> {
    if (isMistyped(key)) return undefined;
    const cache = this.#freshCache() ?? (await this.#checkedCache());
    const principal = cache.byKey.get(key) ?? (await this.#load(key, cache));
    return principal && ifValid(principal, cache, host, now);
  }

  /** A session has the rights of its key or user until it ends. */
  async findBySession(token: string, host: string, now: number): Promise<Principal | undefined> {
    const session = await this.#sessions.find(token);
    if (session === undefined || session.expiresAt <= now) return undefined;
    const principal = await this.findSender(session.tenantId, session.senderId, host, now);
    return principal && { ...principal, session };
  }

  /** The principal of a key or user in a tenant. */
  async findSender(
    tenantId: number,
    senderId: string,
    host: string,
    now: number,
  ): Promise<Principal | undefined> {
    const cache = this.#freshCache() ?? (await this.#checkedCache());
    const known = cache.bySender.get(`${tenantId} ${senderId}`);
    const principal = known ?? (await this.#loadSender(tenantId, senderId, cache));
    return principal && ifValid(principal, cache, host, now);
  }

  /** The tenant to which a host name belongs; undefined if any tenant can be used there. */
  async tenantOfHost(host: string): Promise<number | undefined> {
    const cache = this.#freshCache() ?? (await this.#checkedCache());
    return cache.hosts.get(canonicalHost(host));
  }

  /** Call after a change that this process made: its next request then sees the change. */
  refresh(): void {
    this.#sessions.clear();
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    // A check that is under way may have read the version before the change.
    this.#checking = undefined;
    this.#refreshes += 1;
  }

  #freshCache(): Cache | undefined {
    // Monotonic time, since the system clock may be set.
    return performance.now() - this.#checkedAt < FRESH_FOR_MS ? this.#cache : undefined;
  }

  #checkedCache(): Promise<Cache> {
    if (this.#checking !== undefined) return this.#checking;
    const checking = this.#check().finally(() => {
      if (this.#checking === checking) this.#checking = undefined;
    });
    this.#checking = checking;
    return checking;
  }

  async #check(): Promise<Cache> {
    const startedAt = performance.now();
    const refreshes = this.#refreshes;
    const version = await this.#directory.version();
    // Rows loaded later may be newer than this version; the next check then drops the whole cache.
    if (this.#cache?.version !== version) {
      const hosts = await this.#directory.hosts();
      this.#cache = { version, hosts, byKey: new Map(), bySender: new Map(), tenants: new Map() };
    }
    if (refreshes === this.#refreshes) this.#checkedAt = startedAt;
    return this.#cache;
  }

  async #load(key: string, cache: Cache): Promise<Principal | undefined> {
    const found = await this.#keys.find(hashKey(key));
    if (found === undefined) return undefined;
    const principal = await this.#principalOf(found, cache);
    if (principal !== undefined) cache.byKey.set(key, principal);
    return principal;
  }

  async #loadSender(tenantId: number, senderId: string, cache: Cache): Promise<Principal | undefined> {
    const principal = isUserId(senderId)
      ? await this.#loadUser(tenantId, senderId, cache)
      : await this.#loadKeyById(tenantId, senderId, cache);
    if (principal !== undefined) cache.bySender.set(`${tenantId} ${senderId}`, principal);
    return principal;
  }

  async #loadKeyById(tenantId: number, keyId: string, cache: Cache): Promise<Principal | undefined> {
    const found = await this.#directory.keys.get(tenantId, keyId);
    return found && this.#principalOf(found, cache);
  }

  async #loadUser(tenantId: number, userId: string, cache: Cache): Promise<Principal | undefined> {
    const member = await this.#directory.users.member(tenantId, userId);
    if (member === undefined || member.disabledAt !== null) return undefined;
    const tenant = await this.#tenantOf(tenantId, cache);
    if (tenant === undefined) return undefined;
    const { id, email, name, role } = member;
    const sender = { senderId: id, label: name, source: CONSOLE_SOURCE, scopes: scopesOf(role) };
    return { ...sender, expiresAt: null, revokedAt: null, user: { id, email, name, role }, tenant };
  }

  /** Undefined if the tenant was removed after its key was read. */
  async #principalOf(key: KeyRecord, cache: Cache): Promise<Principal | undefined> {
    const tenant = await this.#tenantOf(key.tenantId, cache);
    if (tenant === undefined) return undefined;
    const { id: senderId, label, source, scopes, expiresAt, revokedAt } = key;
    return { senderId, label, source, scopes, expiresAt, revokedAt, tenant };
  }

  async #tenantOf(id: number, cache: Cache): Promise<Principal['tenant'] | undefined> {
    return cache.tenants.get(id) ?? (await this.#loadTenant(id, cache));
  }

  async #loadTenant(id: number, cache: Cache): Promise<Principal['tenant'] | undefined> {
    const found = await this.#directory.findTenant({ id });
    if (found === undefined) return undefined;
    const { name, rejectionDays, accountIds, undeclaredFields, attributes, blockedPatterns } = found;
    const { trackedSources } = found;
    const settings = { accountIds, undeclaredFields, attributes, blockedPatterns, trackedSources };
    const tenant = { id, name, settings, rules: tenantRules(settings), rejectionDays };
    cache.tenants.set(id, tenant);
    return tenant;
  }
}

/** The principal, unless its key has ended or the host belongs to another tenant. */
function ifValid(principal: Principal, { hosts }: Cache, host: string, now: number): Principal | undefined {
  if (keyState(principal, now) !== 'live') return undefined;
  const owner = hosts.get(canonicalHost(host));
  return owner === undefined || owner === principal.tenant.id ? principal : undefined;
}
