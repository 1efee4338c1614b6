import type { Store } from '../../store/store.js';

/**
 * Webhooks that the service does not deliver to any more, of all tenants or of one. Names no webhook: anybody can read
 * it.
 */
export async function webhookWarnings(store: Store, tenantId?: number): Promise<string[]> {
  const { stopped } = await store.webhooks.counts(tenantId);
  if (stopped === 0) return [];
  const subject = stopped === 1 ? '1 webhook was' : `${stopped} webhooks were`;
  return [`${subject} paused or disabled because of failures: see Webhooks in the console.`];
}
