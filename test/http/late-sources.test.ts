import { describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../dist/version.js';
import { databases } from '../support/databases.js';
import { metricsIn } from '../support/metrics-in.js';
import { finishRun, keyOf, openRun, upsert } from './run-requests.js';
import { at, eventually, NOON, type Tenant, useServer } from './v2-server.js';

const HOUR = 3_600_000;
const SILENCE = 5 * 60_000;

describe.each(databases)('a source that is expected on %s', (name, createDatabase) => {
  const server = useServer(createDatabase);

  /** The probes concern all tenants, so a test leaves no expected source behind. */
  const expectEvery = async (tenant: Tenant, source: string, seconds: number | null, grace = 0) => {
    const body = { expect_every_seconds: seconds, grace_seconds: grace };
    expect((await tenant.call('PUT', `/sources/${source}`, body)).status).toBeLessThan(300);
    onTestFinished(async () => {
      await server.store.directory.sources.set(tenant.id, source, { expectEveryMs: null });
    });
  };
  const timesOf = async (tenant: Tenant, source: string) => {
    const { is_late, last_finished_at, next_expected_at } = (await tenant.get(`/sources/${source}`)).body;
    return { is_late, last_finished_at, next_expected_at };
  };
  /** What monitoring sees, of all tenants. */
  const expectLate = async (count: number) => {
    const readiness = await server.inject({ url: '/readyz' });
    const late = count === 1 ? '1 source is late' : `${count} sources are late`;
    const warnings = [`${late}: see Sources in the console, or run account-sync doctor.`];
    expect([readiness.status, readiness.body]).toEqual([
      200,
      { status: 'ready', ...(count > 0 && { warnings }) },
    ]);
    const metrics = (await server.app.inject('/metrics')).body;
    expect(metricsIn(metrics).account_sync_late_sources).toBe(count);
    expect(metrics).not.toContain('crm');
  };
  const expectWarnings = async (tenant: Tenant, warnings: string[]) => {
    const { status, body } = await tenant.get('/status');
    expect([status, body]).toEqual([
      200,
      {
        version: VERSION,
        database: name === 'SQLite' ? 'sqlite' : 'postgres',
        is_ready: true,
        problem: null,
        waiting_records: 0,
        warnings,
      },
    ]);
  };

  it('is late after the interval and the grace, and no more when a run finishes', async () => {
    const [other, acme] = [await server.tenant(), await server.tenant()];
    const crm = await keyOf(acme, 'crm');
    await expectEvery(acme, 'crm', 3_600, 60);
    const next = { last_finished_at: null, next_expected_at: at(HOUR) };
    for (const [now, is_late] of [
      [HOUR, false],
      [HOUR + 60_000, false],
      [HOUR + 60_001, true],
    ] as const) {
      server.now = NOON + now;
      expect(await timesOf(acme, 'crm')).toEqual({ ...next, is_late });
      expect((await acme.get('/sources')).body.data.map((one: { is_late: boolean }) => one.is_late)).toEqual([
        is_late,
        false,
      ]);
      await expectLate(is_late ? 1 : 0);
      await expectWarnings(acme, is_late ? ['The source crm is late.'] : []);
      await expectWarnings(other, []);
    }
    const id = await openRun(acme, crm.key);
    await upsert(acme, { account_id: 'a' }, { run: id, key: crm.key });
    await expectLate(1);
    server.now += 5;
    expect((await finishRun(acme, id, { key: crm.key })).status).toBe(200);
    const finished = HOUR + 60_006;
    expect(await timesOf(acme, 'crm')).toEqual({
      is_late: false,
      last_finished_at: at(finished),
      next_expected_at: at(finished + HOUR),
    });
    await expectLate(0);
    await expectWarnings(acme, []);
    server.now = NOON + finished + HOUR + 60_001;
    await expectLate(1);
    await expectWarnings(acme, ['The source crm is late.']);
  });

  it('is not late before the first interval has passed, however old it is', async () => {
    const acme = await server.tenant();
    server.now += 100 * HOUR;
    await expectEvery(acme, 'crm', 3_600);
    server.now += HOUR;
    await expectLate(0);
    server.now += 1;
    await expectLate(1);
    // Expected anew, from now on.
    await expectEvery(acme, 'crm', null);
    await expectLate(0);
    await expectEvery(acme, 'crm', 3_600);
    await expectLate(0);
  });

  it('is not late any more if the interval or the grace is raised, or the source removed', async () => {
    const acme = await server.tenant();
    await expectEvery(acme, 'crm', 3_600);
    await acme.call('PUT', '/sources/crm-2', { expect_every_seconds: 3_600 });
    server.now += HOUR + 1;
    await expectLate(2);
    await expectWarnings(acme, ['The source crm is late.', 'The source crm-2 is late.']);
    await acme.call('PUT', '/sources/crm', { grace_seconds: 1 });
    await expectLate(1);
    expect((await acme.call('DELETE', '/sources/crm-2')).status).toBe(204);
    await expectLate(0);
    server.now += 1_000;
    await expectLate(1);
    await acme.call('PUT', '/sources/crm', { expect_every_seconds: 7_200 });
    await expectLate(0);
  });

  it('is no less late for runs of other sources, open runs, and runs without success', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await expectEvery(acme, 'crm', 3_600);
    server.now += HOUR + 1;
    const { key } = crm;
    await finishRun(acme, await openRun(acme));
    expect(await timesOf(acme, 'default')).toMatchObject({ last_finished_at: at(HOUR + 1) });
    await openRun(acme, key);
    await finishRun(acme, await openRun(acme, key), { abandon: true, key });
    const failed = await openRun(acme, key);
    expect((await upsert(acme, { account_id: 'a', licenses: 'x' }, { run: failed, key })).status).toBe(400);
    await finishRun(acme, failed, { key });
    expect((await upsert(acme, { account_id: 'a', licenses: 'x' }, { key })).status).toBe(400);
    expect(await timesOf(acme, 'crm')).toMatchObject({ is_late: true, last_finished_at: null });
    await expectLate(1);
    await finishRun(acme, await openRun(acme, key), { key });
    await expectLate(0);
  });

  it('is not late as soon as a request of an implicit run is counted, which has no explicit end', async () => {
    const acme = await server.tenant();
    const crm = await keyOf(acme, 'crm');
    await expectEvery(acme, 'crm', 3_600);
    server.now += HOUR + 1;
    await expectLate(1);
    await upsert(acme, { account_id: 'a' }, { key: crm.key });
    const next = { last_finished_at: at(HOUR + 1), next_expected_at: at(2 * HOUR + 1) };
    await eventually(async () => expect(await timesOf(acme, 'crm')).toEqual({ is_late: false, ...next }));
    await expectLate(0);
    server.now += SILENCE + 1;
    await server.store.jobs.endSilentRuns(server.now, SILENCE);
    expect(await timesOf(acme, 'crm')).toEqual({ is_late: false, ...next });
  });
});
