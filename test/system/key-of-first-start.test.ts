import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';

const OWN_KEY = 'an-operator-brings-this-key-0123456789';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshDirectory();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const settings = (others: Record<string, string> = {}) => ({ ACCOUNT_SYNC_DATA_DIR: dataDir, ...others });

describe('the first start', () => {
  it('shows the key once; the second start shows its origin and how to create another', async () => {
    const first = await Service.start(settings());
    const { key } = first;
    await first.stop();
    const second = await Service.start(settings());
    const { stdout } = second.output;
    expect(stdout).not.toContain(key);
    expect(stdout).not.toContain('curl ');
    expect(stdout).toContain(
      `API key  ${key.slice(4, 12)} of tenant default, generated at the first start (`,
    );
    expect(stdout).toContain(
      'Create another: npx account-sync key create default --label console --scope sync read admin\n',
    );
    expect(await second.upsertAccount(key)).toBe(200);
    await second.stop();
  });

  it('uses the key of the operator, and does not print it', async () => {
    const own = settings({ ACCOUNT_SYNC_API_KEY: OWN_KEY });
    const first = await Service.start(own);
    expect(await first.upsertAccount(OWN_KEY)).toBe(200);
    expect(first.output.stdout).toContain('API key  the one in ACCOUNT_SYNC_API_KEY\n');
    expect(first.output.stdout).toContain('Bearer $ACCOUNT_SYNC_API_KEY"');
    expect(JSON.stringify(first.output)).not.toContain(OWN_KEY);
    await first.stop();
    const second = await Service.start(own);
    expect(second.output.stdout).toContain('taken from ACCOUNT_SYNC_API_KEY at the first start (');
    await second.stop();
    const third = await Service.start(settings({ ACCOUNT_SYNC_API_KEY: `${OWN_KEY}-another` }));
    expect(third.output.stdout).toContain(
      'API key  ACCOUNT_SYNC_API_KEY is ignored: it is used only at the first start',
    );
    expect(await third.upsertAccount(`${OWN_KEY}-another`)).toBe(401);
    await third.stop();
  });
});
