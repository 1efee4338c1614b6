import { AccountSync, RefusedError } from '@account-sync/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_PRESENTATION } from '../support/no-presentation.js';
import { freshDirectory, Service } from '../support/service.js';

let service: Service;
let client: AccountSync;
beforeAll(async () => {
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  client = new AccountSync({ url: service.url, key: service.key });
});
afterAll(() => service.stopAndRemove());

it('an attribute is declared, and changed', async () => {
  const tier = { type: 'choice', choices: ['gold', 'silver'] } as const;
  const declared = await client.setAttribute('custom_Tier', tier);
  expect(declared).toEqual({
    name: 'custom_Tier',
    type: 'choice',
    choices: ['gold', 'silver'],
    read_only: false,
    built_in: false,
    index: 'none',
    index_progress: null,
    owner: null,
    ...NO_PRESENTATION,
    accounts: 0,
  });
  await expect(client.upsert({ account_id: 'acme', custom_Tier: 'Gold' })).rejects.toThrow(
    'Account acme, custom_Tier has invalid choice value.',
  );
  const changed = await client.setAttribute('custom_Tier', { ...tier, read_only: true, indexed: true });
  expect(changed).toEqual({ ...declared, read_only: true, index: 'ready' });
  const { data } = await client.attributes();
  expect(data.find(({ name }) => name === 'custom_Tier')).toEqual(changed);
});

it('a wrong definition is refused with its problem, and any name is sent as it is', async () => {
  const refused = client.setAttribute('custom_Tier', { type: 'choice' });
  await expect(refused).rejects.toThrow(RefusedError);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  await expect(client.setAttribute('custom_a/b?c', { type: 'text' })).rejects.toMatchObject({ status: 400 });
});
