import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccountSync, type Attributes, ForbiddenError } from '@account-sync/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attribute } from '../../../test/support/import-parts.js';
import { CommandFailed } from '../terminal/command-line.js';
import { StatusLine } from '../terminal/status-line.js';
import type { ImportOptions } from './import-options.js';
import { type ImportPlan, planImport } from './import-plan.js';
import { openImportFile } from './open-import-file.js';

let directory: string;
/** The attributes that were declared. */
let declared: [name: string, body: unknown][];
/** What was shown. */
let logged: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  declared = [];
  logged = '';
});
afterEach(() => rmSync(directory, { recursive: true }));

const SCHEMA: Attributes = {
  data: [
    attribute('licenses', 'integer'),
    attribute('custom_Tier', 'choice', { choices: ['gold', 'silver'] }),
    attribute('custom_Renewal', 'date'),
  ],
  undeclared: [],
};

class TestLine extends StatusLine {
  override log(message: string): void {
    logged += `${message}\n`;
  }
}

interface Given extends Partial<ImportOptions> {
  /** The answer to a declaration. */
  readonly setAttribute?: () => Promise<never>;
  /** `null` if the key lacks the scope `read`. */
  readonly schema?: Attributes | null;
}

async function planned(
  text: string,
  { setAttribute, schema = SCHEMA, ...options }: Given = {},
): Promise<ImportPlan> {
  const path = join(directory, 'accounts.csv');
  writeFileSync(path, text);
  const client = {
    async *upsertChunks() {
      yield [{ index: 0, account_id: 'trial', status: 'created', changed: [] }];
    },
    setAttribute: setAttribute ?? (async (name: string, body: unknown) => declared.push([name, body])),
  } as unknown as AccountSync;
  const importFile = await openImportFile(path, {});
  try {
    return await planImport({
      importFile: { ...importFile, name: 'accounts.csv', text: () => importFile.text() },
      schema: schema ?? undefined,
      client,
      options: {
        empty: 'clear',
        maxRejected: 50,
        concurrency: 4,
        giveUpAfter: 1,
        ...options,
      } as ImportOptions,
      line: new TestLine({ isQuiet: true }),
    });
  } finally {
    await importFile.close();
  }
}

const TEXT = `Account ID;Licences;Tier;Renewal;Owner
acme;1,200;Gold;1/31/2027;Jo
globex;12 seats;Platinum;3/4/2027;Ann
`;
const OPTIONS = { ignore: ['Owner'], convert: ['licenses=12 seats:12', 'custom_Tier=Platinum:gold'] };

/** The forms that are needed for each field. */
const formsOf = ({ conversions }: ImportPlan) =>
  [...conversions].map(([field, { uses }]) => [field, uses.map(({ reading }) => reading.name)]);

describe('the plan of an import', () => {
  it('is shown before anything is sent', async () => {
    await planned(TEXT, OPTIONS);
    expect(logged).toBe(`\
accounts.csv: CSV, separated by semicolons. An empty cell clears the stored value (--empty keep keeps it).

COLUMN      FIELD           TYPE
Account ID  account_id      id                    by its name
Licences    licenses        integer               by its name
Tier        custom_Tier     choice: gold, silver  by its name
Renewal     custom_Renewal  date                  by its name
Owner       – not sent                            --ignore

CONVERTED  VALUES  HOW                       FOR EXAMPLE
Licences   1       commas between thousands  1,200 → 1200
Tier       1       case ignored              Gold → gold
Renewal    2       month/day/year            1/31/2027 → 2027-01-31, 3/4/2027 → 2027-03-04

`);
  });

  it.each<[string, string, Given, string[]]>([
    [
      'has unclear columns',
      TEXT,
      {},
      [
        'Column "Owner" is unknown. Add --map "Owner=custom_Owner" to send it, or --ignore "Owner"',
        'Fields not mapped yet: parent_account_id, name',
      ],
    ],
    [
      'has unclear values',
      'account_id,Renewal,licenses\na,3/4/2027,1.000\n',
      {},
      [
        'Column "Renewal" can be read in two ways: "3/4/2027" is "2027-03-04" (mdy) or "2027-04-03" (dmy). No other value of the column decides it. Add --dates mdy or --dates dmy',
        'Column "licenses" can be read in two ways: "1.000" is 1 (as-is) or 1000 (1.000,00). No other value of the column decides it. Add --convert "licenses=as-is" or --convert "licenses=1.000,00"',
      ],
    ],
    [
      'has no rows',
      'account_id\n',
      {},
      ['accounts.csv has a header, but no rows, so nothing was sent. Check that the export was complete.'],
    ],
    ['has no rows in an array', '[]', {}, ['accounts.csv contains no records.']],
  ])('is none if the file %s', async (_what, text, options, problems) => {
    const saveMapping = join(directory, 'mapping.json');
    await expect(planned(text, { ...options, saveMapping, declare: false })).rejects.toThrow(
      new CommandFailed(problems.join('\n')),
    );
    expect(() => readFileSync(saveMapping)).toThrow('ENOENT');
  });
});

