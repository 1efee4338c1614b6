import { setTimeout as pause } from 'node:timers/promises';
import { RoundRobinQueue } from '../domain/round-robin-queue.js';
import { MAX_RETRY_MS, retryDelayMs } from '../domain/webhook.js';
import type { Position } from '../store/schema/position.js';
import type { Store } from '../store/store.js';
import { DeliveryLease } from './delivery-lease.js';
import { DeliveryRecorder } from './delivery-recorder.js';
import { type DeliverySlot, DeliverySlots } from './delivery-slots.js';
import { EndpointState } from './endpoint-state.js';
import { EventPages } from './event-pages.js';
import { MessageBodies } from './message-bodies.js';
import type { Answer, MessageSender } from './post-message.js';
import { readBatch } from './read-batch.js';

export interface DelivererParts {
  readonly store: Store;
  readonly sender: MessageSender;
  /** Identifies this process among all that use the database. */
  readonly holder: string;
  readonly clock?: () => number;
  /** Milliseconds until the attempt after so many failures. */
  readonly retryMs?: (failures: number) => number;
  readonly watchMs?: number;
  readonly onAttempt?: (attempt: Attempt) => void;
  readonly onError?: (error: unknown) => void;
}

/** For metrics. */
export interface Attempt {
  readonly isTaken: boolean;
  readonly events: number;
}

/** How often the feed is checked for new events. */
const POLL_MS = 250;
/** The same while there is no webhook. */
const IDLE_POLL_MS = 1_000;
/** How often conditions are looked for, such as sources that are late. */
const WATCH_MS = 10_000;
/** How long a stopping process waits for answers. */
const CLOSE_MS = 2_000;

