import type { Advice } from './advice';
import { REQUEST_ADVICE } from './request-advice';

const ID_RULE =
  'Every record needs an account id: text that is not blank, or a whole number up to 9,007,199,254,740,991.';

/** Advice for errors of one field. */
const FIELD_ADVICE: readonly Advice[] = [
  {
    matches: /^account_id does not exist/,
    rule: ID_RULE,
    change:
      'Check the field mapping: the field name is account_id, in lower case. Do not send records without an id.',
    good: '"acme"',
  },
  {
    matches: /^account_id must be a valid domain name/,
    rule: 'This tenant accepts only domain names as ids: below a public suffix, without scheme, port or path.',
    change:
      'Send only the domain of the account, without https://, port or path. IP addresses are not accepted.',
    good: '"shop.example.com"',
    links: ['rules'],
  },
  {
    matches: /^account_id blocked by system/,
    rule: 'Some ids are blocked: placeholders such as “null” or “n/a”, and ids that this tenant has blocked.',
    change:
      'Check why your system sends this id. Often an empty value was converted to text. Send the real id, or do not send the record.',
    good: '"acme"',
    links: ['blocked-ids'],
  },
  {
    matches: /^account_id and parent_account_id can't be same/,
    rule: 'An account cannot be its own parent. The comparison ignores case and surrounding white space.',
    change: 'Send the id of the parent account, or null for an account without a parent.',
    good: 'null',
  },
  {
    matches: /^The .* may not be greater than \d+ characters/,
    rule: 'Ids, parents and names have at most 191 characters.',
    change: 'Shorten the value before sending. A very long id often consists of two joined fields.',
    good: '"acme"',
  },
  {
    matches: /^The parent_account_id must be a string/,
    rule: 'The parent is given by its id: text, a whole number, or null for no parent.',
    change: 'Send only the id. Objects, arrays, booleans and fractions are not accepted.',
    good: '"acme"',
  },
  {
    matches: /^The .* must be a string/,
    rule: 'The value must be text, or null to clear the field.',
    change: 'Send the value as a JSON string. Numbers and objects are not converted to text.',
    good: '"Acme Inc."',
  },
  {
    matches: /has invalid text value$/,
    rule: 'Text of at most 65,535 characters, without U+0000 and without unpaired surrogates.',
    change: 'Send numbers as strings, remove zero bytes, and cut text only between whole characters.',
    good: '"4711"',
  },
  {
    matches: /has invalid integer value$/,
    rule: 'A whole number up to ±9,007,199,254,740,991, as a JSON number or string.',
    change:
      'Send only digits, without words, fractions or thousands separators. For “no value”, send null instead of an empty string. For longer numbers, use an attribute of type text.',
    good: '25',
  },
  {
    matches: /has invalid decimal value$/,
    rule: 'A number with a decimal point, as a JSON number or string.',
    change: 'Remove thousands separators, currencies and decimal commas. For “no value”, send null.',
    good: '12000.5',
  },
  {
    matches: /has invalid boolean value$/,
    rule: 'true or false. 1, 0, "true" and "false" are accepted, too.',
    change: 'Convert values such as “yes” and “no” or “on” and “off” to true and false before sending.',
    good: 'true',
  },
  {
    matches: /has invalid date value$/,
    rule: 'An existing date in the form year-month-day, without a time.',
    change: 'Send dates in the form 2027-12-31. For “no date”, send null.',
    good: '"2027-12-31"',
  },
  {
    matches: /has invalid datetime value$/,
    rule: 'A date and a time, such as 2027-12-31T08:30:00Z. A time without an offset is read as UTC.',
    change:
      'Send the time in this form. A date alone, a number of seconds, or text such as “Invalid Date” is not accepted. For “no time”, send null.',
    good: '"2027-12-31T08:30:00Z"',
  },
  {
    matches: /has invalid choice value$/,
    rule: 'Exactly one of the declared choices. The comparison is case-sensitive.',
    change: 'Map the values of your system to the choices, or add the missing choice to the attribute.',
    links: ['choices', 'attributes'],
  },
  {
    matches: /is read-only$/,
    rule: 'The service maintains this field, it is declared read-only, or another source owns it and its value differs.',
    change: 'Do not send this field. The stored value stays. The page Attributes shows which source owns it.',
    links: ['attributes'],
  },
  {
    matches: /is not a known field/,
    rule: 'This tenant accepts only declared fields. Field names are case-sensitive.',
    change: 'Correct the field name, stop sending the field, or declare it as an attribute.',
    links: ['attributes', 'rules'],
  },
];

/** The advice for the message of a group. Undefined for messages of a newer version of the service. */
export function howToFix(message: string): Advice | undefined {
  return [...FIELD_ADVICE, ...REQUEST_ADVICE].find(({ matches }) => matches.test(message));
}
