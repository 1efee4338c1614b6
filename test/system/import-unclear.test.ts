import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller } from '../cli/import-caller.js';

const free = (some: string) =>
  `Fields not mapped yet: ${some}, custom_Is_Valid, custom_External_Created_On, custom_External_Created_At, custom_Region, custom_region`;

describe('import sends nothing, and shows what to do,', () => {
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

  it('for an unknown column, after it has shown the known ones', async () => {
    const path = await caller.write('accounts.csv', 'Account ID,Größe "(m²)",$HOME`\nacme,1,2\n');
    expect(await caller.import(path)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path}: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).

COLUMN        FIELD       TYPE
Account ID    account_id  id    by its name
Größe "(m²)"  ?
$HOME\`        ?

Column "Größe \\"(m²)\\"" is unknown. Add --map "Größe \\"(m²)\\"=custom_Größe_m²" to send it, or --ignore "Größe \\"(m²)\\""
Column "\\$HOME\\\`" is unknown. Add --map "\\$HOME\\\`=custom_HOME" to send it, or --ignore "\\$HOME\\\`"
To leave out all 2 unknown columns, add --ignore '*'. To propose attributes for them, add --declare
${free('parent_account_id, name, licenses')}
`,
    });
  });

  it.each<[what: string, content: string, args: string[], sentences: string[]]>([
    [
      'if two fields have the spelling of a column',
      'account_id,REGION\nacme,x\n',
      [],
      [
        'Column "REGION" is unknown. Add --map "REGION=custom_REGION" to send it, or --ignore "REGION"',
        free('parent_account_id, name, licenses'),
      ],
    ],
    [
      'if two columns map to one field',
      'Account ID,account_id\nacme,acme\n',
      [],
      [
        'Column "Account ID" maps to account_id, as does "account_id". Add --map "Account ID=custom_Account_ID" to send it, or --ignore "Account ID"',
      ],
    ],
    [
      'if two columns have the same name',
      'account_id,name,name\nacme,a,b\n',
      [],
      ['Several columns are named "name". Rename them, or add --ignore "name"'],
    ],
    [
      'for read-only fields and __proto__',
      'account_id,updated_at,Score,__proto__\nacme,2027-01-31,1,x\n',
      ['--map', '*'],
      [
        'updated_at is read-only. Add --ignore "updated_at"',
        'custom_Score is read-only. Add --ignore "Score"',
        'No field can be named __proto__. Add --ignore "__proto__"',
      ],
    ],
    [
      'if --map names a missing column, and account_id is missing',
      'name;licenses\nAcme;1\n',
      ['--map', 'Seats=custom_Seats'],
      [
        'The file has no column "Seats", which --map names. Check the name.',
        'No column is mapped to account_id. Name one with: --map "column=account_id"',
        free('account_id, parent_account_id'),
      ],
    ],
    [
      'if JSON has an unknown field, and account_id is missing',
      '{"name":"Acme","colour":"red"}\n',
      [],
      [
        'Field "colour" is unknown. Add --map "colour=custom_colour" to send it, or --ignore "colour"',
        'No field is mapped to account_id. Name one with: --map "field=account_id"',
        free('account_id, parent_account_id, licenses'),
      ],
    ],
    [
      'if --map names no field',
      'account_id,Seats\nacme,1\n',
      ['--map', 'Seats'],
      ['--map needs "column=field", for example --map "Seats=licenses"; it is "Seats".'],
    ],
    [
      'if the mapping file is missing',
      'account_id\nacme\n',
      ['--mapping', '/does/not/exist'],
      ["Cannot read the mapping file: ENOENT: no such file or directory, open '/does/not/exist'."],
    ],
    [
      'if the rejected rows cannot be written',
      'account_id\nacme\n',
      ['--rejects', '/does/not/exist'],
      [
        "Cannot write the rejected rows: ENOENT: no such file or directory, open '/does/not/exist'. Choose another file with --rejects <file>.",
      ],
    ],
    [
      'if a dry run is resumed',
      'account_id\nacme\n',
      ['--dry-run', '--resume'],
      ['A dry run cannot be resumed. Run it from the beginning, without --resume.'],
    ],
  ])('%s', async (_what, content, args, sentences) => {
    const path = await caller.write('accounts', content);
    const stderr = sentences.map((sentence) => `${sentence}\n`).join('');
    expect(await caller.import(path, ...args, '--quiet')).toEqual({ status: 2, stdout: '', stderr });
  });

  it('if rejected rows would overwrite the file, or the mapping is invalid', async () => {
    const path = await caller.write('accounts.csv', 'account_id\nacme\n');
    expect(await caller.import(path, '--rejects', path, '--quiet')).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path} is the imported file. Choose another file for rejected rows with --rejects.\n`,
    });
    expect(await caller.import(path, '--mapping', path)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path} must contain a JSON object that maps each column to a field, or to null if it is not sent: {"Seats": "licenses", "Renewal": {"field": "custom_Renewal", "convert": "mdy"}, "Notes": null}\n`,
    });
  });
});
