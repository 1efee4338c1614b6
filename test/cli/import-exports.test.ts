import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXPORTS, type ExportName, expectedAccounts, readExport } from './exported-companies.js';
import { ImportCaller } from './import-caller.js';

const NAMES = Object.keys(EXPORTS) as ExportName[];

/** What a user adds to the command: a type that the values do not show, and the parent that Stripe does not have. */
const OPTIONS: Partial<Record<ExportName, readonly string[]>> = {
  'salesforce-data-export': ['--type', 'custom_Active=boolean'],
  'stripe-customers': ['--map', 'parent_customer (metadata)=parent_account_id'],
};
const SYSTEMS: Record<ExportName, string> = {
  'salesforce-data-export': 'salesforce',
  'salesforce-report': 'salesforce',
  'hubspot-companies': 'hubspot',
  'stripe-customers': 'stripe',
  'pipedrive-organizations': 'pipedrive',
};

let caller: ImportCaller;
beforeAll(async () => {
  caller = await ImportCaller.start([], undefined, [...NAMES, 'partly', 'short', 'none', 'override']);
  for (const name of NAMES) await caller.write(`${name}.csv`, await readExport(`${name}.csv`));
});
afterAll(() => caller.end());

describe.each(NAMES)('the export %s', (name) => {
  const mapping = (OPTIONS[name] ?? []).filter((_, __, options) => options[0] === '--map');

  it('is recognised, shown as a plan, and stored with whole values', async () => {
    const admin = await caller.ofTenant(name).withScopes('sync', 'read', 'admin');
    const file = caller.path(`${name}.csv`);
    const { status, stdout, stderr } = await admin.import(file, '--declare', ...(OPTIONS[name] ?? []));
    expect(stderr.replace(file, 'FILE')).toBe(await readExport(`plans/${name}.txt`));
    expect([status, stdout]).toEqual([0, '25 records: 25 created, 0 updated, 0 unchanged, 0 rejected.\n']);
    expect(await admin.stored()).toEqual(await expectedAccounts(name));
  });

  it('changes nothing when it is imported again, with an ordinary key and without --declare', async () => {
    const { status, stdout } = await caller.ofTenant(name).import(caller.path(`${name}.csv`), ...mapping);
    expect([status, stdout]).toEqual([0, '25 records: 0 created, 0 updated, 25 unchanged, 0 rejected.\n']);
  });

  it('has the same plan when --from names the system', async () => {
    const file = caller.path(`${name}.csv`);
    const recognised = await caller.ofTenant(name).import(file, '--dry-run', ...mapping);
    const named = await caller.ofTenant(name).import(file, '--dry-run', ...mapping, '--from', SYSTEMS[name]);
    expect(named).toEqual(recognised);
  });
});

