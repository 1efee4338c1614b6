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
`;

const REASONS = `REJECTED  REASON                                                         FOR EXAMPLE
3         Account …, licenses has invalid integer value.                 line 26, CRM-20
2         Account …, custom_Is_Valid has invalid boolean value.          line 54, CRM-40
2         Account …, custom_External_Created_On has invalid date value.  line 78, crm-60
2         account_id and parent_account_id can't be same.                line 103, CRM-80
2         account_id does not exist.                                     line 127
1         The name may not be greater than 191 characters.               line 154, CRM-120
1         account_id blocked by system.                                  line 180, N/A
1         Account …, custom_Segment has invalid choice value.            line 207, crm-160
1         Account …, custom_Revenue has invalid decimal value.           line 207, crm-160
1         The row has 11 cells, the header 12.                           line 232
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
    expect(await caller.files()).toEqual(['crm.csv', 'crm.rejects.csv']);
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
    expect(await caller.files()).toEqual(['crm.csv', 'crm.rejects.csv']);
  });
});
