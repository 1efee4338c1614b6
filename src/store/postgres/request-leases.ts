import type { RequestLease } from '../requests.js';
import type { ConnectionPools } from './connection-pools.js';
import { statements } from './statements.js';

/** Clocks of machines differ; nobody asks for a minute that is so old. */
const KEPT_MINUTES = 10;

/** Hands out, to all processes that share the database, no more requests of a key and a minute than its limit. */
export class RequestLeases {
  readonly #connections: ConnectionPools;
  #cleanedFor = 0;

  constructor(connections: ConnectionPools) {
    this.#connections = connections;
  }

  lease(keyId: string, minute: number, limit: number): Promise<RequestLease> {
    return this.#connections.use(async (connection) => {
      // Not only in later ones: a clock may be set back.
      if (minute !== this.#cleanedFor) {
        this.#cleanedFor = minute;
        await connection.query({ ...statements.forgetLeases, values: [minute - KEPT_MINUTES] });
      }
      const { rows } = await connection.query({
        ...statements.leaseRequests,
        values: [minute, keyId, limit],
      });
      return rows[0] as RequestLease;
    });
  }
}
