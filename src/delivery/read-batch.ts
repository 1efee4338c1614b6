import { matches } from '../domain/webhook.js';
import { endOfSet, setOf } from '../store/schema/change-set.js';
import { comparePositions, type Position } from '../store/schema/position.js';
import type { Endpoint } from '../store/webhooks/webhook-deliveries.js';
import type { EventPage, EventPages, PageEvent } from './event-pages.js';

/** Events that are sent together. */
export interface Batch {
  readonly events: readonly PageEvent[];
  /** The position up to which the feed was searched for them. */
  readonly end: Position;
  /** Whether the same events would be found again, however much is added to the feed. */
  readonly isFinal: boolean;
  /** Whether the feed may have more after it. */
  readonly hasMore: boolean;
}

/** A batch ends when its events have so many bytes together, even if there are few. */
const MAX_BATCH_BYTES = 256 * 1024;

/** A batch ends after so many pages, even if none of their events is wanted. */
const MAX_PAGES = 20;

/**
 * The events after the position of an endpoint. `feedEnd` is the last set of the feed. If the endpoint has an `end`, they
 * end there: a batch that was sent at the end of the feed is sent again with the same events.
 */
export async function readBatch(pages: EventPages, endpoint: Endpoint, feedEnd: Position): Promise<Batch> {
  const { tenantId, batchSize, end } = endpoint;
  const events: PageEvent[] = [];
  let size = 0;
  let position = endpoint.position;
  for (let read = 0; read < MAX_PAGES || end !== null; read += 1) {
    const { page, next } = await pages.read(tenantId, position);
    const isWanted = await filterOf(endpoint, page);
    for (let i = next; i < page.events.length; i += 1) {
      const event = page.events[i] as PageEvent;
      if (end !== null && comparePositions(event.position, end) > 0)
        return { events, end, isFinal: true, hasMore: true };
      position = event.position;
      if (!isWanted(event)) continue;
      events.push(event);
      size += event.json.end - event.json.start;
      if (events.length === batchSize) return { events, end: position, isFinal: true, hasMore: true };
      // An event may be shorter when it is read again: values are erased when their account is deleted.
      if (size >= MAX_BATCH_BYTES && end === null)
        return { events, end: position, isFinal: false, hasMore: true };
    }
    // A page may be older than `feedEnd`, or newer.
    const lastRead = { ...position, seq: setOf(position.seq) };
    const isBefore = comparePositions(lastRead, feedEnd) < 0;
    if (page.events.length === 0 || (page.isEnd && !isBefore)) {
      if (end !== null) return { events, end, isFinal: true, hasMore: true };
      return { events, end: endOfSet(isBefore ? feedEnd : lastRead), isFinal: false, hasMore: false };
    }
  }
  return { events, end: position, isFinal: false, hasMore: true };
}

async function filterOf(
  { events, filter }: Endpoint,
  page: EventPage,
): Promise<(event: PageEvent) => boolean> {
  const hasNoValues = Object.keys(filter.values).length === 0;
  const accounts = hasNoValues ? undefined : await page.accountsWith(filter.values);
  return (event) =>
    matches(events, filter, event) &&
    (accounts === undefined || event.accountId === null || accounts.has(event.accountId));
}
