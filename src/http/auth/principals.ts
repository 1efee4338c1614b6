import { hashKey, isMistyped, type KeyLife, keyState, type Scope } from '../../domain/api-key.js';
import { canonicalHost } from '../../domain/host-name.js';
import { type TenantRules, tenantRules } from '../../domain/tenant.js';
import type { Directory } from '../../store/tenants/directory.js';
import type { KeyRecord } from '../../store/tenants/keys.js';
import type { Session } from '../../store/tenants/sessions.js';
import { BatchedLookups } from './batched-lookups.js';
import { SessionCache } from './sessions.js';

/** Who sends a request, and the rules of the tenant it is for. */
export interface Principal extends KeyLife {
  readonly keyId: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Where the key itself was not sent. */
  readonly session?: Session;
  readonly tenant: {
    readonly id: number;
    readonly name: string;
    readonly rules: TenantRules;
    readonly rejectionDays: number | null;
  };
}

/** Changes of keys and settings apply within a second: half of it passes here at most, the rest is for the work. */
const FRESH_FOR_MS = 500;

interface Cache {
  readonly version: number;
  readonly hosts: ReadonlyMap<string, number>;
  /** Only keys that exist, so that nobody can fill it. */
  readonly byKey: Map<string, Principal>;
  /** Those of sessions. */
  readonly byKeyId: Map<string, Principal>;
  readonly tenants: Map<number, Principal['tenant']>;
}

/** Keys and their tenants, cached for as long as the directory's version stays the same. */
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

  /** `undefined` for a key that is unknown, revoked, expired at `now`, or not of the tenant whose host this is. */
  find(key: string, host: string, now: number): Principal | undefined | Promise<Principal | undefined> {
    const cache = this.#fresh();
    const known = cache?.byKey.get(key);
    if (cache === undefined || known === undefined) return this.#look(key, host, now);
    return admitted(known, cache, host, now);
  }

  async #look(key: string, host: string, now: number): Promise<Principal | undefined> {
    if (isMistyped(key)) return undefined;
    const cache = this.#fresh() ?? (await this.#checked());
    const principal = cache.byKey.get(key) ?? (await this.#load(key, cache));
    return principal && admitted(principal, cache, host, now);
  }

  /** A session is as good as its key, for as long as it lasts. */
  async findBySession(token: string, host: string, now: number): Promise<Principal | undefined> {
    const session = await this.#sessions.find(token);
    if (session === undefined || session.expiresAt <= now) return undefined;
    const cache = this.#fresh() ?? (await this.#checked());
    const known = cache.byKeyId.get(session.keyId) ?? (await this.#loadKeyOf(session, cache));
    const principal = known && admitted(known, cache, host, now);
    return principal && { ...principal, session };
  }

  /** After a change that this process has made: its next request already sees it. */
  refresh(): void {
    this.#sessions.forget();
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    // A look that is under way may have come too early.
    this.#checking = undefined;
    this.#refreshes += 1;
  }

  #fresh(): Cache | undefined {
    // Not the wall clock: it may jump.
    return performance.now() - this.#checkedAt < FRESH_FOR_MS ? this.#cache : undefined;
  }

  #checked(): Promise<Cache> {
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
    // What is loaded later may already be newer than this version; then the next check drops it.
    if (this.#cache?.version !== version) {
      const hosts = await this.#directory.hosts();
      this.#cache = { version, hosts, byKey: new Map(), byKeyId: new Map(), tenants: new Map() };
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

  async #loadKeyOf({ tenantId, keyId }: Session, cache: Cache): Promise<Principal | undefined> {
    const found = await this.#directory.keys.get(tenantId, keyId);
    if (found === undefined) return undefined;
    const principal = await this.#principalOf(found, cache);
    if (principal !== undefined) cache.byKeyId.set(keyId, principal);
    return principal;
  }

  /** Undefined where the tenant was removed after its key was read. */
  async #principalOf(key: KeyRecord, cache: Cache): Promise<Principal | undefined> {
    const tenant = cache.tenants.get(key.tenantId) ?? (await this.#loadTenant(key.tenantId, cache));
    if (tenant === undefined) return undefined;
    const { id: keyId, label, scopes, expiresAt, revokedAt } = key;
    return { keyId, label, scopes, expiresAt, revokedAt, tenant };
  }

  async #loadTenant(id: number, cache: Cache): Promise<Principal['tenant'] | undefined> {
    const found = await this.#directory.findTenant({ id });
    if (found === undefined) return undefined;
    const { name, rejectionDays } = found;
    const tenant = { id, name, rules: tenantRules(found), rejectionDays };
    cache.tenants.set(id, tenant);
    return tenant;
  }
}

function admitted(principal: Principal, { hosts }: Cache, host: string, now: number): Principal | undefined {
  if (keyState(principal, now) !== 'live') return undefined;
  const owner = hosts.get(canonicalHost(host));
  return owner === undefined || owner === principal.tenant.id ? principal : undefined;
}
