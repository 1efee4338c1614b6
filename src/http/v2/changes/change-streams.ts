import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Position } from '../../../store/schema/position.js';
import type { Store } from '../../../store/store.js';
import { feedBody } from '../../../wire/change-body.js';
import { principalOf, type Reauthorize } from '../../auth/authenticate.js';
import { httpError } from '../../errors.js';

const PAGE_CHANGES = 50;
/** Streams at the same position within this time share one query. */
const SHARED_FOR_MS = 100;

export interface EventPage {
  /** Server-sent events; empty if there are no changes. */
  readonly text: string;
  /** Position after the last change of the page. */
  readonly position: Position;
}

/** Reads pages of the change feed and formats them as server-sent events; streams at the same position share a page. */
class EventPages {
  readonly #store: Store;
  /** One page per turn of the event loop, so that many streams do not delay other requests. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #pages = new Map<string, Promise<EventPage>>();

  constructor(store: Store) {
    this.#store = store;
  }

  read(tenantId: number, position: Position): Promise<EventPage> {
    const key = `${tenantId} ${position.commitOrder} ${position.seq}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const page = this.#load(tenantId, position);
    this.#pages.set(key, page);
    setTimeout(() => this.#pages.delete(key), SHARED_FOR_MS).unref();
    return page;
  }

  async #load(tenantId: number, position: Position): Promise<EventPage> {
    this.#turn = this.#turn.then(() => nextTurn());
    await this.#turn;
    const { entries, position: next } = await this.#store.feed.page(tenantId, position, PAGE_CHANGES);
    const events = entries.map((entry) => {
      const body = feedBody(entry);
      return `event: change\nid: ${body.cursor}\ndata: ${JSON.stringify(body)}\n\n`;
    });
    return { text: events.join(''), position: next };
  }
}

/** Interval of polling for changes of other processes; changes of this process are signalled. */
const POLL_MS = 500;
/** Wait after a signal, to collect further changes: a flood of them then costs a few queries a second. */
const DEBOUNCE_MS = 100;
const HEARTBEAT_MS = 15_000;
/** A stream whose client reads nothing for this long is closed. */
const STALLED_MS = 60_000;
const MAX_STREAMS_PER_TENANT = 100;

export interface ChangeStreamParts {
  readonly store: Store;
  /** Undefined once the key or session of a request is no longer valid. */
  readonly reauthorize: Reauthorize;
}

/**
 * Streams of changes as server-sent events. Many clients may follow the feed of one tenant, and changes may come from
 * other processes, so each stream is a loop over pages of the feed that sleeps when it has reached the end:
 *
 *   check the credentials ─▶ read a page ──changes──▶ write, wait while the client is slow ─┐
 *         ▲                       │ none                                                    │
 *         │                  sleep: signal of this process + 100 ms, or 500 ms              │
 *         └───────────────────────┴─────────────────────────────────────────────────────────┘
 *
 * Invariants: a position only moves past changes that were written to the response, so a client that reconnects with
 * `Last-Event-ID` misses none; a revoked key or ended session ends its streams; a tenant has at most 100 streams.
 */
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
    // The client may have disconnected already, or the server may be closing: no later event would end the stream.
    if (reply.raw.destroyed || this.#isClosed) end.abort();
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      // Without this header nginx buffers events until it has enough of them.
      'x-accel-buffering': 'no',
    });
    try {
      await this.#run(request, reply, after, end.signal);
    } catch (error) {
      // The client reconnects and continues after the last change that it received.
      if (!end.signal.aborted) request.log.error({ err: error, id: request.id }, 'a stream of changes ended');
    } finally {
      this.#open.delete(reply);
      reply.raw.end();
    }
    return reply;
  }

  /** Call before the server closes, which would otherwise wait for the streams. */
  close(): void {
    this.#isClosed = true;
    for (const end of this.#open.values()) end.abort();
  }

  async #run(request: FastifyRequest, { raw }: FastifyReply, after: Position, signal: AbortSignal) {
    const { reauthorize } = this.#parts;
    const { tenant } = principalOf(request);
    let position = after;
    let writtenAt = performance.now();
    raw.write(': changes follow\n\n');
    while (!signal.aborted && (await reauthorize(request, 'read')) !== undefined) {
      const page = await this.#pages.read(tenant.id, position);
      const isQuiet = page.text === '' && performance.now() - writtenAt > HEARTBEAT_MS;
      const text = isQuiet ? ': still here\n\n' : page.text;
      if (text !== '') {
        writtenAt = performance.now();
        const stalled = AbortSignal.any([signal, AbortSignal.timeout(STALLED_MS)]);
        if (!raw.write(text)) await once(raw, 'drain', { signal: stalled });
      }
      position = page.position;
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
        timer = setTimeout(done, DEBOUNCE_MS);
      });
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }
}
