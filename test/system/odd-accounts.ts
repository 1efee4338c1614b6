import type { AccountRecord, Json } from '@account-sync/client';
import type { Declaration } from '../cli/import-caller.js';

export const DECLARED: readonly Declaration[] = [
  { name: 'custom_Note', type: 'text' },
  { name: 'custom_Ratio', type: 'decimal' },
  { name: 'custom_Tier', type: 'choice', choices: ['=gold', "'silver", ' bronze '] },
];

const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '\ufeff+1',
  '\u200b-1',
  '\u0001@x',
  "' =1",
];
const TEXTS = [
  ...FORMULAS,
  ...["'", "''", "'x", "'=1", "'''", "x'"],
  ...['', ' ', ' x', 'x ', '\t', '\n', '\r', '\r\n', '\u00a0', '\ufeffx', 'x\ufeff'],
  ...[',', ';', '|', '"', '""', '"x"', 'a,b;c|d\te', 'Acme, "Inc."', 'two\nlines', 'two\rlines'],
  'two\r\nlines',
  ...['null', 'true', '-5', '007', '1e5', '[]', '{}', '\\', '\\"', 'sep=;', 'rejected_line'],
  ...['Müller', 'Mu\u0308ller', '👩‍🚀', '\u2028\u2029', '\u0001\u001b[31m', '\u202eabc', '\ufffe', '𝔘'],
  'x'.repeat(65_535),
];
const MOST = Number.MAX_SAFE_INTEGER;
const NUMBERS = [0, -0.5, 5e-324, 0.1 + 0.2, 1e-7, 123_456_789.125, MOST, -MOST];
const deep = (levels: number): Json =>
  levels === 0 ? '=1' : levels % 2 ? [deep(levels - 1)] : { '=': deep(levels - 1) };
const VALUES: readonly Json[] = [
  ...NUMBERS,
  true,
  false,
  [],
  {},
  [null],
  { a: null, '': '', "'": '=1', constructor: 1, b: [true, -1.5, '', { c: [[]] }] },
  deep(30),
  ...FORMULAS,
  '',
  '"',
];
const FIELD_NAMES = [
  ...['x:json', ':json', 'x:json:json', '=x', '+x', '-x', '@x', '＝x', '\tx', '\nx', "'x", "'", "'=x"],
  ...[' x', 'x ', '  padded  ', 'two words', 'a,b', 'a"b', '"a"', 'a\r\nb', 'a|b'],
  'a;b;c;d;e;f;g;h;i;j;k;l;m;n;o;p;q;r;s;t;u;v;w;x;y;z;1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20',
  ...['7', '007', 'constructor', 'toString', 'valueOf', 'Größe', '🔥', '❤', '*', '$x', 'sep=;', 'custom_x y'],
];
const IDS = [
  ...['=1+1', '-5', "'x", '+1', '@x', '＝1', 'a,b', 'a"b', '"', "'", 'two\nlines', '*', 'sep=;', '7'],
  ...['日本', '🔥', 'müller'],
];

/** Accounts with values that spreadsheets usually damage. */
export const ODD_ACCOUNTS: readonly AccountRecord[] = [
  ...IDS.map((account_id, at) => ({
    account_id,
    parent_account_id: IDS[(at + 1) % IDS.length] as string,
    name: account_id,
  })),
  ...TEXTS.map((text, at) => ({
    account_id: `text-${at}`,
    name: text.slice(0, 191),
    custom_Note: text,
    plain: text,
    [FIELD_NAMES[at % FIELD_NAMES.length] as string]: text,
  })),
  ...VALUES.map((value, at) => ({
    account_id: `value-${at}`,
    value,
    [FIELD_NAMES[at % FIELD_NAMES.length] as string]: value,
  })),
  ...[...NUMBERS, 1e21, -1.7e308].map((custom_Ratio, at) => ({ account_id: `ratio-${at}`, custom_Ratio })),
  { account_id: 'declared-1', licenses: -5, custom_Is_Valid: false, custom_Tier: '=gold' },
  { account_id: 'declared-2', licenses: 0, custom_Is_Valid: true, custom_Tier: "'silver" },
  { account_id: 'declared-3', custom_Tier: ' bronze ', custom_External_Created_On: '0001-01-01' },
  { account_id: 'declared-4', custom_External_Created_At: '2027-01-31 10:20:30.9999+02:00' },
  { account_id: 'nothing' },
];
