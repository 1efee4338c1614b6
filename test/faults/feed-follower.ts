import type { FeedEntry } from '../../dist/store/changes/change-feed.js';
import { noChanges } from '../../dist/store/schema/change-set.js';
import { BEGINNING } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { AccountReplay } from './account-replay.js';
import type { SentRequest } from './continuous-load.js';
import type { LoadStatistics } from './load-statistics.js';

const PAGE_SIZE = 1_000;

/** Follows all changes of a tenant, like a downstream system, and compares them with the stored accounts. */
export class FeedFollower {
  readonly problems: string[] = [];
  readonly kinds = noChanges();
  /** Field → number of accounts with a value. */
  readonly holders = new Map<string, number>();
  readonly #statistics: LoadStatistics;
  readonly #replays = new Map<string, AccountReplay>();
  #position = BEGINNING;
  /** Request and account of each change since the last comparison. */
  #found = new Set<string>();

  constructor(statistics: LoadStatistics) {
    this.#statistics = statistics;
  }

  /** Reads all changes after the last position, and compares each changed account with the stored one. */
  async follow(store: Store, tenantId: number): Promise<void> {
    const changed = new Set<string>();
    for (;;) {
      const page = (await store.feed.page(tenantId, this.#position, PAGE_SIZE)).entries;
      for (const entry of page) {
        this.#apply(entry);
        changed.add(entry.accountId);
      }
      if (page.length === 0) break;
    }
    const ids = [...changed];
    for (let at = 0; at < ids.length; at += PAGE_SIZE) {
      const some = ids.slice(at, at + PAGE_SIZE);
      const stored = await store.accounts.findAll(tenantId, some);
      for (const id of some) {
        const replay = this.#replays.get(id);
        replay?.compare(stored.get(id));
        this.problems.push(...(replay?.problems.splice(0) ?? []));
      }
    }
  }

  /** Checks that every acknowledged request is stored, and every other one completely or not at all. */
  compare(sent: readonly SentRequest[]): void {
    for (const { requestId, accountIds, acknowledged, isRejected = false } of sent) {
      const stored = accountIds.filter((id) => this.#found.has(`${requestId} ${id}`)).length;
      const isWhole = stored === accountIds.length && !isRejected;
      if (isWhole || (stored === 0 && !acknowledged)) continue;
      if (acknowledged) this.#statistics.lost += accountIds.length - stored;
      this.problems.push(`${requestId}: ${stored} of ${accountIds.length} stored`);
    }
    this.#found = new Set();
  }

  #apply(entry: FeedEntry): void {
    const { position, accountId, requestId, kind, changes } = entry;
    const { commitOrder, seq } = this.#position;
    const isLater =
      position.commitOrder > commitOrder || (position.commitOrder === commitOrder && position.seq > seq);
    if (!isLater) this.problems.push(`${accountId}: ${JSON.stringify(position)} after ${commitOrder}-${seq}`);
    const found = `${requestId} ${accountId}`;
    if (this.#found.has(found)) this.problems.push(`${found} twice`);
    this.#found.add(found);
    const replay = this.#replays.get(accountId) ?? new AccountReplay(accountId);
    this.#replays.set(accountId, replay);
    replay.apply(entry);
    this.kinds[kind] += 1;
    for (const [field, [from, to]] of Object.entries(changes)) {
      const more = (to === null ? 0 : 1) - (from === null ? 0 : 1);
      this.holders.set(field, (this.holders.get(field) ?? 0) + more);
    }
    this.#position = position;
    this.#statistics.changes += 1;
  }
}
