import { LEASE_MS, type WebhookDeliveries } from '../store/webhooks/webhook-deliveries.js';

/** A lease is renewed after this time. */
const RENEW_MS = 1_000;

/** What this process knows of its lease on the deliveries of the database. It ends by the monotonic clock. */
export class DeliveryLease {
  readonly #deliveries: WebhookDeliveries;
  readonly #holder: string;
  readonly #onEnd: () => void;
  /** 0 without the lease. */
  #until = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onEnd` is called when another process may deliver from now on. */
  constructor(deliveries: WebhookDeliveries, holder: string, onEnd: () => void) {
    this.#deliveries = deliveries;
    this.#holder = holder;
    this.#onEnd = onEnd;
  }

  get isHeld(): boolean {
    return performance.now() < this.#until;
  }

  get isDue(): boolean {
    return this.#until - performance.now() < LEASE_MS - RENEW_MS;
  }

  /** Takes or renews it; false if another process has it. */
  async take(): Promise<boolean> {
    const since = performance.now();
    const isTaken = await this.#deliveries.take(this.#holder);
    // Another process may have delivered since it was held last.
    if (!isTaken || !this.isHeld) this.end();
    if (isTaken) this.renewed(since);
    return isTaken;
  }

  /** It lasts from the time before it was asked for. */
  renewed(since: number): void {
    this.#until = since + LEASE_MS;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), this.#until - performance.now());
    this.#timer.unref();
  }

  end(): void {
    this.#until = 0;
    clearTimeout(this.#timer);
    this.#onEnd();
  }

  /** Ends it, and lets another process deliver at once. */
  async release(): Promise<void> {
    if (!this.isHeld) return this.end();
    this.end();
    await this.#deliveries.release(this.#holder);
  }
}
