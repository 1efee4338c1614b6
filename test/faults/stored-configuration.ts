import type { Store } from '../../dist/store/store.js';
import type { AuditEntry } from '../../dist/store/tenants/configuration-changes.js';
import type { Configured } from './mixed-load.js';
import type { Tally } from './tally.js';

const PAGE = 500;

/** Settings, attributes and keys, held to the audit, which is written together with each change. */
export class StoredConfiguration {
  readonly problems: string[] = [];
  readonly #tally: Tally;
  readonly #revoked = new Map<string, boolean>();
  #undeclaredFields: unknown = 'keep';
  #choices: unknown;
  #last = 0;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  async compare(store: Store, tenantId: number, configured: readonly Configured[]): Promise<void> {
    const entries = await this.#newEntries(store, tenantId);
    for (const entry of entries) this.#take(entry);
    const found = new Set(entries.map(({ requestId }) => requestId));
    for (const { requestId } of configured.filter(({ acknowledged }) => acknowledged)) {
      if (found.has(requestId)) continue;
      this.#tally.lost += 1;
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
      const page = await store.directory.audit(tenantId, newest.at(-1)?.id, PAGE);
      newest.push(...page.filter(({ id }) => id > this.#last));
      if ((page.at(-1)?.id ?? 0) <= this.#last) break;
    }
    this.#last = newest[0]?.id ?? this.#last;
    return newest.reverse();
  }

  #take({ action, subject, to }: AuditEntry): void {
    const after = to as Record<string, unknown> | null;
    if (action === 'settings.change') this.#undeclaredFields = after?.undeclared_fields;
    if (action === 'attribute.set') this.#choices = after?.choices;
    if (action === 'key.create') this.#revoked.set(subject, false);
    if (action === 'key.revoke') this.#revoked.set(subject, true);
  }

  #expect(what: string, stored: unknown, told: unknown): void {
    const [one, other] = [stored, told].map((value) => JSON.stringify(value));
    if (one !== other) this.problems.push(`${what}: ${one}, and ${other} by the audit`);
  }
}
