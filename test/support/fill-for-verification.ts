import type { PruneTask } from '../../dist/store/jobs/jobs.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import type { Database } from './databases.js';

const AT = 1_700_000_000_000;

/** Stores accounts with every kind of history: changed, deleted, created again; and an indexed attribute. */
export async function fillForVerification({ url }: Database): Promise<void> {
  const store = await openStore({ database: url });
  const { directory } = store;
  await directory.createTenant('acme', {}, 1);
  await directory.createTenant('other', {}, 1);
  const tier = { name: 'custom_Tier', type: 'text', choices: [], readOnly: false, indexed: true } as const;
  await directory.attributes.set(1, tier);
  await store.indexBuilds.build(1, 'custom_Tier');
  let at = AT;
  const upsert = (accountId: string, fields: Record<string, string | number | null>, erase?: true) => {
    at += 1;
    const patches = [{ accountId, fields, ...(erase && { erase }) }];
    return store.upsert({ tenantId: 1, patches, requestId: `r-${at}`, senderId: 'k', at, bytes: 1 });
  };
  for (const id of ['a', 'ä-👩', 'deleted', 'again']) {
    await upsert(id, { name: `Name of ${id}`, licenses: 1, custom_Tier: 'gold "ö"' });
    await upsert(id, { name: `Other name of ${id}`, parent_account_id: 'a-parent' });
    await upsert(id, { licenses: null, custom_Tier: 'silver' });
    await upsert(id, { licenses: 3, custom_Long: 'x'.repeat(300) });
  }
  for (const id of ['deleted', 'again']) {
    await store.jobs.eraseTraces(1, id);
    await upsert(id, {}, true);
  }
  await eraseHistory(store, at);
  await upsert('again', { name: 'there again', custom_Tier: '[erased]' });
  await upsert('again', { custom_Tier: 'gold' });
  await store.jobs.countChanges(1, at);
  // A change after the last count, so that the counts do not include it.
  await upsert('a', { custom_Later: 1 });
  await store.close();
}

/** Erases the values of the deleted accounts of tenant 1, as the background job does. */
async function eraseHistory({ jobs }: Store, now: number): Promise<void> {
  for (let task: PruneTask | undefined = { what: 'erasures', tenantId: 1 }; task !== undefined; ) {
    task = (await jobs.prune(task, now, 1)).next;
  }
}
