import { readdirSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import type { TenantSettings } from '../../src/domain/tenant.js';
import { freshDirectory } from '../support/service.js';

const SETTINGS: TenantSettings = {
  accountIds: 'any',
  undeclaredFields: 'keep',
  attributes: [],
  blockedPatterns: [],
  trackedSources: [],
};

/** Temporary files of SQLite that are open in this process and already deleted. */
function unnamedFiles(): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The descriptor that listed the directory is closed already.
      return '';
    }
  });
  return targets.filter((target) => /etilqs_.*\(deleted\)$/.test(target));
}

it.skipIf(process.platform !== 'linux')(
  'a dry run releases its temporary file when it is closed',
  async () => {
    const dataDir = await freshDirectory();
    const store = await openStore({ database: `sqlite:${dataDir}` });
    const dryRun = store.beginImport({
      tenantId: 1,
      senderId: 'k',
      source: 's',
      isMirrored: false,
      requestId: 'r',
      isArray: false,
      isDryRun: true,
      maxBytes: 1_000_000,
    });
    const text = 'x'.repeat(10_000);
    for (let batch = 0; batch < 10; batch += 1) {
      const records = Array.from({ length: 100 }, (_, i) => ({
        account_id: `a-${batch}-${i}`,
        custom_Text: text,
      }));
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      const { counts } = await dryRun.push({ bytes: Buffer.from(lines), isLast: false }, SETTINGS, 1);
      expect(counts).toMatchObject({ created: 100 });
    }
    expect(unnamedFiles()).toHaveLength(1);
    dryRun.close();
    await expect.poll(unnamedFiles).toEqual([]);
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  },
);
