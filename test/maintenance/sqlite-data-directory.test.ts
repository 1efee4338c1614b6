import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnusable } from '../../dist/store/errors.js';
import { StoreObservers } from '../../dist/store/observer.js';
import { openStore } from '../../dist/store/open-store.js';
import { allMigrations, type Migration } from '../../dist/store/schema/migrations.js';
import { BackgroundThread } from '../../dist/store/sqlite/background-thread.js';
import { openConnection } from '../../dist/store/sqlite/connection.js';
import { createTenant } from '../store/store-contract.js';
import { freshDirectory } from '../support/service.js';

describe('a SQLite data directory', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await freshDirectory();
  });

  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const file = (...parts: string[]) => join(dataDir, ...parts);
  const close = async (store: { close(): Promise<void> }) => store.close();
  const addColor: Migration = {
    name: 'add color',
    run: async (db) => {
      await sql`alter table tenant add column color text`.execute(db);
    },
  };
  const failing: Migration = {
    name: 'fails half-way',
    run: async (db) => {
      await sql`create table half_done (x)`.execute(db);
      throw new Error('half-way');
    },
  };

  it('works again after a failure of the writer thread, once the cause is removed', async () => {
    const store = await openStore({ database: `sqlite:${dataDir}` });
    const tenantId = await createTenant(store, 'acme');
    const patches = [{ accountId: 'a', fields: {} }];
    const write = () => store.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    await rename(file('account-sync.db'), file('elsewhere'));
    await mkdir(file('account-sync.db'));
    await expect(write()).rejects.toThrow('The ingest thread ended.');
    await rm(file('account-sync.db'), { recursive: true });
    await rename(file('elsewhere'), file('account-sync.db'));
    expect(await write()).toEqual({
      created: 1,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      archived: 0,
      restored: 0,
      deleted: 0,
    });
    await store.close();
  });

  it('works again after a failure of the background thread, once the cause is removed', async () => {
    await openStore({ database: `sqlite:${dataDir}` }).then(close);
    await rename(file('account-sync.db'), file('elsewhere'));
    await mkdir(file('account-sync.db'));
    const background = new BackgroundThread(file('account-sync.db'), new StoreObservers());
    await expect(background.jobs.findOld(0, 7)).rejects.toThrow('The background thread ended.');
    await rm(file('account-sync.db'), { recursive: true });
    await rename(file('elsewhere'), file('account-sync.db'));
    await background.jobs.findOld(0, 7);
    await background.close();
  });

  it('can be read by its owner only', async () => {
    const store = await openStore({ database: `sqlite:${file('data')}`, serving: true });
    const mode = async (...parts: string[]) => (await stat(file('data', ...parts))).mode & 0o777;
    expect(await mode()).toBe(0o700);
    expect(await mode('account-sync.db')).toBe(0o600);
    await store.close();
  });

  it('has connections with a write-ahead log that sync every commit', () => {
    const db = openConnection(file('any.db'));
    expect({ ...db.prepare('pragma journal_mode').get() }).toEqual({ journal_mode: 'wal' });
    expect({ ...db.prepare('pragma synchronous').get() }).toEqual({ synchronous: 2 });
    db.close();
  });

  it('accepts one server, and commands while it runs', async () => {
    const server = await openStore({ database: `sqlite:${dataDir}`, serving: true });
    await expect(openStore({ database: `sqlite:${dataDir}`, serving: true })).rejects.toEqual(
      new StoreUnusable(
        `Another account-sync server is using ${dataDir}. Stop it first, or set ACCOUNT_SYNC_DATA_DIR to another directory.`,
      ),
    );
    await openStore({ database: `sqlite:${dataDir}` }).then(close);
    await server.close();
    await openStore({ database: `sqlite:${dataDir}`, serving: true }).then(close);
  });

  it('writes all submitted requests before a server closes it', async () => {
    const server = await openStore({ database: `sqlite:${dataDir}`, serving: true });
    const tenantId = await createTenant(server, 'acme');
    const writes = Array.from({ length: 50 }, (_, i) => {
      const patches = [{ accountId: `a-${i}`, fields: {} }];
      return server.upsert({ tenantId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    });
    await server.close();
    expect(await Promise.all(writes)).toEqual(Array(50).fill(expect.objectContaining({ created: 1 })));
  });

  it('lets changes of settings wait for seconds while a connection that writes is stalled', async () => {
    const store = await openStore({ database: `sqlite:${dataDir}`, serving: true });
    const other = openConnection(file('account-sync.db'));
    other.exec('begin immediate');
    const created = createTenant(store, 'acme');
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    other.exec('commit');
    other.close();
    expect(await created).toBeGreaterThan(0);
    await store.close();
  });

  it('does not block the event loop while another connection writes', async () => {
    const store = await openStore({ database: `sqlite:${dataDir}`, serving: true });
    const other = openConnection(join(dataDir, 'account-sync.db'));
    other.exec('begin immediate');
    const created = createTenant(store, 'acme');
    // A timer runs only if the event loop is free.
    await new Promise((resolve) => setTimeout(resolve, 10));
    other.exec('commit');
    expect(await created).toBeGreaterThan(0);
    other.close();
    await store.close();
  });

  it('lets jobs and commands wait longer for a long transaction than requests', async () => {
    const server = await openStore({ database: `sqlite:${dataDir}`, serving: true });
    const command = await openStore({ database: `sqlite:${dataDir}` });
    const tenantId = await createTenant(server, 'acme');
    const patches = [{ accountId: 'a', fields: {} }];
    const request = { tenantId, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 };
    const other = openConnection(file('account-sync.db'));
    other.exec('begin immediate');
    const rejections = [{ tenantId, rejections: [], total: new Map([[1, 1]]) }];
    const patient = Promise.all([server.jobs.recordRejections(rejections, 1), command.upsert(request)]);
    await expect(server.upsert(request)).rejects.toThrow('database is locked');
    await expect(server.upsert(request)).rejects.toThrow('database is locked');
    other.exec('commit');
    other.close();
    expect(await patient).toEqual([
      undefined,
      { created: 1, updated: 0, unchanged: 0, skipped: 0, archived: 0, restored: 0, deleted: 0 },
    ]);
    await command.close();
    await server.close();
  });

  it('of a newer version is rejected and not changed', async () => {
    await openStore({ database: `sqlite:${dataDir}`, migrations: [...allMigrations, addColor] }).then(close);
    const known = allMigrations.length;
    await expect(openStore({ database: `sqlite:${dataDir}` })).rejects.toEqual(
      new StoreUnusable(
        `The database has schema version ${known + 1}, made by a newer account-sync; this one knows ${known}. ` +
          'Start the newer version, or restore the backup made before the upgrade.',
      ),
    );
    await openStore({ database: `sqlite:${dataDir}`, migrations: [...allMigrations, addColor] }).then(close);
  });

  it('is backed up before a migration', async () => {
    const store = await openStore({ database: `sqlite:${dataDir}` });
    await createTenant(store, 'acme');
    await store.close();
    expect(await readdir(dataDir)).not.toContain('backups');
    await openStore({ database: `sqlite:${dataDir}`, migrations: [...allMigrations, addColor] }).then(close);
    const backups = await readdir(file('backups'));
    const name = new RegExp(`^account-sync-schema-${allMigrations.length}-\\d{8}T\\d{6}Z\\.db$`);
    expect(backups).toEqual([expect.stringMatching(name)]);
    const backup = openConnection(file('backups', backups[0] ?? ''));
    expect(backup.prepare('select name from tenant').all()).toEqual([
      expect.objectContaining({ name: 'acme' }),
    ]);
    expect(() => backup.prepare('select color from tenant')).toThrow('no such column');
    backup.close();
  });

  it('loses incomplete backups and their journals when the next server makes a backup', async () => {
    await openStore({ database: `sqlite:${dataDir}` }).then(close);
    await mkdir(file('backups'));
    const half = 'account-sync-schema-1-20261116T000000Z.db.unfinished';
    for (const name of [half, `${half}-journal`, 'my-own.unfinished']) {
      await writeFile(file('backups', name), 'half');
    }
    const migrations = [...allMigrations, addColor];
    await openStore({ database: `sqlite:${dataDir}`, serving: true, migrations }).then(close);
    const kept = [expect.stringMatching(/^account-sync-schema-.*Z\.db$/), 'my-own.unfinished'];
    expect((await readdir(file('backups'))).sort()).toEqual(kept);
  });

  it('is not migrated by a command while a server runs on it', async () => {
    const server = await openStore({ database: `sqlite:${dataDir}`, serving: true });
    const newer = { database: `sqlite:${dataDir}`, migrations: [...allMigrations, addColor] };
    await expect(openStore(newer)).rejects.toThrow(`Another account-sync server is using ${dataDir}.`);
    await server.close();
    await openStore(newer).then(close);
  });

  it('is not changed if a migration fails', async () => {
    await openStore({ database: `sqlite:${dataDir}` }).then(close);
    await expect(
      openStore({ database: `sqlite:${dataDir}`, migrations: [...allMigrations, failing] }),
    ).rejects.toThrow('half-way');
    const store = await openStore({ database: `sqlite:${dataDir}` });
    await createTenant(store, 'acme');
    await store.close();
    const db = openConnection(file('account-sync.db'));
    expect(() => db.prepare('select * from half_done')).toThrow('no such table');
    db.close();
  });

  it('with a database file that is no database is reported with a sentence', async () => {
    await writeFile(
      file('account-sync.db'),
      'this is not a database, and long enough to be read as one'.repeat(100),
    );
    await expect(openStore({ database: `sqlite:${dataDir}` })).rejects.toEqual(
      new StoreUnusable(`The database ${file('account-sync.db')} cannot be used: file is not a database.`),
    );
  });

  it('that cannot be created is reported with a sentence', async () => {
    await writeFile(file('in-the-way'), '');
    await expect(openStore({ database: `sqlite:${file('in-the-way', 'data')}` })).rejects.toThrow(
      `The data directory ${file('in-the-way', 'data')} cannot be written (ENOTDIR). ` +
        'Give this user access to it, or set ACCOUNT_SYNC_DATA_DIR to another directory.',
    );
  });
});
