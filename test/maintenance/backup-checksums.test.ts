import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StoreUnusable } from '../../dist/store/errors.js';
import { addChecksums } from '../../dist/store/maintenance/backup-checksums.js';
import { restoreBackup } from '../../dist/store/maintenance/restore-backup.js';
import { stageBackup } from '../../dist/store/maintenance/stage-backup.js';
import { writeBackup } from '../../dist/store/maintenance/write-backup.js';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, databases } from '../support/databases.js';
import { fillForVerification } from '../support/fill-for-verification.js';
import { joinTenant } from '../support/join-tenant.js';
import { freshDirectory } from '../support/service.js';
import { problemsIn } from '../support/verified.js';

const SEED = 20_261_116;
/** Number of flipped bits. Backups of PostgreSQL get their checksums in the same way, so fewer are enough. */
const FLIPS =
  process.env.TEST_RING === 'quick' ? { SQLite: 30, PostgreSQL: 10 } : { SQLite: 200, PostgreSQL: 40 };
const APPLICATION_ID = { offset: 68, bytes: 4 };

/** A text that occurs in each table, possibly also in others. The test changes its last character. */
const TEXTS = {
  account: 'x'.repeat(300),
  account_value: '"silver"',
  api_key: 'a label of a key',
  app_user: 'name of a user',
  attribute: 'custom_Tiertext',
  audit: 'attribute.set',
  blocked_id: '*.test',
  change_set: 'r-1700000000001',
  erasure: 'again',
  field_use: 'licenses',
  // The role and origin.
  membership: 'viewerinvitation',
  one_time_link: 'hash of a link',
  period_count: 'minute',
  rejection: 'a problem of a request',
  schema_migration: 'first tables',
  session: 'hash of a session',
  sqlite_schema: 'indexed > 0',
  tenant: 'keep',
  tenant_host: 'host.example',
} as const;

describe.each(databases)('a backup of %s', (name, createDatabase) => {
  let database: Database;
  let directory: string;
  let backup: string;
  let whole: Buffer;
  let dump: string;
  beforeAll(async () => {
    database = await createDatabase();
    directory = await freshDirectory();
    backup = join(directory, 'backup.db');
    await fillForVerification(database);
    await fillDirectory(database);
    await writeBackup(database.url, backup, { report: () => {}, onOpened: () => {} });
    whole = readFileSync(backup);
    dump = dumpOf(backup);
  }, 60_000);
  afterAll(async () => {
    await database.remove();
    await rm(directory, { recursive: true, force: true });
  });

  /** The problems that `verify` reports with one bit flipped, and whether the file is rejected. */
  async function flipped(offset: number, bit: number, rejects: (file: string) => Promise<boolean>) {
    const file = join(directory, 'flipped.db');
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(offset) ^ (1 << bit), offset);
    writeFileSync(file, bytes);
    const reported = await reportedIn(file);
    const isRejected = await rejects(file);
    return { file, reported, isRejected };
  }

  const restoreRejects = async (file: string) => {
    const target = join(directory, 'restored');
    const options = { replace: true, now: 1, report: () => {} };
    const isRejected = await isUnusable(restoreBackup(`sqlite:${target}`, file, options));
    rmSync(target, { recursive: true, force: true });
    return isRejected;
  };
  /** The first part of restoring, which does all checks; it syncs no file. */
  const stagingRejects = (file: string) =>
    isUnusable(stageBackup(file, join(directory, 'staged.db')).then(({ close }) => close()));

  it('has checksums that match, and is restored without them', async () => {
    expect(await problemsIn(backup)).toEqual([]);
    const target = join(directory, 'whole');
    const { checksums } = await restoreBackup(`sqlite:${target}`, backup, {
      replace: false,
      now: 1,
      report: () => {},
    });
    const tables = (JSON.parse(dump) as [string, unknown][]).length - 1;
    expect(checksums).toEqual({ tables, problems: [] });
    const restored = new DatabaseSync(join(target, 'account-sync.db'));
    expect(restored.prepare("select name from sqlite_schema where name like 'backup%'").all()).toEqual([]);
    expect({ ...restored.prepare('pragma application_id').get() }).toEqual({ application_id: 0 });
    restored.close();
  });

  it('is rejected for every flipped bit that changes a row, for the same reasons as in `verify`', async () => {
    let changed = 0;
    for (const { offset, bit } of chosenBits(whole, FLIPS[name])) {
      const { file, reported, isRejected } = await flipped(offset, bit, stagingRejects);
      expect({ offset, bit, isRejected }).toEqual({ offset, bit, isRejected: reported.length > 0 });
      if (reported.length > 0) changed += 1;
      else expect(dumpOf(file) === dump, `byte ${offset}, bit ${bit}`).toBe(true);
    }
    expect(changed).toBeGreaterThan(FLIPS[name] / 4);
  }, 60_000);

  // Copies of PostgreSQL do not include sessions. Of their tables, `npm test` checks those with the most rows.
  const isChecked = (table: string) =>
    process.env.TEST_RING === 'quick' ? ['account', 'change_set'].includes(table) : table !== 'session';
  const texts = Object.entries(TEXTS).filter(([table]) => name === 'SQLite' || isChecked(table));
  it.each(texts)('names the table that differs: %s', async (table, text) => {
    const all: string[] = [];
    for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, at + 1)) {
      const { reported, isRejected } = await flipped(at + Buffer.byteLength(text) - 1, 0, restoreRejects);
      expect({ at, isRejected }).toEqual({ at, isRejected: reported.length > 0 });
      all.push(...reported);
      if (reported.includes(`${table} is not what was backed up: its checksum differs`)) break;
    }
    expect(all).toContain(`${table} is not what was backed up: its checksum differs`);
  });

  it('is rejected if the mark or the table of the checksums is lost', async () => {
    const damaged = ['the checksums of the backup are damaged'];
    for (let i = 0; i < APPLICATION_ID.bytes; i += 1) {
      expect(await flipped(APPLICATION_ID.offset + i, i, restoreRejects)).toMatchObject({
        reported: damaged,
        isRejected: true,
      });
    }
    const file = join(directory, 'lost.db');
    for (const [statement, problems] of [
      ['drop table backup_checksum', damaged],
      ["delete from backup_checksum where name = 'audit'", ['audit has no checksum']],
    ] as const) {
      copyFileSync(backup, file);
      inFile(file, statement);
      expect(await reportedIn(file)).toEqual(problems);
      expect(await restoreRejects(file)).toBe(true);
    }
  });

  it('is accepted without checksums, as older versions wrote it', async () => {
    const file = join(directory, 'older.db');
    copyFileSync(backup, file);
    inFile(file, 'drop table backup_checksum; pragma application_id = 0');
    expect(await reportedIn(file)).toEqual([]);
    const target = join(directory, 'older');
    const options = { replace: false, now: 1, report: () => {} };
    expect((await restoreBackup(`sqlite:${target}`, file, options)).checksums).toBeUndefined();
  });

  it('gets new checksums if the database still has those of a backup', async () => {
    const file = join(directory, 'again.db');
    copyFileSync(backup, file);
    inFile(file, "update tenant set name = 'renamed' where name = 'other'");
    expect(await reportedIn(file)).toEqual(['tenant is not what was backed up: its checksum differs']);
    addChecksums(file, () => {});
    expect(await reportedIn(file)).toEqual([]);
  });
});

