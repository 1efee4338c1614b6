import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.js';
import { type CrmRow, crmFile, crmRows, DECLARED, HEADER, rowText } from './crm-export.js';
import { ImportCaller } from './import-caller.js';

const ROWS = crmRows(300, 20_270_131);
const { text: CRM, rejected: REJECTED } = crmFile(ROWS);

/** Rejected rows quote every cell that a spreadsheet could misread. */
const rejectedText = (cells: readonly string[]) => rowText(cells, /[",;|\t\r\n]|^\s|\s$/);
const REJECTS = [
  `\ufeff${rejectedText(['rejected_line', 'rejected_id', 'rejected_because', ...HEADER])}`,
  ...REJECTED.map(({ line, fault: { id, because, row } }) => {
    const text = typeof row === 'string' ? row : rejectedText(row);
    return `${rejectedText([String(line), id, because])};${text}`;
  }),
  '',
].join('\r\n');

const expected = (rows: readonly CrmRow[]) =>
  [...new Map(rows.map(({ stored }) => [stored.account_id, stored])).values()].sort((a, b) =>
    a.account_id < b.account_id ? -1 : 1,
  );

/** The hidden one has the hash of the rejected rows, to see whether they were edited. */
const FILES = ['.crm.rejects.csv.sha256', 'crm.csv', 'crm.rejects.csv'];

const COLUMNS = `COLUMN               FIELD                       TYPE
Account ID           account_id                  id                            by its name
Account Name         name                        text                          by its name
Parent Account ID    parent_account_id           id                            by its name
Licenses             licenses                    integer                       by its name
Is Valid?            custom_Is_Valid             boolean                       by its name
External Created On  custom_External_Created_On  date                          by its name
External Created At  custom_External_Created_At  datetime                      by its name
Segment              custom_Segment              choice: gold, silver, bronze  by its name
custom_revenue       custom_Revenue              decimal                       by its name
NOTES                custom_Notes                text                          by its name
Branche              custom_Industry             any: not declared             --map
Row                  – not sent                                                --ignore

1 row has an id that an earlier row has; the later row wins: CRM-1 in line 396, as in line 2.
`;

const REASONS = `REJECTED  REASON
3         Account …, licenses has invalid integer value.
            line 26, CRM-20: "many"
            line 207, crm-160: "1.000,5"
            Accepted: a whole number: 12, -3, 1,000
            Add --convert "licenses=many:…" with the value to send instead, or --ignore "Licenses" to leave the column out
2         Account …, custom_Is_Valid has invalid boolean value.
            line 54, CRM-40: "maybe"
            Accepted: true or false, 1 or 0, yes or no
            Add --convert "custom_Is_Valid=maybe:…" with the value to send instead, or --ignore "Is Valid?" to leave the column out
2         Account …, custom_External_Created_On has invalid date value.
            line 78, crm-60: "31.02.2021"
            Accepted: a day: 2015-01-31, 1/31/2015, 31.01.2015, 31 Jan 2015
            Add --convert "custom_External_Created_On=31.02.2021:…" with the value to send instead, or --ignore "External Created On" to leave the column out
2         account_id and parent_account_id can't be same.
            line 103, CRM-80: "crm-80"
            line 366, CRM-280: "crm-280"
2         account_id does not exist.
            line 127: ""
1         The name may not be greater than 191 characters.
            line 154, CRM-120: "${'🚀'.repeat(29)}…
1         account_id blocked by system.
            line 180, N/A: " N/A "
1         Account …, custom_Segment has invalid choice value.
            line 207, crm-160: "Platinum"
            Accepted: one of gold, silver, bronze
            Add --convert "custom_Segment=Platinum:…" with the value to send instead, or --ignore "Segment" to leave the column out
1         Account …, custom_Revenue has invalid decimal value.
            line 207, crm-160: "12,5,0"
            Accepted: a number: 12.5, -3, 1,000.50
            Add --convert "custom_Revenue=12,5,0:…" with the value to send instead, or --ignore "custom_revenue" to leave the column out
1         The row has 11 cells, the header 12.
            line 232
and 1 more reason
`;

describe.each(databases)('import of a CRM export into a server on %s', (_name, createDatabase) => {
  let caller: ImportCaller;
  let file: string;
  let rejects: string;
  beforeAll(async () => {
    caller = await ImportCaller.start(DECLARED, createDatabase);
    file = await caller.write('crm.csv', CRM);
    rejects = caller.path('crm.rejects.csv');
  });
  afterAll(() => caller.end());

  const imported = (path: string) =>
    caller.import(path, '--map', 'Branche=custom_Industry', '--ignore', 'Row');

  const outcome = (counts: string) => ({
    status: 1,
    stdout: `${counts}\n\n${REASONS}\nThe rejected rows are in ${rejects}. Correct them there and import that file.\n`,
    stderr: `${file}: CSV, separated by semicolons. An empty cell clears the stored value (--empty keep keeps it).\n\n${COLUMNS}\n`,
  });

  it('stores every valid row, and saves the others in a file', async () => {
    expect(await imported(file)).toEqual(
      outcome('301 records: 285 created, 0 updated, 1 unchanged, 15 rejected.'),
    );
    expect(await caller.stored()).toEqual(expected(ROWS.filter(({ fault }) => fault === undefined)));
    expect(await readFile(rejects, 'utf8')).toBe(REJECTS);
    expect(await caller.files()).toEqual(FILES);
  });

  it('changes nothing the second time, and rejects the same rows again', async () => {
    const { next } = await caller.changes();
    expect(await imported(file)).toEqual(
      outcome('301 records: 0 created, 0 updated, 286 unchanged, 15 rejected.'),
    );
    expect(await caller.changes(next)).toEqual({ data: [], next, has_more: false });
    expect(await readFile(rejects, 'utf8')).toBe(REJECTS);
  });

  it('accepts the rejected rows once they are corrected in their file', async () => {
    let corrected = REJECTS;
    for (const { row, fault } of REJECTED) {
      const text = typeof fault.row === 'string' ? fault.row : rejectedText(fault.row);
      corrected = corrected.replace(text, rejectedText(row.cells));
    }
    await caller.write('crm.rejects.csv', corrected);
    const { status, stdout } = await imported(rejects);
    expect([status, stdout]).toEqual([0, '15 records: 15 created, 0 updated, 0 unchanged, 0 rejected.\n']);
    expect(await caller.stored()).toEqual(expected(ROWS));
    expect(await caller.files()).toEqual(FILES);
  });
});
