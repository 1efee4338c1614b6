import type { FeedEntry } from '../../dist/store/changes/change-feed.js';
import type { ChangeKind } from '../../dist/store/changes/change-kind.js';
import { BEGINNING } from '../../dist/store/changes/changes-after.js';
import type { Store } from '../../dist/store/store.js';
import { AccountReplay } from './account-replay.js';
import type { Sent } from './persistent-load.js';
import type { Tally } from './tally.js';

const PAGE = 1_000;

/** Follows the changes of a tenant from the first one on, as a system downstream does, and holds them to what is stored. */
export class FeedFollower {
  readonly problems: string[] = [];
  readonly kinds: Record<ChangeKind, number> = { created: 0, updated: 0, deleted: 0 };
  /** Field → how many accounts hold it. */
  readonly holders = new Map<string, number>();
  readonly #tally: Tally;
  readonly #replays = new Map<string, AccountReplay>();
  #place = BEGINNING;
  /** Request and account of each change since the last comparison. */
  #found = new Set<string>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Everything that is behind the last place; each account that changed is compared with what is stored. */
  async follow(store: Store, tenantId: number): Promise<void> {
    const changed = new Set<string>();
    for (;;) {
      const page = await store.feed.page(tenantId, this.#place, PAGE);
      for (const entry of page) {
        this.#take(entry);
        changed.add(entry.accountId);
      }
      if (page.length === 0) break;
    }
    const ids = [...changed];
    for (let at = 0; at < ids.length; at += PAGE) {
      const some = ids.slice(at, at + PAGE);
      const stored = await store.accounts.findAll(tenantId, some);
      for (const id of some) {
        const replay = this.#replays.get(id);
        replay?.compare(stored.get(id));
        this.problems.push(...(replay?.problems.splice(0) ?? []));
      }
    }
  }

  /** Every acknowledged request is there, every other one wholly or not at all. */
  compare(sent: readonly Sent[]): void {
    for (const { requestId, accountIds, acknowledged, isRefused = false } of sent) {
      const stored = accountIds.filter((id) => this.#found.has(`${requestId} ${id}`)).length;
      const isWhole = stored === accountIds.length && !isRefused;
      if (isWhole || (stored === 0 && !acknowledged)) continue;
      if (acknowledged) this.#tally.lost += accountIds.length - stored;
      this.problems.push(`${requestId}: ${stored} of ${accountIds.length} stored`);
    }
    this.#found = new Set();
  }

  #take(entry: FeedEntry): void {
    const { position, accountId, requestId, kind, changes } = entry;
    const { turn, seq } = this.#place;
    const isBehind = position.turn > turn || (position.turn === turn && position.seq > seq);
    if (!isBehind) this.problems.push(`${accountId}: ${JSON.stringify(position)} behind ${turn}-${seq}`);
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
    this.#place = position;
    this.#tally.changes += 1;
  }
}
