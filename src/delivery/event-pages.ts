import { type FilteredEvent, hasValues, type WebhookFilter, wantedValues } from '../domain/webhook.js';
import type { FeedSet, FoundSets } from '../store/changes/change-feed.js';
import type { Run } from '../store/runs/run.js';
import type { FeedEvent } from '../store/schema/feed-event.js';
import { comparePositions, type Position } from '../store/schema/position.js';
import type { Store } from '../store/store.js';
import { accountEventWriter, EVENT_OF_KIND, eventBody } from '../wire/event-body.js';
import { runBody } from '../wire/run-body.js';
import { sourceStateBody } from '../wire/source-body.js';

/** An event, ready to be sent. */
export interface PageEvent extends FilteredEvent {
  readonly position: Position;
  readonly at: number;
  /** Null if it is not about an account, or about one that was deleted. */
  readonly accountId: string | null;
  /** Its JSON is there, and that of the next event of the page after a comma. */
  readonly json: { readonly page: Buffer; readonly start: number; readonly end: number };
}

/** An event before the JSON of its page is put together. */
type WrittenEvent = Omit<PageEvent, 'json'> & { readonly text: string };

/** Successive events of the feed of a tenant. */
export interface EventPage {
  readonly events: readonly PageEvent[];
  /** Whether the feed had no more when the page was read. */
  readonly isEnd: boolean;
  /** The ids of accounts of the page that have wanted values now. */
  accountsWith(values: WebhookFilter['values']): Promise<ReadonlySet<string>>;
}

/** A page, and the first of its events after a position. */
export interface PlaceInPage {
  readonly page: EventPage;
  readonly next: number;
}

const EVENTS_PER_PAGE = 500;
const ACCOUNTS_PER_QUERY = 10;
/** In bytes. */
const CACHE_SIZE = 16 * 1024 * 1024;
/** What a page takes apart from its JSON. */
const PAGE_SIZE = 4 * 1024;
/** What is erased from the feed is not sent any more after this time. */
const CACHE_MS = 60_000;

interface KeptPage {
  readonly tenantId: number;
  /** The page has all events after this position, up to its last one. */
  readonly after: Position;
  readonly last: Position;
  readonly page: EventPage;
  readonly size: number;
  readonly until: number;
}

/**
 * Pages of the change feed, as the JSON that is sent. The endpoints of a tenant are mostly at almost the same position,
 * so pages are kept for a while: each event is read and encoded once for all of them.
 */
export class EventPages {
  readonly #store: Store;
  readonly #loading = new Map<string, Promise<EventPage>>();
  /** Pages that are not empty, the oldest first. */
  readonly #kept = new Set<KeptPage>();
  readonly #ofTenants = new Map<number, KeptPage[]>();
  #size = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * The events after a position. A page that is not empty may be older, and end before the end of the feed now; an empty
   * one is read after the call.
   */
  async read(tenantId: number, after: Position): Promise<PlaceInPage> {
    this.#dropOld();
    const kept = this.#ofTenants.get(tenantId)?.findLast((one) => contains(one, after));
    if (kept !== undefined) return { page: kept.page, next: indexAfter(kept.page.events, after) };
    const key = `${tenantId} ${after.commitOrder} ${after.seq}`;
    const shared = await this.#loading.get(key);
    if (shared !== undefined && shared.events.length > 0) return { page: shared, next: 0 };
    const loading = this.#load(tenantId, after);
    this.#loading.set(key, loading);
    try {
      const page = await loading;
      this.#keep(tenantId, after, page);
      return { page, next: 0 };
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  #keep(tenantId: number, after: Position, page: EventPage): void {
    const last = page.events.at(-1);
    if (last === undefined) return;
    const size = PAGE_SIZE + last.json.page.length;
    const until = performance.now() + CACHE_MS;
    const kept = { tenantId, after, last: last.position, page, size, until };
    this.#kept.add(kept);
    const ofTenant = this.#ofTenants.get(tenantId);
    if (ofTenant === undefined) this.#ofTenants.set(tenantId, [kept]);
    else ofTenant.push(kept);
    this.#size += size;
    this.#dropOld();
  }

  #dropOld(): void {
    const now = performance.now();
    for (const kept of this.#kept) {
      if (this.#size <= CACHE_SIZE && now < kept.until) return;
      this.#kept.delete(kept);
      this.#size -= kept.size;
      // It is also the oldest of its tenant.
      const ofTenant = this.#ofTenants.get(kept.tenantId);
      ofTenant?.shift();
      if (ofTenant?.length === 0) this.#ofTenants.delete(kept.tenantId);
    }
  }

  async #load(tenantId: number, after: Position): Promise<EventPage> {
    const { sets, isEnd } = await this.#setsAfter(tenantId, after);
    const written: WrittenEvent[] = [];
    for (const set of sets) {
      if (set.event === null) written.push(...accountEvents(set));
      else written.push(await this.#describe(tenantId, set, set.event));
    }
    const events = inOneBuffer(written);
    const found = new Map<string, ReadonlySet<string>>();
    const accountsWith = async (values: WebhookFilter['values']) => {
      const key = JSON.stringify(values);
      const ids = found.get(key) ?? (await this.#accountsWith(tenantId, events, values));
      found.set(key, ids);
      return ids;
    };
    return { events, isEnd, accountsWith };
  }

  async #setsAfter(tenantId: number, after: Position): Promise<FoundSets> {
    for (;;) {
      const found = await this.#store.feed.sets(tenantId, after, EVENTS_PER_PAGE);
      // Else all sets of the page were removed while it was read.
      if (found.sets.length > 0 || found.isEnd) return found;
    }
  }

  async #accountsWith(
    tenantId: number,
    events: readonly PageEvent[],
    values: WebhookFilter['values'],
  ): Promise<ReadonlySet<string>> {
    const ids = [...new Set(events.flatMap(({ accountId }) => accountId ?? []))];
    const wanted = wantedValues(values);
    const found = new Set<string>();
    // Accounts may be large.
    for (let i = 0; i < ids.length; i += ACCOUNTS_PER_QUERY) {
      const some = ids.slice(i, i + ACCOUNTS_PER_QUERY);
      const accounts = await this.#store.accounts.findAll(tenantId, some);
      for (const id of some) if (hasValues(wanted, accounts.get(id)?.fields ?? {})) found.add(id);
    }
    return found;
  }

