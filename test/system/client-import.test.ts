import { AccountSync, ForbiddenError } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all } from '../client/scripted-server.js';
import { freshDirectory, runJson, Service } from '../support/service.js';

let service: Service;
let client: AccountSync;
beforeAll(async () => {
  service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
  client = new AccountSync({ url: service.url, key: service.key });
});
afterAll(() => service.stopAndRemove());

const LICENSES = (id: string) => ({ licenses: [`Account ${id}, licenses has invalid integer value.`] });

describe('many records', () => {
  it('are stored, unchanged or rejected independently', async () => {
    const records = [
      { account_id: 'One', name: 'One' },
      { account_id: 'two', licenses: 'many' },
      { account_id: ' ONE ', name: 'Uno' },
      { account_id: 'one', name: 'Uno' },
    ];
    expect(await all(client.upsertMany(records))).toEqual([
      { index: 0, account_id: 'one', status: 'created', changed: ['name'] },
      { index: 1, account_id: 'two', status: 'failed', errors: LICENSES('two') },
      { index: 2, account_id: 'one', status: 'updated', changed: ['name'] },
      { index: 3, account_id: 'one', status: 'unchanged', changed: [] },
    ]);
    expect(await client.get('two')).toBeUndefined();
  });

  it('of one account end with the last record, with any number of concurrent chunks', async () => {
    const records = Array.from({ length: 500 }, (_, index) => ({
      account_id: index % 3 === 0 ? 'same' : `other-${index}`,
      licenses: index,
    }));
    const results = await all(client.upsertMany(records, { chunkSize: 7, concurrency: 8 }));
    expect(results.map(({ index }) => index)).toEqual([...records.keys()]);
    expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(await client.get('same')).toMatchObject({ fields: { licenses: 498 }, revision: 167 });
  });
});

describe.each([true, false])('an import, streaming: %s', (streaming) => {
  const name = `import-${streaming}`;
  const text = [
    JSON.stringify({ account_id: `${name}-1`, name: 'One' }),
    '{"account_id":',
    JSON.stringify({ account_id: `${name}-2`, licenses: 'many' }),
    JSON.stringify({ account_id: `${name}-3`, licenses: '3' }),
  ].join('\n');
  const counts = { records: 4, created: 2, updated: 0, unchanged: 0, skipped: 0, failed: 2, kept: 0 };
  const complete = { is_complete: true, problem: null };

  it('as a dry run returns the results, and stores nothing', async () => {
    const summary = await client.import(text, { dryRun: true, streaming }).finish();
    expect(summary).toEqual({ ...counts, dry_run: true, ...complete });
    expect(await client.get(`${name}-1`)).toBeUndefined();
  });

  it('returns a result for each line, and a summary', async () => {
    const run = client.import(text, { streaming });
    expect(await all(run)).toEqual([
      { index: 0, account_id: `${name}-1`, status: 'created', changed: ['name'] },
      { index: 1, account_id: null, status: 'failed', problem: expect.any(String) },
      { index: 2, account_id: `${name}-2`, status: 'failed', errors: LICENSES(`${name}-2`) },
      { index: 3, account_id: `${name}-3`, status: 'created', changed: ['licenses'] },
    ]);
    expect(run.summary).toEqual({ ...counts, dry_run: false, ...complete });
  });

  it('accepts more bytes than the body of any other request', async () => {
    function* records() {
      for (let index = 0; index < 20_000; index++) {
        yield { account_id: `${name}-large-${index}`, name: 'x'.repeat(150), note: 'y'.repeat(600) };
      }
    }
    const summary = await client.import(records(), { streaming }).finish();
    const all = {
      records: 20_000,
      created: 20_000,
      updated: 0,
      unchanged: 0,
      skipped: 0,
      failed: 0,
      kept: 0,
    };
    expect(summary).toEqual({ ...all, dry_run: false, ...complete });
  });
});

it('an import needs the scope sync', async () => {
  const { key } = await runJson(service.settings, 'key', 'create', 'default', '--scope', 'read');
  const reader = new AccountSync({ url: service.url, key });
  await expect(reader.import([{ account_id: 'a' }]).finish()).rejects.toBeInstanceOf(ForbiddenError);
  await expect(all(reader.upsertMany([{ account_id: 'a' }]))).rejects.toBeInstanceOf(ForbiddenError);
});
