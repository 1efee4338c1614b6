import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FeedEntry } from '../../../store/changes/change-feed.js';
import type { Position } from '../../../store/changes/changes-after.js';
import type { Store } from '../../../store/store.js';
import { principalOf } from '../../auth/authenticate.js';
import type { Principal } from '../../auth/principals.js';
import { FairScheduler } from '../../body/fair-scheduler.js';
import { httpError } from '../../errors.js';
import { changeBody } from '../accounts/account-body.js';

export function feedBody({ position, accountId, ...change }: FeedEntry) {
  return { cursor: writePosition(position), account_id: accountId, ...changeBody(change) };
}

export function writePosition({ turn, seq }: Position): string {
  return `${turn}-${seq}`;
}

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
  readonly #scheduler = new FairScheduler();
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
    await this.#scheduler.turn(tenantId);
    const entries = await this.#store.feed.page(tenantId, place, CHANGES_AT_ONCE);
    const events = entries.map((entry) => {
      const body = feedBody(entry);
      return `event: change\nid: ${body.cursor}\ndata: ${JSON.stringify(body)}\n\n`;
    });
    return { text: events.join(''), place: entries.at(-1)?.position ?? place };
  }
}

/** What other processes write is looked for this often; of what this one writes it is told. */
const POLL_MS = 500;
/** After a change, for others that follow at once: so a flood of them costs no more than a few looks a second. */
const PAUSE_MS = 100;
const HEARTBEAT_MS = 15_000;
/** A caller that takes nothing for this long is gone, or might as well be. */
const STALLED_MS = 60_000;
const MAX_STREAMS_PER_TENANT = 100;

export interface ChangeStreamParts {
  readonly store: Store;
  /** Undefined once the key of a request is not let in any more. */
  readonly reauthorize: (request: FastifyRequest) => Promise<Principal | undefined>;
}

/** Answers that stay open and tell of changes as they come (server-sent events). */
export class ChangeStreams {
  readonly #parts: ChangeStreamParts;
  readonly #pages: EventPages;
  readonly #open = new Map<FastifyReply, AbortController>();
  #isClosed = false;

  constructor(parts: ChangeStreamParts) {
    this.#parts = parts;
    this.#pages = new EventPages(parts.store);
  }

  async open(request: FastifyRequest, reply: FastifyReply, after: Position): Promise<FastifyReply> {
    const { tenant } = principalOf(request);
    const others = [...this.#open.keys()].filter(
      (other) => principalOf(other.request).tenant.id === tenant.id,
    );
    if (others.length >= MAX_STREAMS_PER_TENANT) throw httpError('too_many_streams', MAX_STREAMS_PER_TENANT);
    const end = new AbortController();
    this.#open.set(reply, end);
    reply.raw.once('close', () => end.abort());
    // The caller may be gone since it asked, or the server be closing: nothing would end it later.
    if (reply.raw.destroyed || this.#isClosed) end.abort();
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Some proxies would otherwise keep the events until there are enough of them.
      'x-accel-buffering': 'no',
    });
    try {
      await this.#tell(request, reply, after, end.signal);
    } catch (error) {
      // The caller comes back, and goes on behind the last change it was told of.
      if (!end.signal.aborted) request.log.error({ err: error, id: request.id }, 'a stream of changes ended');
    } finally {
      this.#open.delete(reply);
      reply.raw.end();
    }
    return reply;
  }

  /** Before the server closes: it would wait for them. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#open.values()) end.abort();
  }

  async #tell(request: FastifyRequest, { raw }: FastifyReply, after: Position, signal: AbortSignal) {
    const { reauthorize } = this.#parts;
    const { tenant } = principalOf(request);
    let place = after;
    let saidAt = performance.now();
    raw.write(': changes follow\n\n');
    while (!signal.aborted && (await reauthorize(request)) !== undefined) {
      const page = await this.#pages.read(tenant.id, place);
      const isQuiet = page.text === '' && performance.now() - saidAt > HEARTBEAT_MS;
      const text = isQuiet ? ': still here\n\n' : page.text;
      if (text !== '') {
        saidAt = performance.now();
        const patience = AbortSignal.any([signal, AbortSignal.timeout(STALLED_MS)]);
        if (!raw.write(text)) await once(raw, 'drain', { signal: patience });
      }
      place = page.place;
      if (page.text === '') await this.#nextChange(tenant.id, signal);
    }
  }

  #nextChange(tenantId: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unwatch();
        signal.removeEventListener('abort', done);
        resolve();
      };
      let timer = setTimeout(done, POLL_MS);
      const unwatch = this.#parts.store.watch((changed) => {
        if (changed !== tenantId) return;
        unwatch();
        clearTimeout(timer);
        timer = setTimeout(done, PAUSE_MS);
      });
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }
}
