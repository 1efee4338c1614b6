import type { WebhookDelivery } from '../store/webhooks/delivery-log.js';
import type { WebhookDeliveries } from '../store/webhooks/webhook-deliveries.js';
import type { EndpointState } from './endpoint-state.js';

/** Progress is stored so often. */
const RECORD_MS = 1_000;

/** Rows of the log that wait while the database is away. */
const MAX_LOG = 1_000;

interface RecorderEvents {
  /** The lease was renewed; it was asked for at this time of the monotonic clock. */
  readonly renewed: (since: number) => void;
  readonly lost: () => void;
  readonly failed: (error: unknown) => void;
}

/** Stores the progress of endpoints: that of all of them in one transaction, and one transaction at a time. */
export class DeliveryRecorder {
  readonly #deliveries: WebhookDeliveries;
  readonly #holder: string;
  readonly #events: RecorderEvents;
  #changed = new Set<EndpointState>();
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #log: WebhookDelivery[] = [];
  #recordedAt = 0;
  #loggedAt = 0;

  constructor(deliveries: WebhookDeliveries, holder: string, events: RecorderEvents) {
    this.#deliveries = deliveries;
    this.#holder = holder;
    this.#events = events;
  }

  get hasWork(): boolean {
    return this.#changed.size > 0;
  }

  add(state: EndpointState): void {
    this.#changed.add(state);
  }

  recordIfDue(): void {
    if (!this.hasWork || performance.now() - this.#recordedAt < RECORD_MS) return;
    this.recordNow().catch((error) => this.#events.failed(error));
  }

  /** Resolves when everything that was added is stored. Calls that wait for the same transaction share the next. */
  recordNow(): Promise<void> {
    this.#next ??= this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        this.#running = this.#record();
        return this.#running;
      });
    return this.#next;
  }

  async #record(): Promise<void> {
    const states = [...this.#changed].filter(({ signal }) => !signal.aborted);
    this.#changed = new Set();
    const since = performance.now();
    this.#recordedAt = since;
    const isLogDue = since - this.#loggedAt >= RECORD_MS;
    if (isLogDue) {
      this.#loggedAt = since;
      for (const state of states) this.#log.push(...state.takeLog());
    }
    const log = isLogDue ? this.#log : [];
    const progress = states.map(({ endpoint, knownFailures }) => ({ ...endpoint, knownFailures }));
    try {
      const isHeld = await this.#deliveries.record(this.#holder, progress, log);
      if (isLogDue) this.#log = [];
      if (!isHeld) return this.#events.lost();
      this.#events.renewed(since);
      states.forEach((state, i) => {
        state.knownFailures = progress[i]?.failures ?? 0;
      });
      for (const state of states) if (state.hasLog) this.#changed.add(state);
    } catch (error) {
      for (const state of states) this.#changed.add(state);
      this.#log = this.#log.slice(-MAX_LOG);
      throw error;
    }
  }
}
