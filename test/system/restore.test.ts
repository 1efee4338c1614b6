import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../dist/domain/webhook.js';
import { openStore } from '../../dist/store/open-store.js';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { BEGINNING, type Position } from '../../dist/store/schema/position.js';
import type { Store } from '../../dist/store/store.js';
import { type Database, emptyDatabases, freshSqlite } from '../support/databases.js';
import { joinTenant } from '../support/join-tenant.js';
import { freshDirectory, run, runJson, Service, start } from '../support/service.js';
import { problemsIn } from '../support/verified.js';

const EMAIL = 'user@acme.example';

let directory: string;
let backup: string;

async function inStore<T>({ url }: Pick<Database, 'url'>, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ database: url });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const write = (store: Store, accountId: string, at: number) =>
  store.upsert({
    tenantId: 1,
    patches: [{ accountId, fields: { licenses: at } }],
    requestId: `r-${at}`,
    senderId: 'k1',
    at,
    bytes: 1,
  });

async function fill(store: Store): Promise<void> {
  await store.directory.createTenant('acme', {}, 1);
  const key = { id: 'k1', hash: 'h', scopes: ['sync'], label: '', createdAt: 3, expiresAt: null } as const;
  await store.directory.keys.add({ ...key, tenantId: 1 });
  const expiresAt = Date.now() + 1_000_000;
  const user = await joinTenant(store, 1, { email: EMAIL, role: 'admin', password: 'p1' });
  for (const senderId of ['k1', user.id]) {
    const session = { hash: `session of ${senderId === 'k1' ? 'key' : 'user'}`, id: senderId, userAgent: null };
    await store.directory.sessions.create({ ...session, tenantId: 1, senderId, createdAt: 3, expiresAt });
  }
  await store.directory.links.invite(1, 'viewer', {
    hash: 'invitation',
    email: 'new@acme.example',
    expiresAt,
  });
  await store.directory.links.allowPassword(null, { hash: 'password link', email: EMAIL, expiresAt });
  for (const [at, id] of ['a', 'b', 'a'].entries()) await write(store, id, at + 1);
  const filter = { sources: [], fields: [], values: {} };
  const settings = {
    url: 'https://example.com/',
    description: '',
    events: EVENT_TYPES,
    filter,
    batchSize: 100,
  };
  const by = { at: 3, senderId: null, requestId: null };
  await store.webhooks.add(1, settings, BEGINNING, by);
}

beforeAll(async () => {
  directory = await freshDirectory();
  backup = join(directory, 'backup.db');
  const source = await freshSqlite();
  await inStore(source, fill);
  await runJson(source.settings, 'backup', backup);
  await source.remove();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it('restore and verify report a backup without checksums', async () => {
  const older = join(directory, 'older.db');
  copyFileSync(backup, older);
  const db = new DatabaseSync(older);
  db.exec('drop table backup_checksum; pragma application_id = 0');
  db.close();
  const target = await freshSqlite();
  const restored = await run(['restore', older], target.settings);
  expect([restored.status, restored.stdout]).toEqual([0, expect.stringContaining('no checksums')]);
  const verified = await run(['verify', older], target.settings);
  expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('has no checksums')]);
  await target.remove();
});

