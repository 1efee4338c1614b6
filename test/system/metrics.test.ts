import { expect, it, vi } from 'vitest';
import { childrenOf } from '../support/children-of.js';
import { freshPostgres } from '../support/databases.js';
import { metricsIn } from '../support/metrics-in.js';
import { Service } from '../support/service.js';

const WRITTEN = 'account_sync_http_requests_total{operation="upsert-account",method="POST",status="200"}';

it('the metrics of several workers cover all workers, except those that do not respond', async () => {
  const database = await freshPostgres();
  const service = await Service.start({ ...database.settings, ACCOUNT_SYNC_WORKERS: '2' });
  let sent = 0;
  const post = async () => {
    sent += 1;
    // On a new connection each time, because the workers accept connections in turn.
    const response = await fetch(`${service.url}/api/v1_1/account`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: JSON.stringify({ account_id: `a-${sent}` }),
    });
    await response.text();
  };
  const scrape = async () => {
    const response = await fetch(`${service.url}/metrics`, { headers: { connection: 'close' } });
    return metricsIn(await response.text());
  };
  const seen = () => new Set(service.output.stderr.match(/"worker":\d+,"id"/g)).size;
  await vi.waitUntil(async () => post().then(() => seen() === 2), { timeout: 30_000 });

  const expected = {
    [WRITTEN]: sent,
    'account_sync_records_received_total{operation="upsert-account"}': sent,
    'account_sync_results_total{result="created"}': sent,
    'account_sync_http_request_duration_seconds_count{operation="upsert-account"}': sent,
    account_sync_group_records_sum: sent,
    account_sync_waiting_records: 0,
    account_sync_database_errors_total: 0,
  };
  await vi.waitFor(async () => expect(await scrape()).toMatchObject(expected), { timeout: 30_000 });
  // For any worker that handles the request.
  for (let i = 0; i < 4; i += 1) expect(await scrape()).toMatchObject(expected);

  const [first = 0] = childrenOf(service.pid);
  process.kill(first, 'SIGSTOP');
  const answers = await Promise.allSettled(
    Array.from({ length: 4 }, () =>
      fetch(`${service.url}/metrics`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(3_000),
      }).then((response) => response.text()),
    ),
  );
  process.kill(first, 'SIGCONT');
  const answered = answers
    .filter((answer) => answer.status === 'fulfilled')
    .map(({ value }) => metricsIn(value));
  expect(answered.length).toBeGreaterThan(0);
  for (const metrics of answered) {
    expect(metrics[WRITTEN]).toBeGreaterThan(0);
    expect(metrics[WRITTEN]).toBeLessThan(sent);
  }
  expect(await service.stop()).toBe(0);
  await database.remove();
});
