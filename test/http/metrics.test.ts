import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { metricsIn } from '../support/metrics-in.js';
import { RunningServer } from './running-server.js';

const SINGLE = '/api/v1_1/account';
const BATCH = '/api/v1_1/accounts';

let server: RunningServer;
let key: string;
beforeEach(async () => {
  server = await RunningServer.start();
  key = await server.addTenant('acme');
});
afterEach(() => server.stop());

const scrape = async () => metricsIn((await server.app.inject('/metrics')).body);

describe('GET /metrics', () => {
  it('has all metrics, and no label that identifies a tenant or key', async () => {
    await server.post(SINGLE, key, { account_id: 'a' });
    await server.app.inject('/metrics');
    const answer = await server.app.inject('/metrics');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const types = [...answer.body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    );
    expect(types.filter((type) => type.startsWith('account_sync_')).sort()).toEqual([
      'account_sync_database_errors_total counter',
      'account_sync_disk_free_bytes gauge',
      'account_sync_group_commit_seconds histogram',
      'account_sync_group_records histogram',
      'account_sync_http_request_duration_seconds histogram',
      'account_sync_http_requests_total counter',
      'account_sync_late_sources gauge',
      'account_sync_pruned_total counter',
      'account_sync_records_received_total counter',
      'account_sync_results_total counter',
      'account_sync_waiting_records gauge',
      'account_sync_webhooks gauge',
    ]);
    const others = types.filter((type) => !type.startsWith('account_sync_'));
    expect(others.filter((type) => !/^(process|nodejs)_/.test(type))).toEqual([]);
    expect(others).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total counter',
        'process_resident_memory_bytes gauge',
        'nodejs_eventloop_lag_seconds gauge',
        'nodejs_gc_duration_seconds histogram',
      ]),
    );
    const own = answer.body.split('\n').filter((line) => line.startsWith('account_sync_'));
    const labels = new Set(
      own.flatMap((line) => [...line.matchAll(/[{,](\w+)="/g)].map(([, label]) => label)),
    );
    expect([...labels].sort()).toEqual(['le', 'method', 'operation', 'result', 'state', 'status', 'what']);
    expect(answer.body).not.toContain('acme');
  });

  it('counts requests, records and results', async () => {
    await server.post(SINGLE, key, { account_id: 'a' });
    await server.post(SINGLE, key, { account_id: 'a' });
    await server.post(SINGLE, key, { account_id: 'a', licenses: 'many' });
    await server.post(BATCH, key, [{ account_id: 'a', name: 'A' }, { account_id: 'b' }, { account_id: 'c' }]);
    await server.post(BATCH, key, [{ account_id: 'd' }, {}]);
    await server.post(SINGLE, 'none', { account_id: 'a' });
    await server.app.inject('/nowhere/acme');
    const expected = {
      'account_sync_http_requests_total{operation="upsert-account",method="POST",status="200"}': 2,
      'account_sync_http_requests_total{operation="upsert-account",method="POST",status="400"}': 1,
      'account_sync_http_requests_total{operation="upsert-account",method="POST",status="401"}': 1,
      'account_sync_http_requests_total{operation="upsert-batch",method="POST",status="200"}': 1,
      'account_sync_http_requests_total{operation="upsert-batch",method="POST",status="400"}': 1,
      'account_sync_http_requests_total{operation="unknown",method="GET",status="404"}': 1,
      'account_sync_records_received_total{operation="upsert-account"}': 3,
      'account_sync_records_received_total{operation="upsert-batch"}': 5,
      'account_sync_results_total{result="created"}': 3,
      'account_sync_results_total{result="updated"}': 1,
      'account_sync_results_total{result="unchanged"}': 1,
      'account_sync_results_total{result="refused"}': 3,
      'account_sync_results_total{result="failed"}': 0,
      'account_sync_http_request_duration_seconds_count{operation="upsert-account"}': 4,
      'account_sync_http_request_duration_seconds_bucket{le="+Inf",operation="upsert-account"}': 4,
      account_sync_group_records_sum: 5,
      account_sync_group_records_count: 3,
      'account_sync_group_records_bucket{le="1"}': 2,
      'account_sync_group_records_bucket{le="5"}': 3,
      account_sync_group_commit_seconds_count: 3,
      account_sync_waiting_records: 0,
      account_sync_database_errors_total: 0,
    };
    await expect.poll(scrape).toMatchObject(expected);
    expect((await scrape()).account_sync_group_commit_seconds_sum).toBeGreaterThan(0);
  });

  it('counts failed writes and reads of the database', async () => {
    // Starts the thread that writes: it cannot start without the table.
    await server.post(SINGLE, key, { account_id: 'a' });
    server.breakDatabase('drop table change_set');
    await server.post(SINGLE, key, { account_id: 'b' });
    await expect.poll(scrape).toMatchObject({
      'account_sync_results_total{result="failed"}': 1,
      account_sync_database_errors_total: 1,
    });
    server.breakDatabase('drop table configuration');
    expect((await server.app.inject('/readyz')).statusCode).toBe(503);
    expect(await scrape()).toMatchObject({ account_sync_database_errors_total: 2 });
  });

  it('shows how many records are waiting', async () => {
    const patches = ['a', 'b'].map((accountId) => ({ accountId, fields: {} }));
    const write = server.store.upsert({
      tenantId: 1,
      patches,
      requestId: 'r',
      senderId: 'acme',
      at: 1,
      bytes: 1,
    });
    expect(server.store.waitingRecords()).toBe(2);
    await write;
    expect(await scrape()).toMatchObject({ account_sync_waiting_records: 0 });
  });

  it('is logged at level debug', async () => {
    await server.app.inject('/metrics');
    expect(server.log.filter(({ operation }) => operation === 'metrics')).toEqual([
      expect.objectContaining({ level: 20, status: 200 }),
    ]);
  });
});