describe.each(emptyDatabases)('restore into %s', (name, createDatabase) => {
  const isSqlite = name === 'SQLite';
  let database: Database;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.remove());

  it('restores everything except sessions and one-time links', async () => {
    expect(await runJson(database.settings, 'restore', backup)).toEqual({
      location: expect.stringMatching(isSqlite ? /^SQLite, / : /^PostgreSQL, /),
      schema_version: allMigrations.length,
      tenants: 1,
      accounts: 2,
      changes: 3,
      checksums: true,
      kept: null,
    });
    expect(await problemsIn(database.url)).toEqual([]);
    await inStore(database, async (store) => {
      expect((await store.accounts.find(1, 'a'))?.fields).toEqual({ licenses: 3 });
      expect(await store.directory.keys.find('h')).toBeDefined();
      const [member] = await store.directory.users.members(1);
      expect(member).toMatchObject({ email: EMAIL, role: 'admin', password: 'p1' });
      for (const sender of ['key', 'user'])
        expect(await store.directory.sessions.find(`session of ${sender}`)).toBeUndefined();
      for (const link of ['invitation', 'password link'])
        expect(await store.directory.links.find(link)).toBeUndefined();
      expect(await store.webhooks.counts()).toMatchObject({ delivering: 1, paused: 0 });
    });
  });

  it('pauses webhooks if asked, so that a copy sends nothing', async () => {
    await runJson(database.settings, 'restore', backup, '--pause-webhooks');
    await inStore(database, async (store) => {
      expect(await store.webhooks.counts()).toMatchObject({ delivering: 0, paused: 1 });
    });
  });

  it('sends consumers of the feed all later changes, from any cursor', async () => {
    const ends: Position[] = [];
    for (let round = 1; round <= 2; round += 1) {
      const target = round === 1 ? database : await createDatabase();
      await runJson(target.settings, 'restore', backup);
      await inStore(target, async (store) => {
        await write(store, `new-${round}`, 10);
        for (const end of ends) {
          const page = (await store.feed.page(1, end, 10)).entries;
          expect(page.map(({ accountId }) => accountId)).toEqual([`new-${round}`]);
        }
        for (let i = 0; i < 5; i += 1) await write(store, 'lost by the next restore', 11 + i);
        ends.push(await store.feed.end(1));
      });
      if (round > 1) await target.remove();
    }
  });

  it('fails while a server uses the database', async () => {
    const service = await Service.start(database.settings);
    const { status, stderr } = await run(
      ['restore', backup, ...(isSqlite ? ['--replace'] : [])],
      database.settings,
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(/[Ss]top (it|them) first/)]);
    await service.stop();
    expect(await problemsIn(database.url)).toEqual([]);
  });

  it('fails for a database that is not empty', async () => {
    await inStore(database, (store) => store.directory.createTenant('mine', {}, 1));
    const { status, stderr } = await run(['restore', backup], database.settings);
    const dataDir = database.settings.ACCOUNT_SYNC_DATA_DIR;
    expect([status, stderr]).toEqual([
      1,
      isSqlite
        ? `There is a database in ${dataDir} already. Nothing was changed. Move it away, or add --replace, which keeps it in ${dataDir}/backups.\n`
        : expect.stringContaining('already holds tenants of its own: mine. Nothing was copied.'),
    ]);
    await inStore(database, async (store) => expect(await store.directory.tenantNames()).toEqual(['mine']));
  });

  it('fails for an incomplete backup', async () => {
    const other = join(directory, `other ${name}.db`);
    const restoring = async (content: Buffer | string) => {
      writeFileSync(other, content);
      return (await run(['restore', other], database.settings)).stderr;
    };
    const sound = readFileSync(backup);
    const flipped = Buffer.from(sound);
    for (let at = 4096 * 3; at < flipped.length; at += 97) flipped[at] = (flipped[at] as number) ^ 0xff;
    expect(await restoring('no database at all'.repeat(1_000))).toBe(
      `${other} cannot be read: file is not a database.\n`,
    );
    expect(await restoring('')).toBe(`${other} holds no tables of account-sync.\n`);
    expect(await restoring(flipped)).toMatch(/ (is damaged|cannot be read): /);
    expect(await restoring(sound.subarray(0, sound.length / 2))).toMatch(/ (is damaged|cannot be read): /);
    const { stderr } = await run(['restore', join(directory, 'none.db')], database.settings);
    expect(stderr).toBe(`There is no file ${join(directory, 'none.db')}.\n`);
    copyFileSync(backup, other);
    const newer = new DatabaseSync(other);
    newer.exec("insert into schema_migration values (99, 'from the future', 1)");
    newer.close();
    expect((await run(['restore', other], database.settings)).stderr).toBe(
      `${other} has schema version 99, made by a newer account-sync; this one knows ${allMigrations.length}. Use the newer version.\n`,
    );
    if (isSqlite)
      expect(existsSync(join(database.settings.ACCOUNT_SYNC_DATA_DIR ?? '', 'account-sync.db'))).toBe(false);
  });

  it.skipIf(isSqlite)('shows what to do if there is no space for its copy', async () => {
    const TMPDIR = join(directory, 'none');
    const { status, stderr } = await run(['restore', backup], { ...database.settings, TMPDIR });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        `^A temporary copy of the backup cannot be written to ${TMPDIR}: ENOENT: .*\\. Set TMPDIR to a directory with enough space\\.\n$`,
      ),
    ]);
  });
});

