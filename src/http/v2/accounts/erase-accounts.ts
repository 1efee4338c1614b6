import type { UpsertCounts, UpsertRequest } from '../../../store/requests.js';
import type { Store } from '../../../store/store.js';

/** Stores patches that erase accounts, and removes what else is stored of these accounts. */
export async function eraseAccounts(store: Store, upsert: UpsertRequest): Promise<UpsertCounts> {
  const { tenantId, patches } = upsert;
  for (const { accountId } of patches) await store.jobs.eraseTraces(tenantId, accountId);
  const counts = await store.upsert(upsert);
  // Again: requests that were under way before the deletion may have recorded rejections meanwhile.
  for (const { accountId } of patches) await store.jobs.forgetRejections(tenantId, accountId);
  return counts;
}
