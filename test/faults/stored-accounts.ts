import type { Account } from '../../dist/domain/account.js';
import type { AccountChange } from '../../dist/store/changes/account-history.js';
import { openStore } from '../../dist/store/open-store.js';
import type { Store } from '../../dist/store/store.js';
import { AccountReplay } from './account-replay.js';
import type { SentRequest } from './continuous-load.js';
import type { LoadStatistics } from './load-statistics.js';

export interface StoredAccount {
  readonly account: Account;
  readonly history: readonly AccountChange[];
}

/** Reads the accounts of the tenant `default` from a database, and collects inconsistencies. */
export class StoredAccounts {
  readonly problems: string[] = [];
  readonly #store: Store;
  readonly #tenantId: number;
  readonly #statistics: LoadStatistics;

  private constructor(store: Store, tenantId: number, statistics: LoadStatistics) {
    this.#store = store;
    this.#tenantId = tenantId;
    this.#statistics = statistics;
  }

  static async open(database: string, statistics: LoadStatistics): Promise<StoredAccounts> {
    const store = await openStore({ database });
    const tenant = await store.directory.findTenant({ name: 'default' });
    if (tenant === undefined) throw new Error('The server has created no tenant.');
    return new StoredAccounts(store, tenant.id, statistics);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Reads an account. A gap in its history, or a history that does not lead to the stored state, is a problem. */
  async read(accountId: string): Promise<StoredAccount | undefined> {
    const account = (await this.#store.accounts.findAll(this.#tenantId, [accountId])).get(accountId);
    const history = await this.#store.history.read(this.#tenantId, accountId);
    this.#statistics.changes += history.length;
    const replay = new AccountReplay(accountId);
    for (const change of history) replay.apply(change);
    replay.compare(account);
    this.problems.push(...replay.problems);
    return account && { account, history };
  }

  /** Checks that acknowledged requests are stored, others completely or not at all, and all in the order of sending. */
  async compare(sent: readonly SentRequest[]): Promise<void> {
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
      if (acknowledged) this.#statistics.lost += accountIds.length - stored;
      this.problems.push(`${requestId}: ${stored} of ${accountIds.length} stored`);
    }
  }
}
