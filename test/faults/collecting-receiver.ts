import type { ServerResponse } from 'node:http';
import { Random } from '../../dist/cli/demo/random.js';
import { type ReceivedMessage, WebhookReceiver } from '../support/webhook-receiver.js';
import { EventCollector } from './event-collector.js';

/** Handles a message in a way that no receiver should. `take` notes that it is answered with success. */
export type ReceiverFault = (response: ServerResponse, take: () => void, random: Random) => void;

interface FaultOptions {
  readonly seed: number;
  readonly fault?: ReceiverFault;
  /** The share of messages that have the fault. */
  readonly share?: number;
  /** The share of requests whose connection is closed while they arrive. */
  readonly cutShare?: number;
  /** The receiver is healthy after so many faults. */
  readonly most?: number;
}

/** A receiver that collects events, and has a fault at random. */
export class CollectingReceiver {
  readonly collector: EventCollector;
  /** Messages that had the fault, and requests that were cut. */
  faults = 0;
  /** If true, no message is answered. */
  isBlocked = false;
  readonly #receiver: WebhookReceiver;
  readonly #options: FaultOptions;
  readonly #random: Random;

  private constructor(name: string, receiver: WebhookReceiver, options: FaultOptions) {
    this.collector = new EventCollector(name);
    this.#receiver = receiver;
    this.#options = options;
    this.#random = new Random(options.seed);
    receiver.isCut = () => !this.isBlocked && this.#isFault(options.cutShare ?? 0);
    receiver.reply = (response, message) => this.#reply(response, message);
  }

  static async start(name: string, options: FaultOptions): Promise<CollectingReceiver> {
    return new CollectingReceiver(name, await WebhookReceiver.start(), options);
  }

  get url(): string {
    return this.#receiver.url;
  }

  /** Messages whose answer the service waits for. */
  get open(): number {
    return this.#receiver.open;
  }

  #isFault(share: number): boolean {
    const isFault =
      this.faults < (this.#options.most ?? Number.POSITIVE_INFINITY) && this.#random.isChance(share);
    if (isFault) this.faults += 1;
    return isFault;
  }

  #reply(response: ServerResponse, message: ReceivedMessage): void {
    this.#receiver.messages.length = 0;
    this.collector.receive(message);
    if (this.isBlocked) return;
    const take = () => this.collector.take(message);
    const { fault, share = 0 } = this.#options;
    if (fault !== undefined && this.#isFault(share)) fault(response, take, this.#random);
    else {
      take();
      response.writeHead(204).end();
    }
  }
}
