import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type AccountRecord, AccountSync } from '@account-sync/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, databases } from '../support/databases.js';
import { freshDirectory, run, runJson, Service, type Settings } from '../support/service.js';

const CSV = [
  "\uFEFFaccount_id,parent_account_id,name,licenses,custom_Is_Valid,custom_External_Created_On,custom_External_Created_At,custom_Tier,'@odd:json:json,constructor,custom_Mixed:json,custom_Note,custom_Tags:json",
  `'-5,,,,,2027-01-31,,,,Müller,"""three""",,`,
  `acme,,"Acme, Inc.",25,true,,,gold,,,,"'=HYPERLINK(""http://x"")","[""a"",{""b"":1}]"`,
  `acme-berlin,acme,',-5,false,,,silver,"""x\u2028y""",,3,"two\r\nlines",`,
  '',
].join('\r\n');

const LINES = [
  '{"account_id":"-5","custom_Mixed":"three","custom_External_Created_On":"2027-01-31","constructor":"Müller"}\n',
  '{"account_id":"acme","name":"Acme, Inc.","licenses":25,"custom_Is_Valid":true,"custom_Tier":"gold","custom_Note":"=HYPERLINK(\\"http://x\\")","custom_Tags":["a",{"b":1}]}\n',
  '{"account_id":"acme-berlin","parent_account_id":"acme","name":"","licenses":-5,"custom_Is_Valid":false,"custom_Tier":"silver","custom_Mixed":3,"custom_Note":"two\\r\\nlines","@odd:json":"x\u2028y"}\n',
];
const [MINUS = '', ACME = '', BERLIN = ''] = LINES;

const RECORDS: readonly AccountRecord[] = [
  {
    account_id: 'acme',
    name: 'Acme, Inc.',
    licenses: 25,
    custom_Is_Valid: true,
    custom_Tier: 'gold',
    custom_Score: 7,
    custom_Note: '=HYPERLINK("http://x")',
    custom_Tags: ['a', { b: 1 }],
  },
  {
    account_id: 'acme-berlin',
    parent_account_id: 'acme',
    name: '',
    licenses: -5,
    custom_Is_Valid: false,
    custom_Tier: 'silver',
    custom_Mixed: 3,
    custom_Note: 'two\r\nlines',
    '@odd:json': 'x\u2028y',
  },
  // Parsed from JSON, because TypeScript types `constructor` as the inherited property.
  JSON.parse(MINUS),
];

const LEFT_OUT = 'Not exported, because read-only: custom_Score.\n';

describe.each(databases)('export from a server on %s', (_name, createDatabase) => {
  let database: Database;
  let service: Service;
  let directory: string;
  let caller: Settings;
  beforeAll(async () => {
    [database, directory] = await Promise.all([createDatabase(), freshDirectory()]);
    const command = (...args: string[]) => runJson(database.settings, ...args);
    service = await Service.start(database.settings);
    await command('tenant', 'create', 'acme');
    const { key } = await command('key', 'create', 'acme', '--scope', 'sync', 'read');
    const choices = ['--type', 'choice', '--choice', 'gold', 'silver', '--indexed'];
    await command('attribute', 'set', 'acme', 'custom_Tier', ...choices);
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: key };
    const client = new AccountSync({ url: service.url, key });
    for (const record of RECORDS) await client.upsert(record);
    await command('attribute', 'set', 'acme', 'custom_Score', '--type', 'integer', '--read-only');
  });
  afterAll(async () => {
    await service.stop();
    await Promise.all([database.remove(), rm(directory, { recursive: true })]);
  });

  const exported = (...args: string[]) => run(['export', ...args], caller);

  it('writes CSV to standard output, and names the omitted fields', async () => {
    expect(await exported()).toEqual({
      status: 0,
      stdout: CSV,
      stderr: `${LEFT_OUT}3 accounts exported.\n`,
    });
  });

  it('writes NDJSON, and prints nothing else with --quiet', async () => {
    expect(await exported('--format', 'ndjson', '--quiet')).toEqual({
      status: 0,
      stdout: LINES.join(''),
      stderr: '',
    });
  });

  it.each([
    ['accounts.csv', CSV],
    ['accounts.csv.gz', CSV],
    ['accounts.jsonl', LINES.join('')],
    ['accounts.ndjson.gz', LINES.join('')],
  ])('writes %s in the format of its name', async (name, text) => {
    const out = join(directory, name);
    expect(await exported('--out', out)).toEqual({
      status: 0,
      stdout: '',
      stderr: `${LEFT_OUT}3 accounts exported to ${out}.\n`,
    });
    const bytes = await readFile(out);
    expect((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()).toBe(text);
  });

  it('reports the result as JSON', async () => {
    const out = join(directory, 'accounts');
    expect(await exported('--out', out, '--format', 'ndjson', '--json')).toEqual({
      status: 0,
      stdout: `${JSON.stringify({ accounts: 3, out, format: 'ndjson', left_out: ['custom_Score'] }, null, 2)}\n`,
      stderr: '',
    });
    expect(await readFile(out, 'utf8')).toBe(LINES.join(''));
  });

  it.each([
    ['id_prefix=AC', ACME + BERLIN],
    ['name_prefix=acme,', ACME],
    ['parent=acme', BERLIN],
    ['attribute=custom_Tier:silver', BERLIN],
    ['updated_since=2999-01-01T00:00:00Z', ''],
    ['updated_since=2021-01-01T00:00:00Z', ACME + BERLIN + MINUS],
    ['parent=nobody', ''],
  ])('writes only the accounts that match %s', async (filter, lines) => {
    const { status, stdout } = await exported('--format', 'ndjson', '--filter', filter);
    expect([status, stdout]).toEqual([0, lines]);
  });

  it('writes a CSV header without accounts, and only the columns of exported accounts', async () => {
    const head =
      '\uFEFFaccount_id,parent_account_id,name,licenses,custom_Is_Valid,custom_External_Created_On,custom_External_Created_At';
    expect(await exported('--filter', 'parent=nobody')).toEqual({
      status: 0,
      stdout: `${head},custom_Tier\r\n`,
      stderr: `${LEFT_OUT}0 accounts exported.\n`,
    });
    // The tenant of the first start has no accounts.
    expect(await run(['export'], { ...caller, ACCOUNT_SYNC_KEY: service.key })).toEqual({
      status: 0,
      stdout: `${head}\r\n`,
      stderr: '0 accounts exported.\n',
    });
  });

  it('needs a key with the scope read', async () => {
    const { key } = await runJson(database.settings, 'key', 'create', 'acme', '--scope', 'sync');
    const out = join(directory, 'forbidden.csv');
    const { status, stdout, stderr } = await run(['export', '--out', out], {
      ...caller,
      ACCOUNT_SYNC_KEY: key,
    });
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/ returned 403: .*read.* Use a key with that scope\. \(request .*\)\n$/),
    ]);
  });
});
