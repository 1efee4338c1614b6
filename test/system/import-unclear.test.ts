import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';

const free = (some: string) =>
  `Fields that nothing is sent as yet: ${some}, custom_Is_Valid, custom_External_Created_On, custom_External_Created_At, custom_Region, custom_region`;

describe('import sends nothing, and says what to do,', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([
      { name: 'custom_Region', type: 'text' },
      { name: 'custom_region', type: 'text' },
      { name: 'custom_Score', type: 'integer', readOnly: true },
    ]);
  });
  afterAll(async () => {
    expect(await caller.stored()).toEqual([]);
    expect((await caller.files()).filter((name) => /rejects|progress/.test(name))).toEqual([]);
    await caller.end();
  });

  it('where a column is not known, after it has said what is', async () => {
    const path = await caller.write('accounts.csv', 'Account ID,Größe "(m²)",$HOME`\nacme,1,2\n');
    expect(await caller.import(path)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path}: CSV, parted by commas. An empty cell clears what is stored (--empty keep leaves it).

COLUMN        FIELD       TYPE
Account ID    account_id  id    by its name
Größe "(m²)"  ?
$HOME\`        ?

Column "Größe \\"(m²)\\"" is not known. Add --map "Größe \\"(m²)\\"=custom_Größe_m²" to send it, or --ignore "Größe \\"(m²)\\""
Column "\\$HOME\\\`" is not known. Add --map "\\$HOME\\\`=custom_HOME" to send it, or --ignore "\\$HOME\\\`"
${free('parent_account_id, name, licenses')}
`,
    });
  });

  it.each<[what: string, content: string, args: string[], sentences: string[]]>([
    [
      'where two fields have the spelling of a column',
      'account_id,REGION\nacme,x\n',
      [],
      [
        'Column "REGION" is not known. Add --map "REGION=custom_REGION" to send it, or --ignore "REGION"',
        free('parent_account_id, name, licenses'),
      ],
    ],
    [
      'where two columns would be one field',
      'Account ID,account_id\nacme,acme\n',
      [],
      [
        'Column "Account ID" would be account_id, as "account_id" is. Add --map "Account ID=custom_Account_ID" to send it, or --ignore "Account ID"',
      ],
    ],
    [
      'where two columns have one name',
      'account_id,name,name\nacme,a,b\n',
      [],
      ['There are several columns "name". Rename them, or add --ignore "name"'],
    ],
    [
      'where the server takes no values for a field, or no object can have it',
      'account_id,updated_at,Score,__proto__\nacme,2027-01-31,1,x\n',
      ['--map', '*'],
      [
        'updated_at cannot be set: the server keeps it. Add --ignore "updated_at"',
        'custom_Score cannot be set: the server keeps it. Add --ignore "Score"',
        'No field can be called __proto__. Add --ignore "__proto__"',
      ],
    ],
    [
      'where --map names a column that is not there, and none is the account',
      'name;licenses\nAcme;1\n',
      ['--map', 'Seats=custom_Seats'],
      [
        'There is no column "Seats", as --map names it.',
        'No column is the account_id. Say which is: --map "column=account_id"',
        free('account_id, parent_account_id'),
      ],
    ],
    [
      'where JSON has a field that is not known, and none is the account',
      '{"name":"Acme","colour":"red"}\n',
      [],
      [
        'Field "colour" is not known. Add --map "colour=custom_colour" to send it, or --ignore "colour"',
        'No field is the account_id. Say which is: --map "field=account_id"',
        free('account_id, parent_account_id, licenses'),
      ],
    ],
    [
      'where --map does not say which field',
      'account_id,Seats\nacme,1\n',
      ['--map', 'Seats'],
      ['--map takes "column=field", as in --map "Seats=licenses"; it is "Seats".'],
    ],
    [
      'where there is no mapping',
      'account_id\nacme\n',
      ['--mapping', '/does/not/exist'],
      ["The mapping cannot be read: ENOENT: no such file or directory, open '/does/not/exist'."],
    ],
    [
      'where refused rows would have no place',
      'account_id\nacme\n',
      ['--rejects', '/does/not/exist'],
      [
        "The refused rows cannot be written: ENOENT: no such file or directory, open '/does/not/exist'. Give --rejects <file>.",
      ],
    ],
    [
      'where a dry run is to be resumed',
      'account_id\nacme\n',
      ['--dry-run', '--resume'],
      ['A dry run cannot be resumed. Run it from its beginning, without --resume.'],
    ],
  ])('%s', async (_what, content, args, sentences) => {
    const path = await caller.write('accounts', content);
    const stderr = sentences.map((sentence) => `${sentence}\n`).join('');
    expect(await caller.import(path, ...args, '--quiet')).toEqual({ status: 2, stdout: '', stderr });
  });

  it('where refused rows would overwrite the file, or a mapping is none', async () => {
    const path = await caller.write('accounts.csv', 'account_id\nacme\n');
    expect(await caller.import(path, '--rejects', path, '--quiet')).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path} is the file that is imported: give another for refused rows with --rejects.\n`,
    });
    expect(await caller.import(path, '--mapping', path)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path} must hold a JSON object of columns and their fields, null for those that are not sent: {"Seats": "licenses", "Notes": null}\n`,
    });
  });
});
