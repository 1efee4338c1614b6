import { REQUEST_ADVICE } from './request-advice';

/** Where one goes on from here; only shown to whom that page is open. */
export type Lead = 'attributes' | 'choices' | 'blocked-ids' | 'keys' | 'rules';

export interface Advice {
  readonly matches: RegExp;
  /** What the service takes. */
  readonly rule: string;
  /** What to do in the system that sends. */
  readonly change: string;
  /** A value that would be taken, in JSON. */
  readonly good?: string;
  readonly leads?: readonly Lead[];
}

const ID_RULE =
  'Every record names its account: a text that is not blank, or a whole number up to 9,007,199,254,740,991.';

/** By what was wrong with a field. */
const FIELD_ADVICE: readonly Advice[] = [
  {
    matches: /^account_id does not exist/,
    rule: ID_RULE,
    change:
      'Leave out records that have no id in your system, and check the mapping: the field is called account_id, in small letters.',
    good: '"acme"',
  },
  {
    matches: /^account_id must be a valid domain name/,
    rule: 'This tenant takes only domain names as ids: below a public suffix, without scheme, port or path.',
    change: 'Send the bare domain of the account: no https:// before it, nothing behind it, no IP address.',
    good: '"shop.example.com"',
    leads: ['rules'],
  },
  {
    matches: /^account_id blocked by system/,
    rule: 'Some ids are blocked: placeholders such as “null” or “n/a”, and those that the tenant has blocked.',
    change:
      'Find out why your system sends it: mostly an empty value was turned into text. Send the real id, or leave the record out.',
    good: '"acme"',
    leads: ['blocked-ids'],
  },
  {
    matches: /^account_id and parent_account_id can't be same/,
    rule: 'An account may not be its own parent. Small and capital letters and white space around do not count.',
    change: 'Send the id of the account above, or null for an account that has none.',
    good: 'null',
  },
  {
    matches: /^The .* may not be greater than \d+ characters/,
    rule: 'Ids, parents and names have at most 191 characters.',
    change: 'Shorten it before sending. An id that long is often two fields run together.',
    good: '"acme"',
  },
  {
    matches: /^The parent_account_id must be a string/,
    rule: 'The parent is named by its id: a text, a whole number, or null for none.',
    change: 'Send the id alone: no object, no list, no true or false, no fraction.',
    good: '"acme"',
  },
  {
    matches: /^The .* must be a string/,
    rule: 'It is a text, or null to clear it.',
    change: 'Put the value in quotes. A number or an object is not turned into text by itself.',
    good: '"Acme Inc."',
  },
  {
    matches: /has invalid text value$/,
    rule: 'A text of at most 65,535 characters, without U+0000 and without halves of characters.',
    change: 'Put numbers in quotes, remove zero bytes, and cut texts between characters, not within one.',
    good: '"4711"',
  },
  {
    matches: /has invalid integer value$/,
    rule: 'A whole number up to ±9,007,199,254,740,991, as a number or in quotes.',
    change:
      'Send digits alone: no words, no fraction, no separators of thousands. For “no value” send null, not an empty text. Longer numbers keep their digits only as text.',
    good: '25',
  },
  {
    matches: /has invalid decimal value$/,
    rule: 'A number, with a point for its fraction, as a number or in quotes.',
    change: 'Leave out separators of thousands, currencies and decimal commas. For “no value” send null.',
    good: '12000.5',
  },
  {
    matches: /has invalid boolean value$/,
    rule: 'true or false; 1, 0, "true" and "false" are taken, too.',
    change: 'Turn “yes” and “no”, “on” and “off” and the like into true and false before sending.',
    good: 'true',
  },
  {
    matches: /has invalid date value$/,
    rule: 'A day that exists, as year-month-day, without a time.',
    change: 'Write days as 2027-12-31, whatever your country’s custom. For “no date” send null.',
    good: '"2027-12-31"',
  },
  {
    matches: /has invalid datetime value$/,
    rule: 'A day and a time, as in 2027-12-31T08:30:00Z; without an offset it is taken for UTC.',
    change:
      'Write the moment in this form. A day alone, a number of seconds, or a text like “Invalid Date” is not one. For “no moment” send null.',
    good: '"2027-12-31T08:30:00Z"',
  },
  {
    matches: /has invalid choice value$/,
    rule: 'One of the declared choices, to the letter: small and capital letters count.',
    change: 'Map the values of your system to the choices, or have the missing choice declared.',
    leads: ['choices', 'attributes'],
  },
  {
    matches: /is read-only$/,
    rule: 'This field is kept by the service, or declared read-only. It may not be sent at all, not even as null.',
    change: 'Leave the field out of what you send. What is stored stays.',
    leads: ['attributes'],
  },
  {
    matches: /is not a known field/,
    rule: 'This tenant takes declared fields only. Small and capital letters in names count.',
    change: 'Correct the name of the field, leave the field out, or have it declared.',
    leads: ['attributes', 'rules'],
  },
];

/** By the message of a group; a newer service may know messages that are not here. */
export function howToFix(message: string): Advice | undefined {
  return [...FIELD_ADVICE, ...REQUEST_ADVICE].find(({ matches }) => matches.test(message));
}
