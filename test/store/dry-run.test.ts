import { readdirSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { freshDirectory } from '../support/service.js';

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
    const dryRun = store.dryRun();
    const fields = { custom_Text: 'x'.repeat(10_000) };
    for (let batch = 0; batch < 10; batch += 1) {
      const patches = Array.from({ length: 100 }, (_, i) => ({ accountId: `a-${batch}-${i}`, fields }));
      await dryRun.upsert({ tenantId: 1, requestId: 'r', keyId: 'k', at: 1, bytes: 1, patches });
    }
    expect(unnamedFiles()).toHaveLength(1);
    dryRun.close();
    expect(unnamedFiles()).toEqual([]);
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  },
);
