import type { TenantRules } from '../../domain/tenant.js';
import type { PushedIds } from '../requests.js';

/** What an ingest thread knows about a tenant. */
export interface TenantInThread {
  readonly rules: TenantRules;
  /** The sources of which it is stored which accounts they push. */
  readonly trackedSources: readonly string[];
}

/** What to remember as pushed; undefined if the source is not tracked, or no record names an account. */
export function pushedBy(
  { trackedSources }: TenantInThread,
  { source, isMirrored }: { readonly source: string; readonly isMirrored: boolean },
  namedAccounts: () => readonly string[],
): PushedIds | undefined {
  if (!isMirrored && !trackedSources.includes(source)) return undefined;
  const accountIds = namedAccounts();
  return accountIds.length === 0 ? undefined : { source, accountIds };
}
