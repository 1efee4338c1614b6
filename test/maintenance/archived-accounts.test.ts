import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openRun, upsert } from '../http/run-requests.js';
import { runOf, undo } from '../http/undo-requests.js';
import { eventually, Tenant, V2Server } from '../http/v2-server.js';
import { type Database, databases, emptyPostgres, freshSqlite } from '../support/databases.js';
import { runStatements } from '../support/released-database.js';
import { freshDirectory, runJson } from '../support/service.js';
import { problemsIn } from '../support/verified.js';

const IDS = ['live', 'archived', 'restored', 'updated', 'unfinished'];

/** Opens a server over a database, which stays when the server stops. */
async function serve<Result>(
  database: Database,
  work: (server: V2Server) => Promise<Result>,
): Promise<Result> {
  const server = new V2Server();
  await server.start(async () => ({ ...database, remove: async () => {} }));
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

interface Filled {
  readonly tenant: Pick<Tenant, 'id' | 'name' | 'keyId'>;
  /** An undo that has finished, the run that an unfinished undo takes back, and that undo. */
  readonly undone: string;
  readonly half: string;
  readonly unfinished: string;
}

/** Accounts that are archived, restored and changed by undos, and an undo that was interrupted. */
async function fill(server: V2Server): Promise<Filled> {
  const acme = await server.tenant();
  await acme.sync({ account_id: 'live', licenses: 1 }, { account_id: 'updated', licenses: 1 });
  const run = await runOf(acme, [
    [
      { account_id: 'archived', name: 'A', licenses: 2 },
      { account_id: 'restored' },
      { account_id: 'updated', licenses: 2 },
      { account_id: 'deleted' },
    ],
  ]);
  const { summary } = await undo(acme, run);
  await acme.sync({ account_id: 'restored', name: 'R' });
  await acme.call('DELETE', '/accounts/deleted');
  const half = await runOf(acme, [{ account_id: 'unfinished' }]);
  const start = { tenantId: acme.id, source: 'default', senderId: acme.keyId, at: server.now };
  const undoing = { runId: Number(half), requestId: null, isForced: true, toExamine: 1 };
  const opened = await server.store.undos.open({ ...start, ...undoing });
  await eventually(async () =>
    expect((await acme.get('/stats')).body).toMatchObject({ accounts: 4, archived: 1 }),
  );
  const { id, name, keyId } = acme;
  return {
    tenant: { id, name, keyId },
    undone: String(summary.run_id),
    half,
    unfinished: String(opened?.id),
  };
}

/** What the API shows of it. */
async function shown(server: V2Server, { tenant: { id, name, keyId }, undone, unfinished }: Filled) {
  const acme = new Tenant(server, id, name, keyId);
  server.now += 60_000;
  const paths = [
    '/accounts?archived=include&count=true',
    '/accounts?archived=only&count=true',
    '/accounts?count=true',
    `/runs/${undone}`,
    `/runs/${unfinished}`,
    '/runs',
    '/stats?unit=minute',
    ...IDS.map((account) => `/accounts/${account}/history`),
  ];
  return Promise.all(paths.map(async (path) => [path, (await acme.get(path)).body]));
}

describe.each(databases)('archived accounts on %s', (name, createDatabase) => {
  let database: Database;
  let directory: string;
  let filled: Filled;
  beforeAll(async () => {
    database = await createDatabase();
    directory = await freshDirectory();
    filled = await serve(database, fill);
  });
  afterAll(async () => {
    await database.remove();
    await rm(directory, { recursive: true, force: true });
  });

  it('are no problem for verify', async () => {
    expect(await problemsIn(database.url)).toEqual([]);
  });

  const row = (id: string) => `where account_id = '${id}'`;
  it.each([
    ['is archived without a change that says so', 'live', '1801396800000'],
    ['is not archived any more without a change that says so', 'archived', 'null'],
    ['was archived at another time', 'archived', '1801396800777'],
    ['was restored, and is archived', 'restored', '1801396800000'],
  ])('are reported by verify if one %s', async (_what, id, value) => {
    await runStatements(
      database,
      `create table kept as select account_id, archived_at from account ${row(id)};
       update account set archived_at = ${value} ${row(id)}`,
    );
    const problems = await problemsIn(database.url);
    await runStatements(
      database,
      `update account set archived_at = (select archived_at from kept) ${row(id)}; drop table kept`,
    );
    expect(problems.filter(({ account }) => account === id)).toHaveLength(1);
    expect(await problemsIn(database.url)).toEqual([]);
  });

  it('are reported by verify if they were miscounted', async () => {
    await runStatements(database, 'update tally set archived = archived + 1');
    const problems = await problemsIn(database.url);
    await runStatements(database, 'update tally set archived = archived - 1');
    expect(problems).toMatchObject([{ check: 'counts', account: null }]);
  });

  const expectSame = async (target: Database) => {
    expect(await problemsIn(target.url)).toEqual([]);
    const expected = await serve(database, (server) => shown(server, filled));
    await serve(target, async (server) => {
      expect(await shown(server, filled)).toEqual(expected);
      const { id, name: tenant, keyId } = filled.tenant;
      const acme = new Tenant(server, id, tenant, keyId);
      const { summary: continued } = await undo(acme, filled.half, { force: true });
      expect(continued).toMatchObject({ run_id: filled.unfinished, archived: 1, is_complete: true });
      const { summary: again } = await undo(acme, filled.undone);
      expect(again).toMatchObject({ restored: 1, updated: 1, is_complete: true });
      const later = await openRun(acme);
      expect(Number(later)).toBeGreaterThan(Number(again.run_id));
      await upsert(acme, { account_id: 'unfinished' }, { run: later });
      expect((await acme.get('/accounts/unfinished')).body.archived_at).toBeNull();
    });
    expect(await problemsIn(target.url)).toEqual([]);
  };
  const otherKind = name === 'SQLite' ? emptyPostgres : freshSqlite;
  const sameKind = name === 'SQLite' ? freshSqlite : emptyPostgres;
  const target = async (create: () => Promise<Database>) => {
    const created = await create();
    onTestFinished(() => created.remove());
    return created;
  };

  it.each([
    ['the same kind of database', sameKind],
    ['the other kind of database', otherKind],
  ])('are in a backup, and restored into %s, with the undos', async (what, create) => {
    const file = join(directory, `${what}.db`);
    await runJson(database.settings, 'backup', file);
    expect(await problemsIn(file)).toEqual([]);
    const to = await target(create);
    await runJson(to.settings, 'restore', file);
    await expectSame(to);
  });

  it('are copied into the other kind of database, with the undos', async () => {
    const to = await target(otherKind);
    await runJson({}, 'copy', '--from', database.url, '--to', to.url);
    await expectSame(to);
  });
});
