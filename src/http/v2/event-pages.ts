import type { Position } from '../../store/reading/changes-behind.js';
import type { Store } from '../../store/store.js';
import { Turns } from '../turns.js';
import { feedBody } from './feed-body.js';

const CHANGES_AT_ONCE = 50;
/** Streams that are at the same place within this time are told from one look at the database. */
const SHARED_FOR_MS = 100;

export interface EventPage {
  /** Server-sent events; empty where there are none. */
  readonly text: string;
  /** Where to go on. */
  readonly place: Position;
}

/** The next changes behind a place, as events. */
export class EventPages {
  readonly #store: Store;
  readonly #turns = new Turns();
  readonly #pages = new Map<string, Promise<EventPage>>();

  constructor(store: Store) {
    this.#store = store;
  }

  read(tenantId: number, place: Position): Promise<EventPage> {
    const key = `${tenantId} ${place.turn} ${place.seq}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const page = this.#load(tenantId, place);
    this.#pages.set(key, page);
    setTimeout(() => this.#pages.delete(key), SHARED_FOR_MS).unref();
    return page;
  }

  async #load(tenantId: number, place: Position): Promise<EventPage> {
    await this.#turns.of(tenantId);
    const entries = await this.#store.feed.page(tenantId, place, CHANGES_AT_ONCE);
    const events = entries.map((entry) => {
      const body = feedBody(entry);
      return `event: change\nid: ${body.cursor}\ndata: ${JSON.stringify(body)}\n\n`;
    });
    return { text: events.join(''), place: entries.at(-1)?.position ?? place };
  }
}
