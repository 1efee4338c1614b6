import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { accountRow } from './account-row.js';
import { type AccountRecord, AccountSource } from './account-source.js';
import type { BenchmarkCase } from './benchmark-case.js';
import { rawMeasurement } from './raw-measurement.js';
import { FIRST_ACCOUNTS } from './store-accounts.js';

/** SQLite without the service: prepared upserts on one connection, same driver and settings, no HTTP, no history. */
export const RAW_SQLITE = 'SQLite alone';

export function rawSqlite(scenario: string, directory: string, rowsPerCommit: number): BenchmarkCase {
  const db = open(join(directory, `raw-${rowsPerCommit}.db`));
  const upsert = db.prepare(`
    insert into account values (1, ?, ?, ?, ?, 1, ?, ?)
    on conflict (tenant_id, account_id) do update set parent_account_id = excluded.parent_account_id,
      name = excluded.name, fields = excluded.fields, revision = revision + 1, updated_at = excluded.updated_at`);
  const source = new AccountSource('Account');
  commit(db, upsert, source.next('new', FIRST_ACCOUNTS));
  return {
    scenario,
    target: RAW_SQLITE,
    async round(seconds) {
      return rawMeasurement(rowsPerCommit, undefined, async (onCommit) => {
        const end = performance.now() + seconds * 1000;
        while (performance.now() < end) {
          const records = source.next('mixed', rowsPerCommit);
          const startedAt = performance.now();
          commit(db, upsert, records);
          onCommit(performance.now() - startedAt);
        }
      });
    },
  };
}

function open(file: string): DatabaseSyncInstance {
  const db = new DatabaseSync(file);
  db.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma cache_size = -32768;
    pragma wal_autocheckpoint = 4000;
    create table account (
      tenant_id integer not null, account_id text not null, parent_account_id text, name text, fields text not null,
      revision integer not null, created_at bigint not null, updated_at bigint not null,
      unique (tenant_id, account_id)
    );
  `);
  return db;
}

function commit(
  db: DatabaseSyncInstance,
  upsert: StatementSyncInstance,
  records: readonly AccountRecord[],
): void {
  const now = Date.now();
  db.exec('begin immediate');
  for (const record of records) {
    const { id, parent, name, fields } = accountRow(record);
    upsert.run(id, parent, name, fields, now, now);
  }
  db.exec('commit');
}