describe('an export of a known system', () => {
  it('stops for columns whose attributes are not declared, and stores the declared ones with --ignore *', async () => {
    const admin = await caller.ofTenant('partly').withScopes('admin');
    await admin.client.setAttribute('custom_Tier', { type: 'choice', choices: ['gold', 'silver', 'bronze'] });
    await admin.client.setAttribute('custom_Renewal_Date', { type: 'date' });
    await admin.client.setAttribute('custom_Active', { type: 'boolean' });
    const partly = caller.ofTenant('partly');
    const file = caller.path('salesforce-report.csv');
    const { status, stdout, stderr } = await partly.import(file);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.slice(stderr.indexOf('Seats  '))).toBe(`Seats                    ?
Renewal Date             custom_Renewal_Date         date                          by its name
Active                   custom_Active               boolean                       by its name
Tier                     custom_Tier                 choice: gold, silver, bronze  Salesforce
Key Account              ?
Next Review              ?

13 columns are not sent, because their attributes are not declared. --declare proposes types for them and declares them.

Column "Seats" is unknown. Add --map "Seats=custom_Seats" to send it, or --ignore "Seats"
Column "Key Account" is unknown. Add --map "Key Account=custom_Key_Account" to send it, or --ignore "Key Account"
Column "Next Review" is unknown. Add --map "Next Review=custom_Next_Review" to send it, or --ignore "Next Review"
To leave out all 3 unknown columns, add --ignore '*'. To propose attributes for them, add --declare
Fields not mapped yet: licenses, custom_Is_Valid, custom_External_Created_At
`);
    expect(await partly.stored()).toEqual([]);
    expect(await partly.import(file, '--ignore', '*')).toMatchObject({ status: 0 });
    const sent = ['custom_External_Created_On', 'custom_Renewal_Date', 'custom_Active', 'custom_Tier'];
    const expected = (await expectedAccounts('salesforce-report')).map(({ fields, ...account }) => {
      const values = Object.entries(fields).filter(([field]) => sent.includes(field));
      const stored = values.map(([field, value]) => [
        field,
        field === 'custom_Tier' ? String(value).toLowerCase() : value,
      ]);
      return { ...account, fields: Object.fromEntries(stored) };
    });
    expect(await partly.stored()).toEqual(expected);
  });

  it('that has too few columns to be recognised is one with --from', async () => {
    const short = caller.ofTenant('short');
    const file = await caller.write(
      'short.csv',
      'Id,Name,ParentId\n0015e00000Kq7Xa,Acme,\n0015e00000Kq7XA,Acme Berlin,0015e00000Kq7Xa\n',
    );
    const dryRun = await short.import(file, '--dry-run');
    expect(dryRun).toEqual({
      status: 1,
      stdout: `2 records, nothing stored: 1 would be created, 0 updated, 0 unchanged, 1 rejected.

REJECTED  REASON
1         account_id and parent_account_id can't be same.
            line 3, 0015e00000Kq7XA: "0015e00000Kq7Xa"
`,
      stderr: `${file}: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).

COLUMN    FIELD              TYPE
Id        account_id         id    by its name
Name      name               text  by its name
ParentId  parent_account_id  id    by its name

1 row has an id that differs from that of an earlier row only by case or Unicode form, which is the same account: 0015e00000Kq7XA in line 3, as in line 2.

`,
    });
    expect(await short.import(file, '--from', 'salesforce')).toEqual({
      status: 0,
      stdout: '2 records: 2 created, 0 updated, 0 unchanged, 0 rejected.\n',
      stderr: `${file}: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).
Columns are mapped as in exports of Salesforce; --from none does not do that.

COLUMN    FIELD              TYPE
Id        account_id         id    Salesforce
Name      name               text  Salesforce
ParentId  parent_account_id  id    Salesforce

CONVERTED  VALUES  HOW                                      FOR EXAMPLE
Id         2       Salesforce ids in the form without case  0015e00000Kq7Xa → 0015e00000Kq7XaAAJ
ParentId   1       Salesforce ids in the form without case  0015e00000Kq7Xa → 0015e00000Kq7XaAAJ

`,
    });
    expect(await short.stored()).toEqual([
      { account_id: '0015e00000kq7xaaaj', parent_account_id: null, name: 'Acme', fields: {} },
      {
        account_id: '0015e00000kq7xaaaz',
        parent_account_id: '0015e00000kq7xaaaj',
        name: 'Acme Berlin',
        fields: {},
      },
    ]);
  });

  it('is a file like any other with --from none', async () => {
    const none = caller.ofTenant('none');
    const file = caller.path('stripe-customers.csv');
    const unclear = await none.import(file, '--from', 'none', '--json');
    expect([unclear.status, unclear.stderr]).toEqual([2, '']);
    expect(JSON.parse(unclear.stdout).problem).toContain(
      'Column "Created (UTC)" is unknown. Add --map "Created (UTC)=custom_Created_UTC" to send it, or --ignore "Created (UTC)"\n',
    );
    const { status, stdout } = await none.import(file, '--from', 'none', '--ignore', '*', '--json');
    const { columns } = JSON.parse(stdout) as { columns: { column: string; field: string | null }[] };
    expect(status).toBe(0);
    expect(columns.filter(({ field }) => field !== null)).toEqual([
      { column: 'id', field: 'account_id', type: 'id', conversions: [] },
      { column: 'Name', field: 'name', type: 'text', conversions: [] },
    ]);
  });

  it('is sent as --map and --ignore say where they differ', async () => {
    const override = caller.ofTenant('override');
    const file = caller.path('hubspot-companies.csv');
    const options = ['--map', 'Company owner=custom_Manager', '--ignore', 'Create Date', '--ignore', '*'];
    const { status, stdout } = await override.import(file, ...options);
    expect([status, stdout]).toEqual([0, '25 records: 25 created, 0 updated, 0 unchanged, 0 rejected.\n']);
    const expected = (await expectedAccounts('hubspot-companies')).map(({ fields, ...account }) => ({
      ...account,
      fields: fields.custom_Owner === undefined ? {} : { custom_Manager: fields.custom_Owner },
    }));
    expect(await override.stored()).toEqual(expected);
  });
});
