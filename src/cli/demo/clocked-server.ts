import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { type Config, readConfig } from '../../config.js';
import type { ApiKey } from '../../domain/api-key.js';
import { MAX_STORED_PER_FLUSH } from '../../http/replies/rejection-log.js';
import { buildServer } from '../../http/server.js';
import type { Store } from '../../store/store.js';
import { createLogger } from '../serve/create-logger.js';
import { CommandFailed } from '../terminal/command-line.js';
import type { Sender } from './schema.js';
import type { Step } from './step.js';

/** No tenant has this host, so that only the key determines the tenant. */
const HOST = 'account-sync-demo.invalid';

/**
 * The server of this program, without a port and with a simulated clock. Demo requests go through the same code as real
 * ones, and each is handled at the time that its step names.
 */
export class ClockedServer {
  readonly #store: Store;
  readonly #config: Config;
  readonly #keys: ReadonlyMap<Sender, ApiKey>;
  #app: FastifyInstance | undefined;
  #now = 0;
  #pendingRejections = 0;

  constructor(store: Store, keys: ReadonlyMap<Sender, ApiKey>) {
    this.#store = store;
    // Uses the default limits, because the settings of the operator are not for these requests.
    this.#config = readConfig({});
    this.#keys = keys;
  }

  async send(step: Step): Promise<LightMyRequestResponse> {
    const { at, by, method, url, body, contentType, status, rejections } = step;
    // The rejection log drops rejections beyond its capacity between two writes; closing the server writes all of them.
    if (this.#pendingRejections + rejections > MAX_STORED_PER_FLUSH) await this.close();
    this.#app ??= await this.#open();
    this.#now = at;
    this.#pendingRejections += rejections;
    const response = await this.#app.inject({
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
    if (response.statusCode === status) return response;
    if (response.statusCode === 401) {
      throw new CommandFailed(
        'The tenant was removed while the demo data was written. Its keys are no longer valid.',
      );
    }
    throw new Error(`${method} ${url} returned ${response.statusCode}: ${response.payload}`);
  }

  /** Resolves once all background writes are done. */
  async close(): Promise<void> {
    await this.#app?.close();
    this.#app = undefined;
    this.#pendingRejections = 0;
  }

  #open(): Promise<FastifyInstance> {
    const clock = () => this.#now;
    const logger = createLogger('silent');
    return buildServer({ config: this.#config, store: this.#store, clock, logger });
  }
}
