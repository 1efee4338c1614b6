import { hashKey, isMistyped, type KeyLife, keyState, type Scope } from '../domain/api-key.js';
import { canonicalHost } from '../domain/host-name.js';
import { type TenantRules, tenantRules } from '../domain/tenant.js';
import type { Directory } from '../store/directory.js';

/** Who sends a request, and the rules of the tenant it is for. */
export interface Principal extends KeyLife {
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly tenant: { readonly id: number; readonly name: string; readonly rules: TenantRules };
}

/** Changes of keys and settings apply within a second: half of it passes here at most, the rest is for the work. */
const FRESH_FOR_MS = 500;

interface Cache {
  readonly version: number;
  readonly hosts: ReadonlyMap<string, number>;
  readonly byHash: Map<string, Principal>;
  readonly tenants: Map<number, Principal['tenant']>;
}

/** Keys and their tenants, cached for as long as the directory's version stays the same. */
export class Principals {
  readonly #directory: Directory;
  #cache: Cache | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<Cache> | undefined;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  /** `undefined` for a key that is unknown, revoked, expired at `now`, or not of the tenant whose host this is. */
  async find(key: string, host: string, now: number): Promise<Principal | undefined> {
    if (isMistyped(key)) return undefined;
    const cache = await this.#fresh();
    const hash = hashKey(key);
    const principal = cache.byHash.get(hash) ?? (await this.#load(hash, cache));
    if (principal === undefined || keyState(principal, now) !== 'live') return undefined;
    const owner = cache.hosts.get(canonicalHost(host));
    return owner === undefined || owner === principal.tenant.id ? principal : undefined;
  }

  async #fresh(): Promise<Cache> {
    // Not the wall clock: it may jump.
    if (this.#cache !== undefined && performance.now() - this.#checkedAt < FRESH_FOR_MS) return this.#cache;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #check(): Promise<Cache> {
    const startedAt = performance.now();
    const version = await this.#directory.version();
    // What is loaded later may already be newer than this version; then the next check drops it.
    if (this.#cache?.version !== version) {
      const hosts = await this.#directory.hosts();
      this.#cache = { version, hosts, byHash: new Map(), tenants: new Map() };
    }
    this.#checkedAt = startedAt;
    return this.#cache;
  }

  async #load(hash: string, cache: Cache): Promise<Principal | undefined> {
    const key = await this.#directory.keys.find(hash);
    if (key === undefined) return undefined;
    const tenant = cache.tenants.get(key.tenantId) ?? (await this.#loadTenant(key.tenantId, cache));
    const { id: keyId, scopes, expiresAt, revokedAt } = key;
    const principal = { keyId, scopes, expiresAt, revokedAt, tenant };
    cache.byHash.set(hash, principal);
    return principal;
  }

  async #loadTenant(id: number, cache: Cache): Promise<Principal['tenant']> {
    const found = await this.#directory.findTenant({ id });
    if (found === undefined) throw new Error(`A key names tenant ${id}, which does not exist.`);
    const tenant = { id, name: found.name, rules: tenantRules(found) };
    cache.tenants.set(id, tenant);
    return tenant;
  }
}
