import { AccountSync, type Change } from '@account-sync/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { all } from '../client/scripted-server.js';
import { freshDirectory, Service } from '../support/service.js';

let service: Service;
let client: AccountSync;
beforeAll(async () => {
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  client = new AccountSync({ url: service.url, key: service.key });
});
afterAll(() => service.stopAndRemove());

it('the feed returns every change in order, and continues after any cursor', async () => {
  for (const licenses of [1, 2, 3]) await client.upsert({ account_id: 'acme', licenses });
  const changes = await all(client.changes());
  const origin = {
    cursor: expect.any(String),
    account_id: 'acme',
    at: expect.any(String),
    request_id: expect.any(String),
    key_id: expect.any(String),
    user: null,
    source: 'default',
    run_id: '1',
    is_erased: false,
  };
  expect(changes).toEqual(
    [null, 1, 2].map((from, index) => ({
      ...origin,
      revision: index + 1,
      kind: index === 0 ? 'created' : 'updated',
      changes: [{ field: 'licenses', from, to: index + 1 }],
    })),
  );
  const [first, ...rest] = changes as [Change, ...Change[]];
  expect(await all(client.changes({ after: first.cursor }))).toEqual(rest);
  expect(await all(client.changes({ after: changes.at(-1)?.cursor as string }))).toEqual([]);
  expect(await all(client.changes({ after: 'latest' }))).toEqual([]);
  expect(await all(client.changes({ last: 2 }))).toEqual(changes.slice(-2));
});

it('a follower gets every change once, across a server restart', async () => {
  const after = (await all(client.changes())).at(-1)?.cursor as string;
  const following = client.changes({ after, follow: true });
  const followed: string[] = [];
  const take = async (count: number) => {
    for (let taken = 0; taken < count; taken++) {
      const { value } = await following.next();
      followed.push((value as Change).account_id);
    }
  };
  const names = (from: number) => Array.from({ length: 20 }, (_, index) => `follow-${from + index}`);
  const push = async (from: number) => {
    for (const account_id of names(from)) await client.upsert({ account_id });
  };
  await Promise.all([take(20), push(0)]);

  const port = new URL(service.url).port;
  const { key } = service;
  const waiting = take(20);
  await service.stop('SIGKILL');
  service = await Service.start({ ...service.settings, ACCOUNT_SYNC_PORT: port });
  client = new AccountSync({ url: service.url, key });
  await Promise.all([waiting, push(20)]);
  await following.return(undefined);
  expect(followed).toEqual([...names(0), ...names(20)]);
});