  async #describe(tenantId: number, set: FeedSet, event: FeedEvent): Promise<WrittenEvent> {
    const { commitOrder, seq, at } = set;
    const position = { commitOrder, seq };
    const { source, data } = await this.#dataOf(tenantId, event, at);
    const text = JSON.stringify(eventBody(event.type, at, position, data));
    return { type: event.type, position, at, source, fields: [], accountId: null, text };
  }

  async #dataOf(
    tenantId: number,
    event: FeedEvent,
    at: number,
  ): Promise<{ readonly source: string | null; readonly data: object }> {
    const { runs, directory } = this.#store;
    const body = async (run: Run) => runBody(await runs.withUser(tenantId, run));
    switch (event.type) {
      case 'run.finished': {
        const run = await runs.find(tenantId, event.run);
        return { source: run?.source ?? null, data: run === undefined ? {} : await body(run) };
      }
      case 'run.undone': {
        const undo = await runs.find(tenantId, event.run);
        const run = undo?.undo ? await runs.find(tenantId, undo.undo.runId) : undefined;
        const data =
          undo === undefined || run === undefined
            ? {}
            : { ...(await body(run)), undone_by: await body(undo) };
        return { source: undo?.source ?? null, data };
      }
      case 'source.late':
      case 'source.recovered': {
        const source = await directory.sources.find(tenantId, event.source);
        return {
          source: event.source,
          data: source === undefined ? { name: event.source } : sourceStateBody(source, at),
        };
      }
      case 'rejections.burst':
        return { source: null, data: { rejected: event.rejected, seconds: event.seconds } };
    }
  }
}

function accountEvents(set: FeedSet): WrittenEvent[] {
  const { commitOrder, at, source } = set;
  const write = accountEventWriter(set);
  return set.changes.map((change) => ({
    type: EVENT_OF_KIND[change.kind],
    position: { commitOrder, seq: change.seq },
    at,
    source,
    fields: Object.keys(change.changes),
    accountId: change.kind === 'deleted' ? null : change.accountId,
    text: write(change),
  }));
}

/** Pages are kept for a while: a buffer costs the garbage collector less than the texts. */
function inOneBuffer(written: readonly WrittenEvent[]): PageEvent[] {
  const text = written.map((one) => one.text).join(',');
  const page = Buffer.from(text);
  // Mostly there are only characters of one byte.
  const lengthOf = page.length === text.length ? (one: string) => one.length : Buffer.byteLength;
  let end = -1;
  return written.map(({ type, position, at, source, fields, accountId, text }) => {
    const start = end + 1;
    end = start + lengthOf(text);
    return { type, position, at, source, fields, accountId, json: { page, start, end } };
  });
}

function contains({ after, last }: KeptPage, position: Position): boolean {
  return comparePositions(after, position) <= 0 && comparePositions(position, last) < 0;
}

/** The index of the first event after a position, by bisection. */
function indexAfter(events: readonly PageEvent[], position: Position): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (comparePositions((events[middle] as PageEvent).position, position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