describe('a saved mapping', () => {
  const path = () => join(directory, 'mapping.json');
  const saved = () => readFileSync(path(), 'utf8');

  it('has all columns, and how their values were converted', async () => {
    await planned(TEXT, { ...OPTIONS, saveMapping: path() });
    expect(saved()).toBe(`{
  "Account ID": "account_id",
  "Licences": {"field":"licenses","convert":"1,000.00","values":{"12 seats":"12"}},
  "Tier": {"field":"custom_Tier","convert":"ignore-case","values":{"Platinum":"gold"}},
  "Renewal": {"field":"custom_Renewal","convert":"mdy"},
  "Owner": null
}
`);
  });

  it.each<[string, string, Given, next: string]>([
    ['of dates', TEXT, OPTIONS, 'Account ID;Licences;Tier;Renewal;Owner\na;1;gold;3/4/2027;Jo\n'],
    [
      'of days of times',
      'account_id,Renewal\na,31/1/2027 10:00\nb,2027-01-31 10:00\n',
      { convert: ['custom_Renewal=day'] },
      'account_id,Renewal\na,3/4/2027 10:00\nb,2027-01-31 10:00\n',
    ],
    [
      'of ids that are replaced',
      'Account ID,Name\nold,x\n',
      { convert: ['account_id=old:new'] },
      'Account ID,Name\n001A000000aBcDe,x\n',
    ],
  ])('%s gives the same plan for another file', async (_what, text, options, next) => {
    const first = await planned(text, { ...options, saveMapping: path() });
    const mapping = saved();
    const second = await planned(next, { mapping: path(), saveMapping: path() });
    expect(saved()).toBe(mapping);
    const fields = new Map(formsOf(first) as [string, string[]][]);
    for (const [field, forms] of formsOf(second) as [string, string[]][]) {
      expect(fields.get(field)).toEqual(expect.arrayContaining(forms));
    }
  });
});

describe('new attributes', () => {
  const rows = [1, 2, 3, 4].map((at) => `a${at},Yes,x,\nb${at},No,y,\n`);
  const NEW = `account_id,Active,Plan,Fax\n${rows.join('')}`;
  const PLANNED = `\
NEW ATTRIBUTE  TYPE          FROM
custom_Active  boolean       Active
custom_Plan    choice: x, y  Plan

Not sent and not declared, because they have no values: Fax
`;

  it('are declared', async () => {
    await planned(NEW, { declare: true });
    expect(declared).toEqual([
      ['custom_Active', { type: 'boolean' }],
      ['custom_Plan', { type: 'choice', choices: ['x', 'y'] }],
    ]);
    expect(logged).toContain(`${PLANNED}\nDeclared custom_Active, custom_Plan.\n`);
  });

  it('are only shown by a dry run', async () => {
    await planned(NEW, { declare: true, dryRun: true });
    expect(declared).toEqual([]);
    expect(logged).toContain(
      `${PLANNED}\nA dry run declares no attribute. To give one another type, add --type "field=type"\n`,
    );
  });

  it('stop before the first is declared if there would be more than a tenant can have', async () => {
    const existing = (count: number): Attributes => ({
      data: Array.from({ length: count }, (_, at) => attribute(`custom_A${at}`, 'text')).concat(
        attribute('licenses', 'integer', { built_in: true }),
      ),
      undeclared: [],
    });
    const tooMany = new CommandFailed(
      '--declare would declare 2 attributes beside the 999 that exist, and a tenant has at most 1,000. Nothing was declared or sent. Leave out columns with --ignore <column>, or remove attributes that are no longer needed.',
    );
    const options = { declare: true, schema: existing(999) };
    await expect(planned(NEW, options)).rejects.toThrow(tooMany);
    await expect(planned(NEW, { ...options, dryRun: true })).rejects.toThrow(tooMany);
    expect(declared).toEqual([]);
    await planned(NEW, { declare: true, schema: existing(998) });
    expect(declared).toHaveLength(2);
  });

  it('need a key that sees which attributes exist: others would be declared again, with another type', async () => {
    const problem = new CommandFailed(
      'The key lacks the scope read, so --declare cannot see which attributes exist already, and nothing was declared or sent. Create a key that can, on the server: account-sync key create <tenant> --label import --scope sync read admin',
    );
    await expect(planned(NEW, { declare: true, schema: null })).rejects.toThrow(problem);
    await expect(planned(NEW, { declare: true, dryRun: true, schema: null })).rejects.toThrow(problem);
    expect([declared, logged]).toEqual([[], '']);
  });

  it('need a key that may declare them', async () => {
    const setAttribute = () => Promise.reject(Object.create(ForbiddenError.prototype) as ForbiddenError);
    await expect(planned(NEW, { declare: true, setAttribute })).rejects.toThrow(
      new CommandFailed(
        'The key lacks the scope admin, so it cannot declare attributes, and nothing was sent. Create a key that can, on the server: account-sync key create <tenant> --label import --scope sync read admin',
      ),
    );
  });
});
