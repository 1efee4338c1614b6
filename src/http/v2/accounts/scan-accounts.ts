import { setImmediate } from 'node:timers/promises';
import type { Account } from '../../../domain/account.js';
import { isPageKey, type PageKey } from '../../../store/accounts/account-pages.js';
import type { Listing } from '../../../store/accounts/listing-plan.js';
import type { Store } from '../../../store/store.js';
import { areTexts } from '../cursor.js';

/** A request looks at no more than 10,000 accounts; at fewer where they are large, since pages are bounded in bytes. */
const STEP_PAGES = 20;
const PAGE_ACCOUNTS = 500;
const ALL: Listing = { order: 'id', filters: [] };

export interface AccountStep {
  readonly lookedAt: number;
  /** Where the next request goes on; undefined at the end. */
  readonly next: PageKey | undefined;
}

/** Looks at the accounts behind a place, as many as one request may. */
export async function scanAccounts(
  store: Store,
  tenantId: number,
  after: PageKey,
  look: (account: Account) => void,
): Promise<AccountStep> {
  let lookedAt = 0;
  let next: PageKey | undefined = after;
  for (let pages = 0; pages < STEP_PAGES && next !== undefined; pages += 1) {
    // SQLite answers within the turn, so others would wait for all the pages.
    if (pages > 0) await setImmediate();
    const page = await store.pages.page(tenantId, ALL, PAGE_ACCOUNTS, next);
    for (const account of page.accounts) look(account);
    lookedAt += page.accounts.length;
    next = page.next;
  }
  return { lookedAt, next };
}

export function isStepKey(key: unknown): key is string[] {
  return areTexts(key) && isPageKey(ALL, key);
}
