import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AccountSync } from '@account-sync/client';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { StatusLine } from '../terminal/status-line.js';
import { planImport } from './import-plan.js';
import { openImportFile } from './open-import-file.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'a.csv');
  writeFileSync(path, 'account_id\nacme\n');
});
afterEach(() => rmSync(directory, { recursive: true }));

/** `onRead` is called before each reading of the file. */
async function planWhile(onRead: () => void) {
  const importFile = await openImportFile(path, {});
  const watched = {
    ...importFile,
    text: () => {
      onRead();
      return importFile.text();
    },
  };
  try {
    return await planImport({
      importFile: watched,
      schema: undefined,
      client: new AccountSync({ url: 'http://127.0.0.1:1', key: 'acs_test' }),
      options: { empty: 'clear', maxRejected: 50, concurrency: 1, giveUpAfter: 0 },
      line: new StatusLine({ isQuiet: true }),
    });
  } finally {
    await importFile.close();
  }
}

it.each([
  ['grows', () => appendFileSync(path, 'globex\n')],
  [
    'is replaced',
    () => {
      writeFileSync(`${path}.new`, 'account_id\nglobex\n');
      renameSync(`${path}.new`, path);
    },
  ],
  ['is removed', () => rmSync(path, { force: true })],
])('rejects a file that %s while it is read', async (_what, change) => {
  await expect(planWhile(change)).rejects.toThrow(
    `${path} has changed while it was read, so nothing was sent. Import it again when its export is complete.`,
  );
});

it('knows a file that stays the same, for its continuation', async () => {
  const [first, second] = [await planWhile(() => {}), await planWhile(() => {})];
  expect(first.fingerprint).toMatch(/^16:[\d.]+:[\da-f]{32}$/);
  expect(second.fingerprint).toBe(first.fingerprint);
  appendFileSync(path, 'globex\n');
  expect((await planWhile(() => {})).fingerprint).not.toBe(first.fingerprint);
});
