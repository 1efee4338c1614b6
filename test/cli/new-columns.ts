import type { Stored } from './import-caller.js';

const HEADER = 'account_id,Active,Seats,Price,Renewal,Seen,Tier,Stage,Tags,Code,Fax,Note,Amount,Both';
const TIERS = ['Gold', 'Silver ', 'Bronze'];
const TAGS = ['red', 'red, blue', 'blue'];
export const NUMBERS = Array.from({ length: 12 }, (_, at) => at + 1);
const row = (n: number) => [
  `d-${String(n).padStart(2, '0')}`,
  n % 2 === 1 ? 'Yes' : 'No',
  `"${n},000"`,
  `${n}.5`,
  `1/${n + 12}/2015`,
  `2015-01-${n + 10} 10:00`,
  TIERS[n % 3],
  'open',
  `"${TAGS[n % 3]}"`,
  `0${n}`,
  '',
  `note ${n}`,
  `$${n}.00`,
  String(n % 2),
];
/** A file of columns that the server does not know, one of each type. */
export const FILE = `${[HEADER, ...NUMBERS.map((n) => row(n).join(','))].join('\n')}\n`;

export const stored = (n: number): Stored => ({
  account_id: `d-${String(n).padStart(2, '0')}`,
  parent_account_id: null,
  name: null,
  fields: {
    custom_Active: n % 2 === 1,
    custom_Seats: n * 1000,
    custom_Price: n + 0.5,
    custom_Renewal: `2015-01-${n + 12}`,
    custom_Seen: `2015-01-${n + 10}T10:00:00.000Z`,
    custom_Tier: TIERS[n % 3]?.trim() ?? '',
    custom_Stage: 'open',
    custom_Tags: TAGS[n % 3] ?? '',
    custom_Code: `0${n}`,
    custom_Note: `note ${n}`,
    custom_Amount: n,
    custom_Both: n % 2,
  },
});

/** What is shown of it. */
export const PLAN = `FILE: CSV, separated by commas. An empty cell clears the stored value (--empty keep keeps it).

COLUMN      FIELD           TYPE
account_id  account_id      id
Active      custom_Active   new   --declare
Seats       custom_Seats    new   --declare
Price       custom_Price    new   --declare
Renewal     custom_Renewal  new   --declare
Seen        custom_Seen     new   --declare
Tier        custom_Tier     new   --declare
Stage       custom_Stage    new   --declare
Tags        custom_Tags     new   --declare
Code        custom_Code     new   --declare
Fax         custom_Fax      new   --declare
Note        custom_Note     new   --declare
Amount      custom_Amount   new   --declare
Both        custom_Both     new   --declare

CONVERTED  VALUES  HOW                       FOR EXAMPLE
Active     12      yes/no                    Yes → true, No → false
Seats      12      commas between thousands  1,000 → 1000, 2,000 → 2000, 3,000 → 3000
Renewal    12      month/day/year            1/13/2015 → 2015-01-13, 1/14/2015 → 2015-01-14, 1/15/2015 → 2015-01-15
Tier       4       without blanks around it  "Silver " → Silver
Amount     12      commas between thousands  $1.00 → 1, $2.00 → 2, $3.00 → 3

NEW ATTRIBUTE   TYPE                          FROM
custom_Active   boolean                       Active
custom_Seats    integer                       Seats
custom_Price    decimal                       Price
custom_Renewal  date                          Renewal
custom_Seen     datetime                      Seen
custom_Tier     choice: Bronze, Gold, Silver  Tier
custom_Stage    text                          Stage
custom_Tags     text                          Tags
custom_Code     text                          Code
custom_Note     text                          Note
custom_Amount   decimal                       Amount
custom_Both     integer                       Both

Not sent and not declared, because they have no values: Fax

`;

/** What is declared for it. */
export const DECLARED = [
  ['custom_Active', 'boolean', []],
  ['custom_Amount', 'decimal', []],
  ['custom_Both', 'integer', []],
  ['custom_Code', 'text', []],
  ['custom_Note', 'text', []],
  ['custom_Price', 'decimal', []],
  ['custom_Renewal', 'date', []],
  ['custom_Seats', 'integer', []],
  ['custom_Seen', 'datetime', []],
  ['custom_Stage', 'text', []],
  ['custom_Tags', 'text', []],
  ['custom_Tier', 'choice', ['Bronze', 'Gold', 'Silver']],
];
