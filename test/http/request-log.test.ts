import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunningServer } from './running-server.js';

describe('the log', () => {
  let server: RunningServer;
  let key: string;

  beforeEach(async () => {
    server = await RunningServer.start();
    key = await server.addTenant('acme');
  });
  afterEach(() => server.stop());

  const requestLines = () => server.log.filter(({ msg }) => msg === 'request');

  it('has one line per request: tenant, key, operation, status and duration', async () => {
    const batch = [{ account_id: 'a' }, { account_id: 'b' }];
    await server.post('/api/v1_1/accounts?source=crm', key, batch, { headers: { 'x-request-id': 'r-1' } });
    expect(requestLines()).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        id: 'r-1',
        tenant: 'acme',
        key: 'acme',
        operation: 'upsert-batch',
        status: 200,
        records: 2,
        ms: expect.any(Number),
        msg: 'request',
      },
    ]);
  });

  it('shows the path of an unknown operation, without its query', async () => {
    await server.app.inject('/nowhere?api_key=secret');
    expect(requestLines()).toEqual([expect.objectContaining({ operation: 'GET /nowhere', status: 404 })]);
    expect(JSON.stringify(server.log)).not.toContain('secret');
  });

  it('never contains a key, a header or a body, whatever the result', async () => {
    await server.post('/api/v1_1/account', key, { account_id: 'a', name: 'Confidential' });
    await server.post('/api/v1_1/account', key, { account_id: 'a', licenses: 'Confidential' });
    await server.post('/api/v1_1/account', 'wrong-key-000000000000000000000000', {
      account_id: 'Confidential',
    });
    server.breakDatabase('drop table account');
    await server.post('/api/v1_1/account', key, { account_id: 'Confidential' });
    expect(requestLines().map(({ status }) => status)).toEqual([200, 400, 401, 500]);
    const text = JSON.stringify(server.log);
    expect(text).not.toContain('Confidential');
    expect(text).not.toContain(key);
    expect(text).not.toContain('wrong-key');
    expect(text).not.toContain('Bearer');
  });

  it.each([
    ['key', 'acs_00000000_00000000000000000000000000000000000000'],
    ['link', `lnk_${'x-Y_0'.repeat(9).slice(0, 43)}`],
  ])('contains no %s that was sent in a wrong place', async (_what, misplaced) => {
    await server.app.inject(`/nowhere/${misplaced}/x`);
    const { headers } = await server.app.inject({ url: '/nowhere', headers: { 'x-request-id': misplaced } });
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    expect(requestLines().map(({ operation }) => operation)).toEqual(['GET [redacted]', 'GET /nowhere']);
    expect(JSON.stringify(server.log)).not.toContain(misplaced);
  });

  it('has probes at level debug', async () => {
    await server.app.inject('/healthz');
    await server.app.inject('/readyz');
    expect(requestLines().map(({ level }) => level)).toEqual([20, 20]);
  });
});
