import type pg from 'pg';
import { DiskFailure } from '../errors.js';
import type { KeyUse, UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { type ConnectionPools, LOST_RACES } from './connection-pools.js';
import { GroupTransaction } from './group-transaction.js';
import { statements } from './statements.js';

/** Of the values of one request: bad data, a broken constraint, too large. */
const REQUEST_ERRORS = /^(22|23|54)/;
/** Disk full, and errors of input and output. */
const DISK_ERRORS = new Set(['53100', '58030']);
const MAX_ATTEMPTS = 10;

/** Writes groups of one tenant's requests, each in one transaction; several processes may do so at once. */
export class PostgresAccountWriter {
  readonly #connections: ConnectionPools;

  constructor(connections: ConnectionPools) {
    this.#connections = connections;
  }

  /** One transaction for all; where that fails through one request, for each half, down to that request alone. */
  async write(group: readonly UpsertRequest[]): Promise<UpsertOutcome[]> {
    try {
      return (await this.#commit(group)).map((counts) => ({ counts }));
    } catch (error) {
      if (group.length === 1 || !REQUEST_ERRORS.test(codeOf(error))) {
        const failure = DISK_ERRORS.has(codeOf(error)) ? new DiskFailure('', { cause: error }) : error;
        return group.map(() => ({ error: failure as Error }));
      }
      const half = Math.ceil(group.length / 2);
      return [...(await this.write(group.slice(0, half))), ...(await this.write(group.slice(half)))];
    }
  }

  async recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    const values = [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at)];
    await this.#connections.use((connection) => connection.query({ ...statements.keysUsed, values }));
  }

  async #commit(group: readonly UpsertRequest[]): Promise<readonly UpsertCounts[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#connections.use((connection) =>
          new GroupTransaction(connection, group).run({ lockFirst: attempt > 1 }),
        );
      } catch (error) {
        // Only what the server itself has rolled back: where a commit's outcome is unknown, the caller has to know.
        if (!LOST_RACES.has(codeOf(error)) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

function codeOf(error: unknown): string {
  return (error as pg.DatabaseError).code ?? '';
}
