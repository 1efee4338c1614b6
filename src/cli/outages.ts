import type { Retry } from '@account-sync/client';
import { duration } from './duration.js';

/** Tells of a server that does not answer, once when that begins and once when it is over. */
export class Outages {
  readonly #say: (line: string) => void;
  #since: number | undefined;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** How long nobody has answered, in seconds. */
  get seconds(): number | undefined {
    return this.#since === undefined ? undefined : (performance.now() - this.#since) / 1000;
  }

  readonly onRetry = ({ error }: Retry): void => {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#say(`${error.message} Trying again.`);
  };

  /** Other requests may have been answered all the while; only one that failed before tells that it is over. */
  readonly over = (): void => {
    if (this.seconds === undefined) return;
    this.#say(`The server answers again, after ${duration(this.seconds)}.`);
    this.#since = undefined;
  };
}