describe('restore --replace', () => {
  let database: Database;
  let dataDir: string;
  let file: string;
  beforeEach(async () => {
    database = await freshSqlite();
    dataDir = database.settings.ACCOUNT_SYNC_DATA_DIR ?? '';
    file = join(dataDir, 'account-sync.db');
  });
  afterEach(() => database.remove());
  const restore = () => runJson(database.settings, 'restore', backup, '--replace');
  // In separate processes, because this one would keep the file open.
  const inProcess = async (...args: string[]) =>
    JSON.parse((await start([...args, '--json'], database.settings).finished).stdout);
  const tenants = async () => (await inProcess('tenant', 'list')).map(({ name }: { name: string }) => name);
  const verify = () => inProcess('verify');

  it('keeps the previous database, including the log of a killed server', async () => {
    const service = await Service.start(database.settings);
    for (let i = 0; i < 20; i += 1) {
      await fetch(`${service.url}/api/v1_1/account`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ account_id: `a-${i}` }),
      });
    }
    await service.stop('SIGKILL');
    expect(existsSync(`${file}-wal`)).toBe(true);
    const { kept } = await restore();
    expect(kept).toMatch(/\/backups\/account-sync-before-restore-\d{8}T\d{9}Z\.db$/);
    expect((await readdir(dataDir)).sort()).toEqual(['account-sync.db', 'backups', 'server.lock']);
    expect(await tenants()).toEqual(['acme']);
    expect(await problemsIn(kept)).toEqual([]);
    // The kept database is a valid backup.
    await runJson(database.settings, 'restore', kept, '--replace');
    await inStore(database, async (store) => {
      expect(await store.directory.tenantNames()).toEqual(['default']);
      expect((await store.accounts.findAll(1, ['a-0', 'a-19'])).size).toBe(2);
    });
  });

  it('replaces a damaged database, and keeps it unchanged with its log', async () => {
    writeFileSync(file, 'no database any more'.repeat(500));
    writeFileSync(`${file}-wal`, 'its log');
    const { kept } = await restore();
    expect(readFileSync(kept, 'utf8')).toBe('no database any more'.repeat(500));
    expect(readFileSync(`${kept}-wal`, 'utf8')).toBe('its log');
    expect((await readdir(dataDir)).sort()).toEqual(['account-sync.db', 'backups', 'server.lock']);
    expect(await tenants()).toEqual(['acme']);
    expect(await verify()).toMatchObject({ ok: true });
  });

  it('fails while another command uses the database', async () => {
    await inStore(database, async (store) => {
      await store.directory.createTenant('mine', {}, 1);
      const { status, stderr } = await run(['restore', backup, '--replace'], database.settings);
      expect([status, stderr]).toEqual([
        1,
        `Another command is using ${file}. Wait until it ends, and try again.\n`,
      ]);
    });
    expect(await tenants()).toEqual(['mine']);
  });

  it('does not accept a part of a database as a backup', async () => {
    await inStore(database, fill);
    const part = join(directory, 'part.db');
    copyFileSync(file, part);
    writeFileSync(`${part}-wal`, 'something');
    const { stderr } = await run(['restore', part, '--replace'], database.settings);
    expect(stderr).toContain(`${part} is not a backup: part of it is in ${part}-wal`);
  });
});
