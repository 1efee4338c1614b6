import { isLate } from '../../domain/source.js';
import type { Store } from '../../store/store.js';
import type { TenantSource } from '../../store/tenants/sources.js';

/** The sources that should have finished a run by now, of all tenants or of one. */
export async function lateSources(store: Store, now: number, tenantId?: number): Promise<TenantSource[]> {
  const expected = await store.directory.sources.expected();
  return expected.filter(
    (source) => isLate(source, now) && (tenantId === undefined || source.tenantId === tenantId),
  );
}

/** Names no tenant or source: anybody can read it. */
export async function lateWarnings(store: Store, now: number): Promise<string[]> {
  const { length } = await lateSources(store, now);
  if (length === 0) return [];
  const late = length === 1 ? '1 source is late' : `${length} sources are late`;
  return [`${late}: see Sources in the console, or run account-sync doctor.`];
}