async function isUnusable(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreUnusable);
    return true;
  }
}

/** The problems that `verify` reports, or its error message. */
async function reportedIn(file: string): Promise<string[]> {
  try {
    return (await problemsIn(file)).map(({ problem }) => problem);
  } catch (error) {
    if (!(error instanceof StoreUnusable)) throw error;
    return [error.message];
  }
}

/** Half of the bits anywhere, half at bytes that are not zero. */
function chosenBits(whole: Buffer, count: number): { offset: number; bit: number }[] {
  let state = SEED;
  const chance = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const written = [...whole.keys()].filter((offset) => whole[offset] !== 0);
  return Array.from({ length: count }, (_, i) => ({
    offset: i % 2 === 0 ? chance(whole.length) : (written[chance(written.length)] ?? 0),
    bit: chance(8),
  }));
}

/** Every row of every table, each value with its type. Throws if something cannot be read. */
function dumpOf(file: string): string {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const names: { name: string }[] = db.prepare("select name from sqlite_schema where type = 'table'").all();
    const tables = ['sqlite_schema', ...names.map(({ name }) => name)].map((name) => {
      const columns: { name: string }[] = db.prepare(`pragma table_info("${name}")`).all();
      const values = columns.map(
        (column) => `quote(cast("${column.name}" as blob)), typeof("${column.name}")`,
      );
      const statement = db.prepare(`select rowid, ${values.join(', ')} from "${name}" order by rowid`);
      statement.setReturnArrays(true);
      return [name, statement.all()];
    });
    return JSON.stringify(tables);
  } finally {
    db.close();
  }
}

function inFile(file: string, statements: string): void {
  const db = new DatabaseSync(file);
  db.exec(statements);
  db.close();
}

/** Fills the tables that `fillForVerification` leaves empty. */
async function fillDirectory({ url }: Database): Promise<void> {
  const store = await openStore({ database: url });
  const { directory } = store;
  const key = { id: 'k', hash: 'hash of a key', scopes: ['sync'], label: 'a label of a key' } as const;
  await directory.keys.add({ ...key, tenantId: 1, createdAt: 3, expiresAt: null });
  const expiresAt = Date.now() + 1_000_000;
  await directory.sessions.create({
    hash: 'hash of a session',
    id: 's',
    userAgent: null,
    tenantId: 1,
    senderId: 'k',
    createdAt: 3,
    expiresAt,
  });
  const user = { email: 'user@acme.example', name: 'name of a user', role: 'viewer' } as const;
  await joinTenant(store, 1, user);
  await directory.links.allowPassword(null, { hash: 'hash of a link', email: user.email, expiresAt });
  await directory.blocked.add(1, '*.test');
  await directory.changeTenant(1, { hosts: ['host.example'], historyDays: 9_000 });
  const rejection = {
    at: 5,
    requestId: 'r',
    senderId: 'k',
    runId: null,
    operation: 'upsert',
    status: 400,
    place: null,
  };
  const unknown = { accountId: null, errors: null, problem: 'a problem of a request', record: null };
  await store.jobs.recordRejections(
    [{ tenantId: 1, rejections: [{ ...rejection, ...unknown }], total: new Map([[5, 1]]) }],
    6,
  );
  await store.close();
}
