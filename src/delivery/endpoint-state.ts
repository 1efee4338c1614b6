import { GIVE_UP_MS, MAX_RETRY_MS, type WebhookState } from '../domain/webhook.js';
import { endOfSet } from '../store/schema/change-set.js';
import { comparePositions, type Position } from '../store/schema/position.js';
import type { Delivery, WebhookDelivery } from '../store/webhooks/delivery-log.js';
import type { Endpoint } from '../store/webhooks/webhook-deliveries.js';
import type { Answer } from './post-message.js';

interface LoggedAttempt {
  readonly at: number;
  readonly messageId: string;
  readonly events: number;
  readonly answer: Answer;
}

/** Failed attempts that are kept until the log is stored. Each waits before the next, so there are few. */
const MAX_FAILED = 10;

/** What this process knows of an endpoint. It is ahead of the database by what is not stored yet. */
export class EndpointState {
  /** Settings and progress. */
  endpoint: Endpoint;
  /** Its failures as they were stored or read last. */
  knownFailures: number;
  /** Whether it waits for a delivery, or has one under way. */
  isBusy = false;
  /** Whether the delivery follows another without a poll between them. */
  isFollowUp = false;
  readonly #stopped = new AbortController();
  #refreshed: Endpoint | undefined;
  #taken: Delivery | undefined;
  #failed: Delivery[] = [];

  constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
    this.knownFailures = endpoint.failures;
  }

  /** Aborted when this process does not deliver to the endpoint any more. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** What it does afterwards is not stored. */
  stop(): void {
    this.#stopped.abort();
  }

  /** Whether a delivery can begin. `feedEnd` is the last set of its feed. */
  isDue(feedEnd: Position | undefined, now: number): boolean {
    const { retryAt, position } = this.endpoint;
    return (
      !this.isBusy &&
      feedEnd !== undefined &&
      // A time that is too far away was set by a clock that was wrong.
      (retryAt === null || retryAt <= now || retryAt > now + MAX_RETRY_MS) &&
      comparePositions(position, endOfSet(feedEnd)) < 0
    );
  }

  /** Whether it is given up after an attempt that failed. */
  endAfter(
    { status, error }: Answer,
    now: number,
  ): { readonly state: WebhookState; readonly reason: string } | undefined {
    if (status === 410) return { state: 'disabled', reason: 'It answered 410: it is gone.' };
    const { failingSince } = this.endpoint;
    if (failingSince === null || now - failingSince < GIVE_UP_MS) return undefined;
    return { state: 'paused', reason: `It has taken nothing for three days. The last attempt: ${error}` };
  }

  /** Takes over changed settings, once no delivery is under way. */
  refresh(stored: Endpoint): void {
    this.#refreshed = stored;
    if (!this.isBusy) this.applyRefresh();
  }

  applyRefresh(): void {
    const stored = this.#refreshed;
    if (stored === undefined) return;
    this.#refreshed = undefined;
    if (stored.generation !== this.endpoint.generation) {
      this.replace(stored);
      return;
    }
    const { position, end, deliveredAt, failures, failingSince, retryAt, lastError } = this.endpoint;
    // A webhook that was resumed does not wait for its next attempt.
    const isResumed = stored.failures < this.knownFailures;
    const failing = isResumed ? {} : { failures, failingSince, retryAt, lastError };
    if (isResumed) this.knownFailures = stored.failures;
    const isSame = JSON.stringify(selectionOf(stored)) === JSON.stringify(selectionOf(this.endpoint));
    this.endpoint = { ...stored, position, end: isSame ? end : null, deliveredAt, ...failing };
  }

  /** Takes over settings and progress. */
  replace(stored: Endpoint): void {
    this.endpoint = stored;
    this.knownFailures = stored.failures;
  }

  moved(position: Position): void {
    this.endpoint = { ...this.endpoint, position, end: null };
  }

  planned(end: Position | null): void {
    this.endpoint = { ...this.endpoint, end };
  }

  taken(position: Position, at: number): void {
    this.endpoint = { ...this.endpoint, ...WORKING, position, end: null, deliveredAt: at };
  }

  failed(lastError: string, now: number, retryAt: number): void {
    const { failures, failingSince } = this.endpoint;
    const failing = { failures: failures + 1, failingSince: failingSince ?? now, retryAt, lastError };
    this.endpoint = { ...this.endpoint, ...failing };
  }

  /** Call before the outcome is noted. Attempts that succeed are added up until `takeLog`. */
  log({ at, messageId, events, answer }: LoggedAttempt): void {
    const { status, error, tookMs, text } = answer;
    const attempt = this.endpoint.failures + 1;
    const one = { at, messageId, attempt, deliveries: 1, events, status, error, tookMs, answer: text };
    if (error !== null) {
      if (this.#failed.length < MAX_FAILED) this.#failed.push(one);
      return;
    }
    const { deliveries = 0, events: before = 0, tookMs: longest = 0 } = this.#taken ?? {};
    this.#taken = {
      ...one,
      deliveries: deliveries + 1,
      events: before + events,
      tookMs: Math.max(longest, tookMs),
    };
  }

  get hasLog(): boolean {
    return this.#taken !== undefined || this.#failed.length > 0;
  }

  /** The rows of the log since the last call, in their order. */
  takeLog(): WebhookDelivery[] {
    const { id: webhookId, tenantId } = this.endpoint;
    const rows = [...this.#failed, ...(this.#taken === undefined ? [] : [this.#taken])];
    this.#failed = [];
    this.#taken = undefined;
    return rows.sort((a, b) => a.at - b.at).map((row) => ({ ...row, webhookId, tenantId }));
  }
}

const WORKING = { failures: 0, failingSince: null, retryAt: null, lastError: null };

/** What decides which events are in a batch. */
function selectionOf({ events, filter, batchSize }: Endpoint) {
  return { events, filter, batchSize };
}
