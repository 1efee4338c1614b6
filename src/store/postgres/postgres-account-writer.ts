import type pg from 'pg';
import type { Account } from '../../domain/account.js';
import { DiskFailure } from '../errors.js';
import type { KeyUse, UpsertCounts, UpsertOutcome, UpsertRequest } from '../requests.js';
import { type AccountRow, accountFromRow } from '../schema/tables.js';
import { textArray } from './array-parameter.js';
import { type ConnectionPools, LOST_RACES, QUERY_TIMEOUT_MS } from './connection-pools.js';
import { GroupTransaction } from './group-transaction.js';
import { statements } from './statements.js';

/** Error classes that the values of one request cause: data exception, constraint violation, program limit exceeded. */
const REQUEST_ERRORS = /^(22|23|54)/;
/** Disk full, I/O error. */
const DISK_ERRORS = new Set(['53100', '58030']);
const MAX_ATTEMPTS = 10;
/** A dry run needs no numbers for change sets. */
const NO_NUMBERS = 0;

/** Writes groups of requests of one tenant, each in one transaction. Several processes may write concurrently. */
export class PostgresAccountWriter {
  readonly #connections: ConnectionPools;

  constructor(connections: ConnectionPools) {
    this.#connections = connections;
  }

  /**
   * Writes the group in one transaction. If one request makes it fail, splits the group in halves until it is alone.
   */
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

  /** The accounts with these ids, for a dry run. */
  async read(tenantId: number, accountIds: readonly string[]): Promise<Map<string, Account>> {
    const values = [tenantId, textArray(accountIds), NO_NUMBERS];
    const query = { ...statements.read, values, query_timeout: QUERY_TIMEOUT_MS };
    const { rows } = await this.#connections.use((connection) => connection.query<AccountRow>(query));
    // The last row is for numbers.
    const accounts = rows.slice(0, -1).map(accountFromRow);
    return new Map(accounts.map((account) => [account.accountId, account]));
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
        // Only errors after which the server has rolled back. An unknown commit must reach the caller, not be repeated.
        if (!LOST_RACES.has(codeOf(error)) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

function codeOf(error: unknown): string {
  return (error as pg.DatabaseError).code ?? '';
}
