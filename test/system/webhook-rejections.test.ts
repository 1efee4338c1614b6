import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDirectory, run, runJson, Service, type Settings } from '../support/service.js';

const ADDRESS = 'https://example.com/events';

describe('account-sync webhook rejects', () => {
  let service: Service;
  let caller: Settings;
  beforeAll(async () => {
    service = await Service.start({ ACCOUNT_SYNC_DATA_DIR: await freshDirectory() });
    caller = { ACCOUNT_SYNC_URL: service.url, ACCOUNT_SYNC_KEY: service.key };
  });
  afterAll(() => service.stopAndRemove());

  const failure = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['webhook', ...args], caller);
    expect([status, stdout]).toEqual([2, '']);
    return stderr;
  };

  it.each([
    ['show'],
    ['set', '--description', 'x'],
    ['set', '--field', 'x'],
    ['pause'],
    ['resume'],
    ['replay', '--after', '0~0'],
    ['test'],
    ['deliveries'],
    ['rotate'],
    ['remove'],
  ])('%s %s fails for an unknown id, with what to do', async (command, ...options) => {
    const problem = 'There is no webhook wh_none. List them with: account-sync webhook list';
    expect(await failure(command, 'wh_none', ...options)).toBe(`${problem}\n`);
    expect(await failure(command, 'wh_none', ...options, '--json')).toBe(
      `${JSON.stringify({ error: problem })}\n`,
    );
  });

  it.each([
    [['create', 'nowhere'], 'The address must be a URL such as https://example.com/events.\n'],
    [['create', 'http://example.com/'], 'The address must begin with https://.\n'],
    [
      ['create', 'https://10.0.0.1/'],
      'The address must not have a private address; the operator can allow it with ACCOUNT_SYNC_WEBHOOK_PRIVATE_HOSTS.\n',
    ],
    [['create', ADDRESS, '--source', 'default', 'crm'], '--source crm must be the name of a source.\n'],
    [
      ['create', ADDRESS, '--description', 'x'.repeat(201)],
      '--description must NOT have more than 200 characters.\n',
    ],
    [['create'], "error: missing required argument 'address'\n"],
    [
      ['create', ADDRESS, '--value', 'gold'],
      "error: option '--value <field=value...>' argument 'gold' is invalid. Give a field and a value, such as custom_Tier=gold.\n",
    ],
    ...['0', '101', 'many'].map((size): [string[], string] => [
      ['create', ADDRESS, '--batch-size', size],
      `error: option '--batch-size <n>' argument '${size}' is invalid. Give a whole number from 1 to 100.\n`,
    ]),
    [['set', 'wh_none'], 'Give at least one option to change.\n'],
    [['replay', 'wh_none'], 'Give either --since <time> or --after <cursor>.\n'],
    [
      ['replay', 'wh_none', '--after', '0~0', '--since', '2027-02-01T00:00:00Z'],
      'Give either --since <time> or --after <cursor>.\n',
    ],
    [['replay', 'wh_none', '--after', 'x'], '--after must be a cursor of the change feed.\n'],
    [
      ['replay', 'wh_none', '--since', 'yesterday'],
      '--since must be a timestamp such as 2027-01-31T12:00:00Z.\n',
    ],
    [['deliveries', 'wh_none', '--limit', '0'], 'Give --limit a whole number of at least 1.\n'],
  ])('%j fails with what to do', async (args, message) => {
    expect(await failure(...args)).toBe(message);
  });

  it('names the kinds of events if one is unknown', async () => {
    expect(await failure('create', ADDRESS, '--event', 'account.renamed')).toMatch(
      /^error: option '--event <type\.\.\.>' argument 'account\.renamed' is invalid\. Allowed choices are account\.created, .*\.\n$/,
    );
  });

  it('needs an address of a server, and a key with the scope admin', async () => {
    const { ACCOUNT_SYNC_URL, ACCOUNT_SYNC_KEY } = caller as Record<string, string>;
    const list = (settings: Record<string, string | undefined>) =>
      run(['webhook', 'list'], settings as Settings);
    expect(await list({ ACCOUNT_SYNC_URL })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'The API key is missing. Set --key-file <path> or ACCOUNT_SYNC_KEY.\n',
    });
    expect(await list({ ACCOUNT_SYNC_KEY })).toEqual({
      status: 2,
      stdout: '',
      stderr: 'The server address is missing. Set --url http://host:port or ACCOUNT_SYNC_URL.\n',
    });
    const { key } = await runJson(
      service.settings,
      ...['key', 'create', 'default', '--scope', 'sync', 'read'],
    );
    const forbidden = await list({ ACCOUNT_SYNC_URL, ACCOUNT_SYNC_KEY: key });
    expect([forbidden.status, forbidden.stdout]).toEqual([2, '']);
    expect(forbidden.stderr).toContain('returned 403');
    expect(forbidden.stderr).toContain('admin');
  });
});
