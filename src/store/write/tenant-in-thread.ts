import type { TenantRules } from '../../domain/tenant.js';

/** What an ingest thread knows about a tenant. */
export interface TenantInThread {
  readonly rules: TenantRules;
  /** The sources of which it is stored which accounts they push. */
  readonly trackedSources: readonly string[];
}
