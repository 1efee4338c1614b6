import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Account } from '../../domain/account.js';
import type { UpsertCounts, UpsertRequest } from '../requests.js';
import { applyGroup } from './apply-group.js';

/** Reads the accounts with these ids. */
type ReadAccounts = (
  tenantId: number,
  accountIds: readonly string[],
) => Promise<ReadonlyMap<string, Account>>;

/** What a single request would change. */
export async function previewUpsert(read: ReadAccounts, request: UpsertRequest): Promise<UpsertCounts> {
  const ids = request.patches.map(({ accountId }) => accountId);
  const stored = await read(request.tenantId, ids);
  const { counts } = applyGroup([request], (_tenantId, id) => {
    const account = stored.get(id);
    return account && { account, firstChange: null, lastChange: null };
  });
  return counts[0] as UpsertCounts;
}

/**
 * Reports what a sequence of requests would change, and stores nothing. Accounts that the run would have written are
 * kept in a temporary file, so that later requests of the run see them and memory stays bounded.
 */
export class DryRun {
  readonly #read: ReadAccounts;
  readonly #memory: DatabaseSyncInstance;

  constructor(read: ReadAccounts) {
    this.#read = read;
    // A database with an empty name is a temporary file of SQLite, written once its cache is full and removed on close.
    this.#memory = new DatabaseSync(':memory:');
    this.#memory.exec(`
      attach '' as run;
      pragma run.journal_mode = off;
      create table run.account (id text primary key, account text not null) without rowid`);
  }

  async upsert(request: UpsertRequest): Promise<UpsertCounts> {
    const ids = new Set(request.patches.map(({ accountId }) => accountId));
    const stored = await this.#read(request.tenantId, [...ids]);
    const select = this.#memory.prepare('select account from account where id = ?');
    const { counts, accounts } = applyGroup([request], (_tenantId, id) => {
      const written: { account: string } | undefined = select.get(id);
      const account = written === undefined ? stored.get(id) : (JSON.parse(written.account) as Account);
      return account && { account, firstChange: null, lastChange: null };
    });
    const insert = this.#memory.prepare('insert or replace into account (id, account) values (?, ?)');
    for (const { account } of accounts) insert.run(account.accountId, JSON.stringify(account));
    return counts[0] as UpsertCounts;
  }

  close(): void {
    // Without `detach`, the file stays until the statements are garbage-collected.
    this.#memory.exec('detach run');
    this.#memory.close();
  }
}
