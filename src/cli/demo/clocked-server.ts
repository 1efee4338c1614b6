import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type Config, readConfig } from '../../config.js';
import type { ApiKey } from '../../domain/api-key.js';
import { KEPT_AT_ONCE } from '../../http/replies/rejection-log.js';
import { buildServer } from '../../http/server.js';
import type { Store } from '../../store/store.js';
import { createLogger } from '../serve/create-logger.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { Sender } from './schema.js';
import type { Step } from './step.js';

/** No tenant has it, so that the key alone decides. */
const HOST = 'account-sync-demo.invalid';

/** The service itself, without a port and with a clock that stands at each request's moment. */
export class ClockedServer {
  readonly #store: Store;
  readonly #config: Config;
  readonly #keys: ReadonlyMap<Sender, ApiKey>;
  #app: FastifyInstance | undefined;
  #now = 0;
  #refused = 0;

  constructor(store: Store, keys: ReadonlyMap<Sender, ApiKey>) {
    this.#store = store;
    // Other limits than the usual ones are not for these requests.
    this.#config = readConfig({});
    this.#keys = keys;
  }

  async send(step: Step): Promise<LightMyRequestResponse> {
    const { at, by, method, url, body, contentType, status, refused } = step;
    // It keeps so many refusals between two writes, and writes all of them when it is closed.
    if (this.#refused + refused > KEPT_AT_ONCE) await this.close();
    this.#app ??= await this.#open();
    this.#now = at;
    this.#refused += refused;
    const answer = await this.#app.inject({
      method,
      url,
      authority: HOST,
      headers: {
        authorization: `Bearer ${this.#keys.get(by)?.key}`,
        'x-request-id': `${by}-${at.toString(36)}`,
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      ...(body !== undefined && { payload: body }),
    });
    if (answer.statusCode === status) return answer;
    if (answer.statusCode === 401) {
      throw new CommandFailed(
        'The tenant was removed while it was filled: its keys are not let in any more.',
      );
    }
    throw new Error(`${method} ${url} was answered with ${answer.statusCode}: ${answer.payload}`);
  }

  /** Resolves once everything is written that is written behind the requests. */
  async close(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
    this.#refused = 0;
  }

  #open(): Promise<FastifyInstance> {
    const clock = () => this.#now;
    const logger = createLogger('silent');
    return buildServer({ config: this.#config, store: this.#store, clock, logger });
  }
}
