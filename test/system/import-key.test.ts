import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';
import { runJson, type Settings } from '../support/service.js';

describe('import needs', () => {
  let caller: ImportCaller;
  let file: string;
  beforeAll(async () => {
    caller = await ImportCaller.start([{ name: 'custom_Tier', type: 'text' }]);
    file = await caller.write('accounts.csv', 'account_id,Tier\nacme,gold\n');
  });
  afterAll(() => caller.end());

  const keyOf = async (scope: string): Promise<Settings> => {
    const { key } = await runJson(caller.database.settings, 'key', 'create', 'acme', '--scope', scope);
    return { ...caller.settings, ACCOUNT_SYNC_KEY: key };
  };
  const failure = async (settings: Settings, ...args: string[]) => {
    const { status, stdout, stderr } = await caller.importBy(settings, file, '--quiet', ...args);
    return [status, stdout, stderr];
  };

  it('an address and a key', async () => {
    const { ACCOUNT_SYNC_URL = '', ACCOUNT_SYNC_KEY = '' } = caller.settings;
    expect(await failure({ ACCOUNT_SYNC_KEY })).toEqual([
      2,
      '',
      'The server address is missing. Set --url http://host:port or ACCOUNT_SYNC_URL.\n',
    ]);
    expect(await failure({ ACCOUNT_SYNC_URL })).toEqual([
      2,
      '',
      'The API key is missing. Set --key-file <path> or ACCOUNT_SYNC_KEY.\n',
    ]);
    expect(await failure({ ACCOUNT_SYNC_KEY }, '--url', 'somewhere')).toEqual([
      2,
      '',
      'Cannot connect to the server: Invalid URL\n',
    ]);
    expect(await failure({ ACCOUNT_SYNC_URL, ACCOUNT_SYNC_KEY: 'acs_x' })).toEqual([
      2,
      '',
      expect.stringMatching(
        /^GET http.* returned 401: .* Check the key, and that it belongs to this host\. \(request .*\)\n$/,
      ),
    ]);
  });

  it('a key with the scope sync', async () => {
    expect(await failure(await keyOf('read'))).toEqual([
      2,
      '',
      expect.stringMatching(
        /^POST http.* returned 403: This key lacks the scope sync\. Use a key with that scope\. \(request .*\)\n$/,
      ),
    ]);
    expect(await caller.stored()).toEqual([]);
  });

  it('nothing else: without the scope read, columns are named by --map', async () => {
    const settings = await keyOf('sync');
    const unread =
      'The key lacks the scope read, so only built-in fields are known. Name other fields with --map.\n';
    const taken = `${file}: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).\n`;
    expect(await caller.importBy(settings, file)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${unread}${taken}
COLUMN      FIELD       TYPE
account_id  account_id  id
Tier        ?

Column "Tier" is unknown. Add --map "Tier=custom_Tier" to send it, or --ignore "Tier"
Fields not mapped yet: parent_account_id, name, licenses, custom_Is_Valid, custom_External_Created_On, custom_External_Created_At
`,
    });
    expect(await caller.stored()).toEqual([]);
    expect(await caller.importBy(settings, file, '--map', 'Tier=custom_Tier')).toEqual({
      status: 0,
      stdout: '1 record: 1 created, 0 updated, 0 unchanged, 0 rejected.\n',
      stderr: `${unread}${taken}
COLUMN      FIELD        TYPE
account_id  account_id   id
Tier        custom_Tier  any: not declared  --map

`,
    });
    expect(await caller.stored()).toEqual([
      { account_id: 'acme', parent_account_id: null, name: null, fields: { custom_Tier: 'gold' } },
    ]);
  });
});
