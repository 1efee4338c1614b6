import type { Json } from '@account-sync/client';
import { type Fault, faultOf } from './crm-faults.js';
import type { Declaration, Stored } from './import-caller.js';

/** A cell as a CRM writes it, and the expected stored value. */
type Cell = readonly [cell: string, value?: Json];

export interface CrmRow {
  /** The cells of the correct row, and the expected stored account. */
  readonly cells: readonly string[];
  readonly stored: Stored;
  /** The fault in the row of the file, if it has one. */
  readonly fault?: Fault;
}

const SEGMENTS = ['gold', 'silver', 'bronze'];
export const DECLARED: readonly Declaration[] = [
  { name: 'custom_Segment', type: 'choice', choices: SEGMENTS },
  { name: 'custom_Revenue', type: 'decimal' },
  { name: 'custom_Notes', type: 'text' },
];

const FIELDS = {
  Licenses: 'licenses',
  'Is Valid?': 'custom_Is_Valid',
  'External Created On': 'custom_External_Created_On',
  'External Created At': 'custom_External_Created_At',
  Segment: 'custom_Segment',
  custom_revenue: 'custom_Revenue',
  NOTES: 'custom_Notes',
  Branche: 'custom_Industry',
};
export const HEADER = ['Account ID', 'Account Name', 'Parent Account ID', ...Object.keys(FIELDS), 'Row'];

const IDS: readonly ((n: number) => Cell)[] = [
  (n) => [`CRM-${n}`, `crm-${n}`],
  (n) => [` crm-${n} `, `crm-${n}`],
  (n) => [`MU\u0308LLER ${n}`, `müller ${n}`],
];
const NAMES: readonly ((n: number) => Cell)[] = [
  (n) => [`Müller & Söhne ${n}`, `Müller & Söhne ${n}`],
  (n) => [`"Acme" Inc. ${n}`, `"Acme" Inc. ${n}`],
  (n) => [`Zwei\nZeilen; ${n}`, `Zwei\nZeilen; ${n}`],
  (n) => [`  blanks ${n}  `, `  blanks ${n}  `],
  (n) => [`🚀 Łódź 東京, ${n}`, `🚀 Łódź 東京, ${n}`],
  (n) => [`'=SUM(A${n})`, `=SUM(A${n})`],
  (n) => [`'tis ${n}`, `'tis ${n}`],
  () => ["'", ''],
  () => [''],
];
const VALUES: readonly (readonly Cell[])[] = [
  [['12', 12], [' 7 ', 7], ['+3', 3], ['007', 7], ['12.0', 12], ['-1', -1], ['']],
  [['true', true], ['FALSE', false], ['1', true], ['0', false], ['True', true], ['']],
  [['2021-05-31', '2021-05-31'], ['2024-02-29', '2024-02-29'], ['']],
  [
    ['2021-05-31T10:20:30.9999+02:00', '2021-05-31T08:20:30.999Z'],
    ['2021-05-31 10:20', '2021-05-31T10:20:00.000Z'],
    ['2021-05-31t10:20:30Z', '2021-05-31T10:20:30.000Z'],
    [''],
  ],
  [...SEGMENTS.map((segment): Cell => [segment, segment]), ['']],
  [['12.50', 12.5], ['.5', 0.5], ['1e3', 1000], ['-0.5', -0.5], [' 3.5 ', 3.5], ['']],
  [
    ['call\r\nback; "soon"', 'call\r\nback; "soon"'],
    ['a\tb|c,d', 'a\tb|c,d'],
    [' ', ' '],
    ["'@home", '@home'],
    [''],
  ],
  [['Handel', 'Handel'], ['0042', '0042'], ['true', 'true'], ['']],
];

/** mulberry32: the same seed gives the same numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A CRM export: mostly valid rows, some rows that must be rejected, and one duplicate. */
export function crmRows(count: number, seed: number): CrmRow[] {
  const random = randomFrom(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const ids: Cell[] = [];
  const rows = Array.from({ length: count }, (_, at) => {
    const id = pick(IDS)(at + 1);
    const parent: Cell = ids.length > 0 && random() < 0.5 ? pick(ids) : [''];
    ids.push(id);
    const row = rowOf([id, pick(NAMES)(at + 1), parent, ...VALUES.map(pick), [String(at + 1)]]);
    return at % 20 === 19 ? { ...row, fault: faultOf(row.cells, (at - 19) / 20) } : row;
  });
  return [...rows, rows[0] as CrmRow];
}

function rowOf(row: readonly Cell[]): CrmRow {
  const [account_id, name = null, parent_account_id = null, ...values] = row.map(([, value]) => value);
  const fields = Object.entries(FIELDS).map(([, field], at) => [field, values[at]] as const);
  return {
    cells: row.map(([cell]) => cell),
    stored: {
      account_id: account_id as string,
      parent_account_id: parent_account_id as string | null,
      name: name as string | null,
      fields: Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Stored['fields'],
    },
  };
}

/** A row as Excel writes it; `needsQuotes` matches the cells to quote. */
export function rowText(cells: readonly string[], needsQuotes = /[";\r\n]/): string {
  return cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';');
}

/** The file, and the rows that must be rejected, with their first lines. */
export function crmFile(rows: readonly CrmRow[]) {
  let text = `\ufeff${rowText(HEADER)}\r\n`;
  const rejected: { readonly line: number; readonly row: CrmRow; readonly fault: Fault }[] = [];
  for (const row of rows) {
    const { fault } = row;
    if (fault !== undefined) rejected.push({ line: text.split('\n').length, row, fault });
    const written = fault?.row ?? row.cells;
    text += `${typeof written === 'string' ? written : rowText(written)}\r\n`;
  }
  return { text, rejected };
}
