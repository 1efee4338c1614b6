import { cp } from 'node:fs/promises';
import { type Database, freshSqlite } from '../support/databases.js';
import { queryOnce } from '../support/postgres/postgres-server.js';
import { type ReleasedOn, releasedDatabase, runStatements } from '../support/released-database.js';

export const GENERATED = 20_000;

/** Enough rows that a migration takes some time. The statements are the same for both databases. */
const ROWS = `with recursive seq (i) as (select 1 union all select i + 1 from seq where i < ${GENERATED})`;
const GENERATE = `
  ${ROWS} insert into account
    (tenant_id, account_id, parent_account_id, name, fields, revision, created_at, updated_at)
  select 1, 'gen-' || i, 'gen-1', 'Generated ' || i, '{"licenses":' || i || '}', 1, 1763000000000, 1763000000000 from seq;
  ${ROWS} insert into account_history (tenant_id, account_id, revision, at, request_id, key_id, changes)
  select 1, 'gen-' || i, 1, 1763000000000, 'generated', 'k',
    '{"parent_account_id":[null,"gen-1"],"name":[null,"Generated ' || i || '"],"licenses":[null,' || i || ']}' from seq;`;

/** A large database of a released version, from which tests make copies. */
export class LargeReleasedDatabase {
  #copies = 0;

  private constructor(
    readonly kind: ReleasedOn,
    readonly original: Database,
  ) {}

  static async create(version: string, kind: ReleasedOn): Promise<LargeReleasedDatabase> {
    const original = await releasedDatabase(version, kind);
    await runStatements(original, GENERATE);
    return new LargeReleasedDatabase(kind, original);
  }

  async copy(): Promise<Database> {
    const { url, settings } = this.original;
    if (this.kind === 'sqlite') {
      const copy = await freshSqlite();
      const [from = '', to = ''] = [settings, copy.settings].map((one) => one.ACCOUNT_SYNC_DATA_DIR);
      await cp(from, to, { recursive: true });
      return copy;
    }
    this.#copies += 1;
    const name = `copy_${this.#copies}`;
    const [, server = '', template = ''] = /^(.*\/)([^/]+)$/.exec(url) ?? [];
    await queryOnce(`${server}postgres`, `create database ${name} template ${template}`);
    return {
      url: `${server}${name}`,
      settings: { DATABASE_URL: `${server}${name}` },
      remove: async () => {
        await queryOnce(`${server}postgres`, `drop database ${name} with (force)`);
      },
    };
  }

  remove(): Promise<void> {
    return this.original.remove();
  }
}
