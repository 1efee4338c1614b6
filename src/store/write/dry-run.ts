import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Account } from '../../domain/account.js';
import type { AccountReader } from '../accounts/account-reader.js';
import type { UpsertCounts, UpsertRequest } from '../requests.js';
import { applyGroup } from './apply-group.js';

/**
 * Tells what requests would do, one after the other, and stores nothing. What they would have written is remembered in a
 * file that exists for this run alone, so that memory stays bounded however long the run is.
 */
export class DryRun {
  readonly #accounts: AccountReader;
  readonly #memory: DatabaseSyncInstance;

  constructor(accounts: AccountReader) {
    this.#accounts = accounts;
    // Without a name SQLite makes a file of its own, removed when it is closed, once there is more than its cache holds.
    this.#memory = new DatabaseSync(':memory:');
    this.#memory.exec(`
      attach '' as run;
      pragma run.journal_mode = off;
      create table run.account (id text primary key, account text not null) without rowid`);
  }

  async upsert(request: UpsertRequest): Promise<UpsertCounts> {
    const ids = [...new Set(request.patches.map(({ accountId }) => accountId))];
    const stored = await this.#accounts.findAll(request.tenantId, ids);
    const recall = this.#memory.prepare('select account from account where id = ?');
    const { counts, writes } = applyGroup([request], (_tenantId, id) => {
      const remembered: { account: string } | undefined = recall.get(id);
      return remembered === undefined ? stored.get(id) : (JSON.parse(remembered.account) as Account);
    });
    const remember = this.#memory.prepare('insert or replace into account (id, account) values (?, ?)');
    for (const { account } of writes) remember.run(account.accountId, JSON.stringify(account));
    return counts[0] as UpsertCounts;
  }

  close(): void {
    // A database that is only closed keeps its file until its statements are collected.
    this.#memory.exec('detach run');
    this.#memory.close();
  }
}
