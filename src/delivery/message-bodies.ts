import { hash } from 'node:crypto';
import type { Endpoint } from '../store/webhooks/webhook-deliveries.js';
import { writePosition } from '../wire/change-body.js';
import { messageBody } from '../wire/event-body.js';
import type { PageEvent } from './event-pages.js';
import type { Message } from './sign-message.js';

const COMMA = Buffer.from(',');
/** In bytes. */
const CACHE_SIZE = 8 * 1024 * 1024;

interface SharedBody {
  readonly events: readonly PageEvent[];
  readonly body: Buffer;
  /** Identifies the events. */
  readonly digest: string;
}

/** The messages of batches. Endpoints at the same position mostly get the same events: they share the body. */
export class MessageBodies {
  /** By the first event, the oldest first. */
  readonly #bodies = new Map<PageEvent, SharedBody>();
  #size = 0;

  /** The id follows from the events: whenever the same events are sent again, they have the same id. */
  messageOf({ id, generation }: Endpoint, events: readonly PageEvent[]): Message {
    const { body, digest } = this.#bodyOf(events);
    return { id: `msg_${hash('sha256', `${id} ${generation} ${digest}`, 'base64url').slice(0, 27)}`, body };
  }

  #bodyOf(events: readonly PageEvent[]): SharedBody {
    const [first] = events as readonly [PageEvent, ...PageEvent[]];
    const known = this.#bodies.get(first);
    const isSame =
      known?.events.length === events.length && known.events.every((one, i) => one === events[i]);
    if (known !== undefined && isSame) return known;
    // With their times: a database that was copied back from elsewhere could use a position again.
    const names = events.map(({ position, at }) => `${writePosition(position)} ${at}`).join(' ');
    const body = messageBody(jsonOf(events), events.at(-1)?.at ?? 0);
    const made = { events, body, digest: hash('sha256', names, 'base64url') };
    this.#drop(first);
    this.#bodies.set(first, made);
    this.#size += body.length;
    for (const oldest of this.#bodies.keys()) {
      if (this.#size <= CACHE_SIZE || oldest === first) break;
      this.#drop(oldest);
    }
    return made;
  }

  #drop(first: PageEvent): void {
    this.#size -= this.#bodies.get(first)?.body.length ?? 0;
    this.#bodies.delete(first);
  }
}

/** The JSON of events, with commas between them. */
function jsonOf(events: readonly PageEvent[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let i = 0; i < events.length; ) {
    const { page, start, end: first } = (events[i] as PageEvent).json;
    let end = first;
    // Events that are next to each other in a page are one piece.
    for (i += 1; i < events.length; i += 1) {
      const { json } = events[i] as PageEvent;
      if (json.page !== page || json.start !== end + 1) break;
      end = json.end;
    }
    if (pieces.length > 0) pieces.push(COMMA);
    pieces.push(page.subarray(start, end));
  }
  return pieces;
}
