import type { Store } from '../../store/store.js';

/**
 * Webhooks that the service does not deliver to any more, of all tenants or of one. Names no webhook: anybody can read
 * it.
 */
export async function webhookWarnings(store: Store, tenantId?: number): Promise<string[]> {
  const count = await store.webhooks.countStopped(tenantId);
  if (count === 0) return [];
  const stopped = count === 1 ? '1 webhook was' : `${count} webhooks were`;
  return [`${stopped} paused or disabled because of failures: see Webhooks in the console.`];
}
