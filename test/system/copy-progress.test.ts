import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../dist/store/open-store.js';
import { type Database, freshSqlite } from '../support/databases.js';
import { run } from '../support/service.js';
import { Screen } from './screen.js';

const ACCOUNTS = 3_000;
const TABLES = [
  ['tenant', '1'],
  ['account', '3,000'],
  ['change_set', '12'],
  ['audit', '1'],
];
/** One line for each table with rows while copying, then while comparing. */
const LINES = ['copying', 'comparing'].flatMap((phase) =>
  TABLES.map(([table, rows]) =>
    expect.stringMatching(`^${phase} ${table}: ${rows} of ${rows} \\(100 %\\), [\\d,]+ a second$`),
  ),
);

describe('copy shows its progress', () => {
  let from: Database;
  let to: Database;
  let args: string[];
  beforeEach(async () => {
    [from, to] = await Promise.all([freshSqlite(), freshSqlite()]);
    args = ['copy', '--from', from.url, '--to', to.url];
    const store = await openStore({ database: from.url });
    await store.directory.createTenant('acme', {}, 1);
    const patches = Array.from({ length: ACCOUNTS }, (_, row) => ({
      accountId: `account-${row}`,
      fields: { licenses: row },
    }));
    await store.upsert({ tenantId: 1, patches, requestId: 'r', senderId: 'k', at: 1, bytes: 1 });
    await store.close();
  });
  afterEach(async () => {
    await Promise.all([from.remove(), to.remove()]);
  });

  it('in plain lines without a terminal', async () => {
    const { status, stdout, stderr } = await run(args, {});
    expect([status, stderr.split('\n')]).toEqual([0, [...LINES, '']]);
    expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it.skipIf(!Screen.isPossible())('in a terminal, with one line for each table', async () => {
    const screen = new Screen(args, {}, 100);
    expect(await screen.finished).toBe(0);
    const { length } = LINES;
    expect(screen.lines.slice(0, length)).toEqual(LINES);
    expect(screen.lines[length]).toMatch(/^TABLE +ROWS +CHECKSUM OF BOTH$/);
    expect(screen.raw).toContain('\r\u001b[Kcopying tenant: 1 of 1 ');
  });
});
