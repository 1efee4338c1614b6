import { describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { at, eventually, invalid, NOON, useServer } from './v2-server.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(databases)('statistics on %s', (_name, createDatabase) => {
  const server = useServer(createDatabase);

  const period = (start: string, counts: object) => ({
    start,
    created: 0,
    updated: 0,
    archived: 0,
    restored: 0,
    deleted: 0,
    refused: 0,
    ...counts,
  });

  it('are empty for a new tenant', async () => {
    const acme = await server.tenant();
    expect((await acme.get('/stats')).body).toEqual({ accounts: 0, archived: 0, unit: 'hour', data: [] });
  });

  it('count by minute, hour and day, for the requested time range', async () => {
    const acme = await server.tenant();
    await acme.sync(
      { account_id: 'a' },
      { account_id: 'b' },
      { account_id: 'a', name: 'A' },
      { account_id: 'a' },
    );
    server.now = NOON + MINUTE;
    await acme.call('DELETE', '/accounts/b');
    await acme.sync({ account_id: 'c' });
    server.now = NOON + HOUR;
    await acme.sync({ account_id: 'b' });
    await server.inject({
      method: 'POST',
      url: '/api/v1_1/account',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
      payload: '{"account_id":""}',
    });
    server.now = NOON + 12 * HOUR;
    await acme.sync({ account_id: 'c', name: 'C' });
    const stats = async (query: string) => (await acme.get(`/stats?${query}`)).body;
    const minutes = [
      period(at(), { created: 2, updated: 1 }),
      period(at(MINUTE), { created: 1, deleted: 1 }),
      period(at(HOUR), { created: 1, refused: 1 }),
      period(at(12 * HOUR), { updated: 1 }),
    ];
    const from = `from=${at()}`;
    await eventually(async () =>
      expect(await stats(`unit=minute&${from}`)).toEqual({
        accounts: 3,
        archived: 0,
        unit: 'minute',
        data: minutes,
      }),
    );
    expect(await stats('unit=hour')).toEqual({
      accounts: 3,
      archived: 0,
      unit: 'hour',
      data: [period(at(), { created: 3, updated: 1, deleted: 1 }), ...minutes.slice(2)],
    });
    expect(await stats('')).toEqual(await stats('unit=hour'));
    expect((await stats('unit=day')).data).toEqual([
      period('2027-01-31T00:00:00.000Z', { created: 4, updated: 1, deleted: 1, refused: 1 }),
      period('2027-02-01T00:00:00.000Z', { updated: 1 }),
    ]);
    expect((await stats('unit=minute')).data).toEqual(minutes.slice(3));
    expect((await stats(`unit=minute&from=${at(1)}&to=${at(HOUR)}`)).data).toEqual(minutes.slice(1, 2));
    expect((await stats(`unit=minute&to=${at(MINUTE)}`)).data).toEqual(minutes.slice(0, 1));
    expect((await stats(`unit=minute&from=${at(HOUR)}&to=${at()}`)).data).toEqual([]);
  });

  it.each([
    ['unit=week', { '/query/unit': 'must be one of minute, hour, day' }],
    ['from=now', { '/query/from': 'must be a timestamp such as 2027-01-31T12:00:00Z' }],
    ['to=2027-01-32T00:00Z', { '/query/to': 'must be a timestamp such as 2027-01-31T12:00:00Z' }],
    ['limit=1', { '/query/limit': 'is not known here' }],
  ])('reject the query %s', async (query, errors) => {
    const acme = await server.tenant();
    const answer = await acme.get(`/stats?${query}`);
    expect([answer.status, answer.body]).toEqual([400, invalid(errors as Record<string, string>)]);
  });
});