/**
 * Delivers the events of the change feed to webhooks. Each webhook is a cursor on the feed of its tenant:
 *
 *   poll: is the feed of a tenant longer than the position of one of its webhooks?
 *     │ yes, and this process has the lease or gets it
 *     ▼
 *   read a batch ──at the end of the feed──▶ store where it ends ──▶ send ──2xx──▶ move on, next batch
 *     │                                                              ▲ │ else
 *     └──full: it has the same events whenever it is read again──────┘ └─────▶ wait, send the same batch again
 *
 * - A webhook has at most one message under way, and the next one follows when it was taken: so none is out of order.
 * - The position is stored after a message was taken, within a second: so none is lost, and after a crash only messages
 *   of the last second are sent again. Their ids follow from their events, so they have the same ids.
 * - One process at a time delivers (`WebhookDeliveries`). It aborts what is under way when its lease ends.
 * - An endpoint that is slow or down has one message under way, and others go on. Tenants take turns, and have limited
 *   messages under way (`DeliverySlots`).
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #clock: () => number;
  readonly #pages: EventPages;
  readonly #bodies = new MessageBodies();
  readonly #recorder: DeliveryRecorder;
  readonly #states = new Map<string, EndpointState>();
  readonly #queue = new RoundRobinQueue<EndpointState>();
  /** Where the feeds of tenants end. */
  #ends: ReadonlyMap<number, Position> = new Map();
  readonly #slots = new DeliverySlots();
  #version: number | undefined;
  /** By the monotonic clock. */
  #watchedAt = Number.NEGATIVE_INFINITY;
  #watching: Promise<void> | undefined;
  readonly #lease: DeliveryLease;
  readonly #closing = new AbortController();
  readonly #polling: Promise<void>;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
    this.#pages = new EventPages(parts.store);
    this.#lease = new DeliveryLease(parts.store.deliveries, parts.holder, () => this.#forget());
    this.#recorder = new DeliveryRecorder(parts.store.deliveries, parts.holder, {
      renewed: (since) => this.#lease.renewed(since),
      lost: () => this.#lease.end(),
      failed: (error) => parts.onError?.(error),
    });
    this.#polling = this.#poll();
  }

  /** Waits for answers for a while, stores what was delivered, and lets another process deliver. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#polling;
    await this.#watching;
    const end = performance.now() + CLOSE_MS;
    while (!this.#slots.isEmpty && performance.now() < end) await pause(10);
    if (this.#lease.isHeld) await this.#recorder.recordNow().catch(() => {});
    await this.#lease.release().catch(() => {});
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await this.#check();
      } catch (error) {
        // The database may be away for a while.
        this.#parts.onError?.(error);
      }
      const wait = this.#states.size === 0 && !this.#lease.isHeld ? IDLE_POLL_MS : POLL_MS;
      await pause(wait, undefined, { signal }).catch(() => {});
    }
  }

  async #check(): Promise<void> {
    const { deliveries } = this.#parts.store;
    const { version, isTaken } = await deliveries.state(this.#parts.holder);
    if (isTaken) return this.#lease.end();
    this.#watching ??= this.#watch()
      .catch((error) => this.#parts.onError?.(error))
      .finally(() => {
        this.#watching = undefined;
      });
    if (version !== this.#version) await this.#load(version);
    if (this.#states.size === 0) return;
    this.#ends = await deliveries.ends();
    let due = this.#due();
    if (due.length === 0 && this.#slots.isEmpty && !this.#recorder.hasWork) return;
    if (!this.#lease.isHeld) {
      if (!(await this.#lease.take())) return;
      await this.#load(version);
      due = this.#due();
    } else if (this.#lease.isDue) await this.#lease.take();
    for (const state of due) this.#enqueue(state);
    this.#recorder.recordIfDue();
  }

  async #watch(): Promise<void> {
    const { conditions } = this.#parts.store;
    const { watchMs = WATCH_MS } = this.#parts;
    if (performance.now() - this.#watchedAt < watchMs) return;
    this.#watchedAt = performance.now();
    const tenants = await conditions.watched();
    if (tenants.length === 0 || !(this.#lease.isHeld || (await this.#lease.take()))) return;
    for (const tenant of tenants) await conditions.check(tenant, this.#clock());
  }

  /** What is known of endpoints is read again when this process delivers again. */
  #forget(): void {
    for (const state of this.#states.values()) state.stop();
    this.#states.clear();
    this.#version = undefined;
  }

  async #load(version: number): Promise<void> {
    // What is stored then is complete, apart from messages that are under way.
    if (this.#lease.isHeld && this.#recorder.hasWork) await this.#recorder.recordNow();
    const stored = await this.#parts.store.deliveries.endpoints();
    const ids = new Set(stored.map(({ id }) => id));
    for (const [id, state] of this.#states) {
      if (ids.has(id)) continue;
      state.stop();
      this.#states.delete(id);
    }
    for (const endpoint of stored) {
      const state = this.#states.get(endpoint.id);
      if (state === undefined) this.#states.set(endpoint.id, new EndpointState(endpoint));
      else if (this.#lease.isHeld || state.isBusy) state.refresh(endpoint);
      else state.replace(endpoint);
    }
    this.#version = version;
  }

  #due(): EndpointState[] {
    const now = this.#clock();
    return [...this.#states.values()].filter((state) =>
      state.isDue(this.#ends.get(state.endpoint.tenantId), now),
    );
  }

  #enqueue(state: EndpointState, isFollowUp = false): void {
    state.isBusy = true;
    state.isFollowUp = isFollowUp;
    this.#queue.push(state.endpoint.tenantId, state);
    this.#startDeliveries();
  }

  #startDeliveries(): void {
    while (this.#slots.hasRoom) {
      const state = this.#queue.shift((tenantId) => this.#slots.hasRoomFor(tenantId));
      if (state === undefined) return;
      const isAllowed = this.#lease.isHeld && !this.#closing.signal.aborted && !state.signal.aborted;
      if (!isAllowed) {
        // It is due again at the next poll.
        state.isBusy = false;
        continue;
      }
      const slot = this.#slots.take(state.endpoint.tenantId);
      this.#deliver(state, slot)
        .catch((error) => this.#parts.onError?.(error))
        .then((hasMore) => {
          slot.release();
          state.isBusy = false;
          state.applyRefresh();
          if (hasMore === true && !state.signal.aborted) this.#enqueue(state, true);
          else this.#startDeliveries();
        });
    }
  }

  /** Returns whether the next batch can follow at once. */
  async #deliver(state: EndpointState, slot: DeliverySlot): Promise<boolean> {
    const { endpoint, signal } = state;
    const end = this.#ends.get(endpoint.tenantId);
    if (end === undefined) return false;
    const batch = await readBatch(this.#pages, endpoint, end);
    if (signal.aborted) return false;
    if (batch.events.length === 0) {
      state.moved(batch.end);
      this.#recorder.add(state);
      return batch.hasMore;
    }
    // What comes after a full batch waits for the next poll, when there may be enough for another.
    if (state.isFollowUp && !batch.isFinal && !batch.hasMore) return false;
    const message = this.#bodies.messageOf(endpoint, batch.events);
    slot.hold(message.body.length);
    this.#startDeliveries();
    if (!batch.isFinal) await this.#storeEnd(state, batch.end);
    if (signal.aborted || !this.#lease.isHeld) return false;
    const at = this.#clock();
    const secrets = endpoint.secretsAt(at);
    const answer = await this.#parts.sender.send(endpoint.url, message, secrets, at, signal);
    // Whether it was taken is not known. Another process sends it again.
    if (signal.aborted) return false;
    const events = batch.events.length;
    const isTaken = answer.error === null;
    this.#parts.onAttempt?.({ isTaken, events });
    state.log({ at, messageId: message.id, events, answer });
    if (isTaken) {
      state.taken(batch.end, this.#clock());
      this.#recorder.add(state);
      return batch.hasMore;
    }
    await this.#failed(state, answer);
    return false;
  }

  /** Stores where a batch ends, before it is sent: after a crash it is sent again as it was. */
  async #storeEnd(state: EndpointState, end: Position): Promise<void> {
    state.planned(end);
    this.#recorder.add(state);
    try {
      await this.#recorder.recordNow();
    } catch (error) {
      state.planned(null);
      throw error;
    }
  }

  async #failed(state: EndpointState, answer: Answer): Promise<void> {
    const now = this.#clock();
    const failures = state.endpoint.failures + 1;
    const wait = this.#parts.retryMs?.(failures) ?? retryDelayMs(failures, Math.random());
    const asked = Math.min(answer.retryAfterMs ?? 0, MAX_RETRY_MS);
    state.failed(answer.error ?? '', now, now + Math.max(wait, asked));
    this.#recorder.add(state);
    const stop = state.endAfter(answer, now);
    if (stop === undefined) return;
    await this.#recorder.recordNow();
    await this.#parts.store.deliveries.stop(this.#parts.holder, state.endpoint, { ...stop, at: now });
  }
}
