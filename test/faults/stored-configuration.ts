import type { Store } from '../../dist/store/store.js';
import type { AuditEntry } from '../../dist/store/tenants/configuration-changes.js';
import type { LoadStatistics } from './load-statistics.js';
import type { ConfigurationRequest } from './mixed-load.js';

const PAGE_SIZE = 500;

/** Compares settings, attributes and keys with the audit log, which is written in the transaction of each change. */
export class StoredConfiguration {
  readonly problems: string[] = [];
  readonly #statistics: LoadStatistics;
  readonly #revoked = new Map<string, boolean>();
  #undeclaredFields: unknown = 'keep';
  #choices: unknown;
  #last = 0;

  constructor(statistics: LoadStatistics) {
    this.#statistics = statistics;
  }

  async compare(store: Store, tenantId: number, configured: readonly ConfigurationRequest[]): Promise<void> {
    const entries = await this.#newEntries(store, tenantId);
    for (const entry of entries) this.#apply(entry);
    const found = new Set(entries.map(({ requestId }) => requestId));
    for (const { requestId } of configured.filter(({ acknowledged }) => acknowledged)) {
      if (found.has(requestId)) continue;
      this.#statistics.lost += 1;
      this.problems.push(`${requestId}: not stored`);
    }
    const { undeclaredFields, attributes } = (await store.directory.findTenant({ id: tenantId })) ?? {};
    const { choices } = attributes?.find(({ name }) => name === 'custom_Changing') ?? {};
    this.#expect('undeclared fields', undeclaredFields, this.#undeclaredFields);
    this.#expect('choices', choices, this.#choices);
    const keys = await store.directory.keys.list(tenantId);
    const revoked = keys.map(({ id, revokedAt }) => [id, revokedAt !== null]);
    this.#expect('keys', Object.fromEntries(revoked), Object.fromEntries(this.#revoked));
  }

  async #newEntries(store: Store, tenantId: number): Promise<AuditEntry[]> {
    const newest: AuditEntry[] = [];
    for (;;) {
      const page = await store.directory.audit(tenantId, newest.at(-1)?.id, PAGE_SIZE);
      newest.push(...page.filter(({ id }) => id > this.#last));
      if ((page.at(-1)?.id ?? 0) <= this.#last) break;
    }
    this.#last = newest[0]?.id ?? this.#last;
    return newest.reverse();
  }

  #apply({ action, subject, to }: AuditEntry): void {
    const after = to as Record<string, unknown> | null;
    if (action === 'settings.change') this.#undeclaredFields = after?.undeclared_fields;
    if (action === 'attribute.set') this.#choices = after?.choices;
    if (action === 'key.create') this.#revoked.set(subject, false);
    if (action === 'key.revoke') this.#revoked.set(subject, true);
  }

  #expect(name: string, stored: unknown, audited: unknown): void {
    const [one, other] = [stored, audited].map((value) => JSON.stringify(value));
    if (one !== other) this.problems.push(`${name}: ${one} stored, ${other} in the audit log`);
  }
}
