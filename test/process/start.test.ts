import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDirectory, Service } from '../support/service.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await freshDirectory();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const settings = (others: Record<string, string> = {}) => ({ ACCOUNT_SYNC_DATA_DIR: dataDir, ...others });

describe('the first start', () => {
  it('prints its address, its store, a key and a curl command that works', async () => {
    const service = await Service.start(settings());
    const { stdout } = service.output;
    expect(stdout).toContain(
      `  Address  ${service.url}\n  Store    SQLite, ${join(dataDir, 'account-sync.db')}\n`,
    );
    expect(service.key).toMatch(/^acs_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    const line = stdout.split('\n').find((text) => text.startsWith('curl '));
    const pasted = await promisify(execFile)('sh', ['-c', `${line} --silent`]);
    expect(pasted.stdout).toBe('{"success":true}');
    expect(await service.stop()).toBe(0);
  });
});
