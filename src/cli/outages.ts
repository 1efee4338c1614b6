import type { Fetch, Retry } from '@account-sync/client';
import { duration } from './duration.js';
import { nodeFetch } from './node-fetch.js';

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

  /** The client itself tells only of failures. */
  over(): void {
    if (this.seconds === undefined) return;
    this.#say(`The server answers again, after ${duration(this.seconds)}.`);
    this.#since = undefined;
  }

  /** Takes the head of an answer for the whole, as is right where nothing but the connection can break behind it. */
  readonly fetch: Fetch = async (url, init) => {
    const response = await nodeFetch(url, init);
    if (response.ok) this.over();
    return response;
  };
}
