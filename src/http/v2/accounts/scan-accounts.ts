import { setImmediate } from 'node:timers/promises';
import type { Account } from '../../../domain/account.js';
import { isPageKey, type PageKey } from '../../../store/accounts/account-pages.js';
import type { Listing } from '../../../store/accounts/listing-plan.js';
import type { Store } from '../../../store/store.js';
import { areStrings } from '../cursor.js';

/** One request scans at most 10,000 accounts, fewer if they are large, since pages are limited in bytes. */
const MAX_PAGES = 20;
const PAGE_ACCOUNTS = 500;
const ALL: Listing = { order: 'id', filters: [{ kind: 'archived', which: 'include' }] };

export interface AccountScan {
  /** Number of accounts scanned. */
  readonly scanned: number;
  /** Where the next request continues; undefined at the end. */
  readonly next: PageKey | undefined;
}

/** Calls `visit` for the accounts after a key, as many as one request may scan. */
export async function scanAccounts(
  store: Store,
  tenantId: number,
  after: PageKey,
  visit: (account: Account) => void,
): Promise<AccountScan> {
  let scanned = 0;
  let next: PageKey | undefined = after;
  for (let pages = 0; pages < MAX_PAGES && next !== undefined; pages += 1) {
    // SQLite reads synchronously, so other requests would wait for all pages.
    if (pages > 0) await setImmediate();
    const page = await store.pages.page(tenantId, ALL, PAGE_ACCOUNTS, next);
    for (const account of page.accounts) visit(account);
    scanned += page.accounts.length;
    next = page.next;
  }
  return { scanned, next };
}

export function isScanKey(key: unknown): key is string[] {
  return areStrings(key) && isPageKey(ALL, key);
}
