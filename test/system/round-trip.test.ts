import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';
import { all } from '../client/scripted-server.js';
import { databases } from '../support/databases.js';
import { run } from '../support/service.js';
import { DECLARED, ODD_ACCOUNTS } from './odd-accounts.js';
import { randomAccounts } from './random-accounts.js';

const RECORDS = [...ODD_ACCOUNTS, ...randomAccounts(150, 20_270_131)];
const COUNT = RECORDS.length;

describe.each(databases)('an export from a server on %s', (_name, createDatabase) => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start(DECLARED, createDatabase, ['csv', 'ndjson']);
    const results = await all(caller.client.upsertMany(RECORDS));
    expect(results.filter(({ status }) => status === 'failed')).toEqual([]);
    // The field statistics are updated a moment later.
    const names = new Set(RECORDS.flatMap((record) => Object.keys(record)));
    await vi.waitFor(async () => {
      const { data, undeclared } = await caller.client.attributes();
      const known = new Set([...data, ...undeclared].map(({ name }) => name));
      for (const name of ['account_id', 'parent_account_id', 'name', ...known]) names.delete(name);
      expect([...names]).toEqual([]);
    }, 20_000);
  });
  afterAll(() => caller.end());

  const exportTo = async (name: string, from = caller) => {
    const out = from.path(name);
    expect(await run(['export', '--out', out], from.settings)).toEqual({
      status: 0,
      stdout: '',
      stderr: `${COUNT} accounts exported to ${out}.\n`,
    });
    return out;
  };

  it.each(['accounts.csv', 'accounts.csv.gz', 'accounts.ndjson', 'accounts.ndjson.gz'])(
    'as %s changes nothing when it is imported again',
    async (name) => {
      const file = await exportTo(name);
      const { next } = await caller.changes();
      const { status, stdout, stderr } = await caller.import(file);
      expect([status, stdout, status === 0 ? '' : stderr]).toEqual([
        0,
        `${COUNT} records: 0 created, 0 updated, ${COUNT} unchanged, 0 rejected.\n`,
        '',
      ]);
      expect(await caller.changes(next)).toEqual({ data: [], next, has_more: false });
    },
  );

  it.each(['csv', 'ndjson'])(
    'as %s is the same to the byte after an import into another tenant',
    async (format) => {
      const file = await exportTo(`here.${format}`);
      const other = caller.ofTenant(format);
      const { status, stdout, stderr } = await other.import(file, '--map', '*');
      expect([status, stdout, status === 0 ? '' : stderr]).toEqual([
        0,
        `${COUNT} records: ${COUNT} created, 0 updated, 0 unchanged, 0 rejected.\n`,
        '',
      ]);
      const there = await exportTo(`there.${format}`, other);
      expect((await readFile(there)).equals(await readFile(file))).toBe(true);
    },
  );
});
