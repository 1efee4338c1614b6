import type { Account } from '../../dist/domain/account.js';
import type { AccountChange } from '../../dist/store/changes/account-history.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { AccountReplay } from './account-replay.js';
import type { Sent } from './persistent-load.js';
import type { Tally } from './tally.js';

export interface StoredAccount {
  readonly account: Account;
  readonly history: readonly AccountChange[];
}

/** What a database holds of the tenant `default`, and what is wrong with it. */
export class StoredAccounts {
  readonly problems: string[] = [];
  readonly #store: Store;
  readonly #tenantId: number;
  readonly #tally: Tally;

  private constructor(store: Store, tenantId: number, tally: Tally) {
    this.#store = store;
    this.#tenantId = tenantId;
    this.#tally = tally;
  }

  static async open(database: string, tally: Tally): Promise<StoredAccounts> {
    const store = await openStore({ database });
    const tenant = await store.directory.findTenant({ name: 'default' });
    if (tenant === undefined) throw new Error('The server has made no tenant.');
    return new StoredAccounts(store, tenant.id, tally);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** An account whose history has no gap, fits together and leads to what is stored; anything else is a problem. */
  async read(accountId: string): Promise<StoredAccount | undefined> {
    const account = (await this.#store.accounts.findAll(this.#tenantId, [accountId])).get(accountId);
    const history = await this.#store.history.read(this.#tenantId, accountId);
    this.#tally.changes += history.length;
    const replay = new AccountReplay(accountId);
    for (const change of history) replay.apply(change);
    replay.compare(account);
    this.problems.push(...replay.problems);
    return account && { account, history };
  }

  /** Every acknowledged request is there, every other one wholly or not at all, in the order in which they were sent. */
  async compare(sent: readonly Sent[]): Promise<void> {
    const accountIds = new Set(sent.flatMap((request) => request.accountIds));
    const order = new Map(sent.map(({ requestId }, index) => [requestId, index]));
    const found = new Map<string, number>();
    for (const accountId of accountIds) {
      let last = -1;
      for (const { requestId } of (await this.read(accountId))?.history ?? []) {
        found.set(requestId, (found.get(requestId) ?? 0) + 1);
        const index = order.get(requestId) ?? -1;
        if (index <= last) this.problems.push(`${accountId}: ${requestId} out of order`);
        last = index;
      }
    }
    for (const { requestId, accountIds, acknowledged } of sent) {
      const stored = found.get(requestId) ?? 0;
      if (stored === accountIds.length || (stored === 0 && !acknowledged)) continue;
      if (acknowledged) this.#tally.lost += accountIds.length - stored;
      this.problems.push(`${requestId}: ${stored} of ${accountIds.length} stored`);
    }
  }
}
