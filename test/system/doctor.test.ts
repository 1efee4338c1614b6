import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allMigrations } from '../../dist/store/schema/migrations.js';
import { PostgresServer } from '../support/postgres/postgres-server.js';
import { freshDirectory, run, Service } from '../support/service.js';

const NEWEST = `${allMigrations.length}, the newest`;

describe('doctor', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await freshDirectory();
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const doctor = async (settings: Record<string, string> = {}) => {
    const result = await run(['doctor', '--json'], { ACCOUNT_SYNC_DATA_DIR: dataDir, ...settings });
    const findings: Record<string, string>[] = JSON.parse(result.stdout).findings;
    return {
      status: result.status,
      of: (check: string) => findings.find((finding) => finding.check === check),
    };
  };

  it('reports a healthy data directory with a running server', async () => {
    const service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: dataDir });
    const { status, of } = await doctor();
    expect(status).toBe(0);
    expect(of('schema version')).toEqual({ check: 'schema version', state: 'ok', found: NEWEST });
    expect(of('integrity')).toEqual({ check: 'integrity', state: 'ok', found: 'no damage found' });
    expect(of('server')).toEqual({ check: 'server', state: 'ok', found: 'running on this data' });
    await service.stop();
    expect((await doctor()).of('server')?.found).toBe('not running');
  });

  it('checks PostgreSQL, and shows the number of connections', async () => {
    const server = await PostgresServer.start({ full_page_writes: 'off' });
    const settings = { DATABASE_URL: await server.createDatabase() };
    expect((await doctor(settings)).of('schema version')?.found).toBe('no tables yet');
    const service = await Service.start(settings);
    const { status, of } = await doctor(settings);
    expect(status).toBe(1);
    expect(of('database')?.found).toMatch(/^PostgreSQL \d+\.\d+, 127\.0\.0\.1:\d+\/test_/);
    expect(of('schema version')).toEqual({ check: 'schema version', state: 'ok', found: NEWEST });
    expect(of('durability')).toEqual({
      check: 'durability',
      state: 'failed',
      found: 'full_page_writes off: a power cut can lose or damage acknowledged writes',
      advice: 'Turn it on in postgresql.conf.',
    });
    expect(of('server')?.found).toMatch(/^connected, sessions: \d+$/);
    await service.stop();
    expect((await doctor(settings)).of('server')?.found).toBe('none connected');
    await server.remove();
    expect((await doctor(settings)).of('database')).toEqual({
      check: 'database',
      state: 'failed',
      found: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('names invalid and unknown settings', async () => {
    const bad = await doctor({ ACCOUNT_SYNC_PORT: 'x' });
    expect([bad.status, bad.of('settings')?.state]).toEqual([1, 'failed']);
    const unknown = await doctor({ ACCOUNT_SYNC_PROT: '1' });
    expect([unknown.status, unknown.of('settings')?.found]).toEqual([
      0,
      'ACCOUNT_SYNC_PROT is not a setting',
    ]);
    const ofCallers = await doctor({
      ACCOUNT_SYNC_URL: 'http://127.0.0.1',
      ACCOUNT_SYNC_KEY: 'none',
      ACCOUNT_SYNC_WEBHOOK_SECRET: 'none',
    });
    expect(ofCallers.of('settings')).toEqual({ check: 'settings', state: 'ok', found: 'all valid' });
  });

  it('fails for a damaged file, and shows what to do', async () => {
    const damaged = await freshDirectory();
    await writeFile(join(damaged, 'account-sync.db'), 'no database at all'.repeat(1_000));
    const { status, of } = await doctor({ ACCOUNT_SYNC_DATA_DIR: damaged });
    await rm(damaged, { recursive: true });
    expect(status).toBe(1);
    expect(of('database')).toEqual({
      check: 'database',
      state: 'failed',
      found: 'cannot be read: file is not a database',
      advice: 'Restore the latest backup.',
    });
  });
});
