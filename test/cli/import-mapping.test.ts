import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller, type Stored } from './import-caller.js';

const CREATED = '1 record: 1 created, 0 updated, 0 unchanged, 0 rejected.\n';
const CLEARS = 'An empty cell clears the stored value (--empty keep keeps it).';

describe('import sends a column', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([
      { name: 'custom_Tier', type: 'choice', choices: ['gold', 'silver'] },
      { name: 'custom_Annual_Value', type: 'decimal' },
    ]);
  });
  afterAll(() => caller.end());

  interface Case {
    readonly content: string;
    readonly args?: readonly string[];
    readonly plan: string;
    readonly stored: Partial<Stored> & Pick<Stored, 'account_id'>;
  }

  const expectStored = async ({ content, args = [], plan, stored }: Case) => {
    const isCsv = content[0] !== '{';
    const path = await caller.write(`accounts.${isCsv ? 'csv' : 'ndjson'}`, content);
    expect(await caller.import(path, ...args)).toEqual({
      status: 0,
      stdout: CREATED,
      stderr: `${path}: ${isCsv ? `CSV, separated by commas. ${CLEARS}` : 'JSON, one record per line.'}\n\n${plan}\n`,
    });
    const account = { parent_account_id: null, name: null, ...stored };
    expect(await caller.stored({ id_prefix: stored.account_id })).toEqual([account]);
  };

  it('as the field of the same name', () =>
    expectStored({
      content:
        'account_id,parent_account_id,name,licenses,custom_Is_Valid,custom_External_Created_On,custom_Tier\n' +
        'exact,ACME,Acme,25,true,2027-01-31,gold\n',
      plan: `COLUMN                      FIELD                       TYPE
account_id                  account_id                  id
parent_account_id           parent_account_id           id
name                        name                        text
licenses                    licenses                    integer
custom_Is_Valid             custom_Is_Valid             boolean
custom_External_Created_On  custom_External_Created_On  date
custom_Tier                 custom_Tier                 choice: gold, silver
`,
      stored: {
        account_id: 'exact',
        parent_account_id: 'acme',
        name: 'Acme',
        fields: {
          licenses: 25,
          custom_Is_Valid: true,
          custom_External_Created_On: '2027-01-31',
          custom_Tier: 'gold',
        },
      },
    }));

  it('as the field with another spelling of its name', () =>
    expectStored({
      content:
        'ID,Parent Id,AccountName, LICENSES ,is-valid,External Created At,TIER,Annual Value\n' +
        'variants,acme,Acme,25,1,2027-01-31 10:00,silver,.5\n',
      plan: `COLUMN               FIELD                       TYPE
ID                   account_id                  id                    by its name
Parent Id            parent_account_id           id                    by its name
AccountName          name                        text                  by its name
 LICENSES            licenses                    integer               by its name
is-valid             custom_Is_Valid             boolean               by its name
External Created At  custom_External_Created_At  datetime              by its name
TIER                 custom_Tier                 choice: gold, silver  by its name
Annual Value         custom_Annual_Value         decimal               by its name
`,
      stored: {
        account_id: 'variants',
        parent_account_id: 'acme',
        name: 'Acme',
        fields: {
          licenses: 25,
          custom_Is_Valid: true,
          custom_External_Created_At: '2027-01-31T10:00:00.000Z',
          custom_Tier: 'silver',
          custom_Annual_Value: 0.5,
        },
      },
    }));

  it('as set by --map and --mapping, with the command line first, and not with --ignore', async () => {
    const mapping = await caller.write(
      'mapping.json',
      '\ufeff{"Seats":"custom_Seats","Firma ":"name","Notiz":null,"Tier":null,"Alt":"custom_Alt"}',
    );
    const maps = ['--map', ' A=B = account_id ', '--map', 'Tier=custom_Plan', '--map', 'Seats=licenses'];
    await expectStored({
      content: 'A=B,Firma,Seats,Notiz,Tier,Alt,\nmapped,Acme,025,secret,gold,old,\n',
      args: ['--mapping', mapping, ...maps, '--ignore', 'Alt'],
      plan: `COLUMN     FIELD        TYPE
A=B        account_id   id                 --map
Firma      name         text               --map
Seats      licenses     integer            --map
Notiz      – not sent                      --ignore
Tier       custom_Plan  any: not declared  --map
Alt        – not sent                      --ignore
(no name)  – not sent                      no name
`,
      stored: { account_id: 'mapped', name: 'Acme', fields: { licenses: 25, custom_Plan: 'gold' } },
    });
  });

  it('as the field that --map names, and asks about the column that has its name', async () => {
    const path = await caller.write('accounts.csv', 'account_id,CRM key,licenses\n1,acme,25\n');
    const map = ['--map', 'CRM key=account_id'];
    expect(await caller.import(path, ...map)).toEqual({
      status: 2,
      stdout: '',
      stderr: `${path}: CSV, separated by commas. ${CLEARS}

COLUMN      FIELD       TYPE
account_id  ?
CRM key     account_id  id       --map
licenses    licenses    integer

Column "account_id" maps to account_id, as does "CRM key". Add --map "account_id=custom_account_id" to send it, or --ignore "account_id"
`,
    });
    expect(await caller.import(path, ...map, '--ignore', 'account_id')).toMatchObject({
      status: 0,
      stdout: CREATED,
    });
  });

  it('under its own name with --map *, and JSON cells as JSON', () =>
    expectStored({
      content: 'account id,Größe,deep:json,toString,Notiz\nstar,12,"{""a"":[1,-0.5,null]}",x,secret\n',
      args: ['--map', '*', '--ignore', 'Notiz'],
      plan: `COLUMN      FIELD       TYPE
account id  account_id  id                 by its name
Größe       Größe       any: not declared  --map
deep:json   deep        any: not declared  --map
toString    toString    any: not declared  --map
Notiz       – not sent                     --ignore
`,
      stored: {
        account_id: 'star',
        fields: JSON.parse('{"Größe":"12","deep":{"a":[1,-0.5,null]},"toString":"x"}'),
      },
    }));

  it('not at all if it is unknown, with --ignore *', () =>
    expectStored({
      content: '{"account_id":"ignored","Colour":"red","Tier":"gold","depth":{"a":1}}\n',
      args: ['--ignore', '*'],
      plan: `FIELD IN FILE  FIELD        TYPE
account_id     account_id   id
Colour         – not sent                         --ignore
Tier           custom_Tier  choice: gold, silver  by its name
depth          – not sent                         --ignore
`,
      stored: { account_id: 'ignored', fields: { custom_Tier: 'gold' } },
    }));
});
