import type { RequestLease } from '../requests.js';
import type { ConnectionPools } from './connection-pools.js';

/** Clocks of machines differ by less than this: no process asks for an older minute. */
const KEPT_MINUTES = 10;

/** A tenth of the remaining requests per lease: most requests need no query, and no process gets too many. */
const LEASE_REQUESTS = {
  name: 'lease-requests',
  text: `
    insert into rate_limit as known (minute, key_id, remaining, granted)
    values ($1, $2, $3::int - greatest(1, $3::int / 10), greatest(1, $3::int / 10))
    on conflict (minute, key_id) do update set
      granted = least(known.remaining, greatest(1, known.remaining / 10)),
      remaining = known.remaining - least(known.remaining, greatest(1, known.remaining / 10))
    returning granted, remaining`,
};

/** Skips rows that another process is already deleting. */
const DELETE_OLD_LEASES = {
  name: 'forget-leases',
  text: `
    delete from rate_limit where (minute, key_id) in (
      select minute, key_id from rate_limit where minute < $1 for update skip locked
    )`,
};

/**
 * Rate limits that all processes on a database share. A process leases a share of the requests that a key or user may make in
 * one minute and counts them down in memory. All leases together never exceed the limit.
 */
export class RequestLeases {
  readonly #connections: ConnectionPools;
  #cleanedFor = 0;

  constructor(connections: ConnectionPools) {
    this.#connections = connections;
  }

  lease(senderId: string, minute: number, limit: number): Promise<RequestLease> {
    return this.#connections.use(async (connection) => {
      // Not only if the minute is later: the clock may be set back.
      if (minute !== this.#cleanedFor) {
        this.#cleanedFor = minute;
        await connection.query({ ...DELETE_OLD_LEASES, values: [minute - KEPT_MINUTES] });
      }
      const { rows } = await connection.query({ ...LEASE_REQUESTS, values: [minute, senderId, limit] });
      return rows[0] as RequestLease;
    });
  }
}
