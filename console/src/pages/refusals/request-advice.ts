import type { Advice } from './how-to-fix';

const REPEAT = 'Send it again after a pause, and again after a longer one. Repeating is always safe.';

/** By why a whole request, or something that was no record, was refused. */
export const REQUEST_ADVICE: readonly Advice[] = [
  {
    matches: /^No data available/,
    rule: 'A request carries at least one record.',
    change: 'Send nothing when there is nothing to send; otherwise check why the body is empty.',
    good: '{"account_id": "acme", "name": "Acme Inc."}',
  },
  {
    matches: /^Invalid data/,
    rule: 'One object for a single account; a list of objects, not an empty one, for a batch.',
    change: 'Send a list to /api/v1_1/accounts and an object to /api/v1_1/account, not the other way round.',
    good: '[{"account_id": "acme"}]',
  },
  {
    matches: /is not valid JSON$/,
    rule: 'The body is JSON; in an import of lines each line is, by itself.',
    change:
      'Let a library write the JSON. Text that is put together by hand breaks at quotes, line ends and commas; a body that ends early was cut on its way.',
    good: '{"account_id": "acme"}',
  },
  {
    matches: /is not valid UTF-8/,
    rule: 'Everything is encoded as UTF-8.',
    change: 'Set the encoding of the export or of the request to UTF-8; Latin-1 and Windows-1252 are not.',
  },
  {
    matches: /may not be nested deeper than/,
    rule: 'Objects and lists may be inside one another up to 32 times, the outermost included.',
    change: 'Send flat fields. Deep data is mostly an object of your system that was sent whole.',
  },
  {
    matches: /may not have more than \d+ keys/,
    rule: 'An object has at most 1,000 keys.',
    change: 'Send only the fields that are wanted here.',
  },
  {
    matches: /may not hold more than \d+ (objects and arrays|values)$/,
    rule: 'There is a bound for how many objects, lists and values a request holds.',
    change: 'Send fewer records at a time, and leave out long lists that nobody looks at.',
  },
  {
    matches: /may not contain the key __proto__/,
    rule: 'No field, at whatever depth, is called __proto__.',
    change: 'Rename the field or leave it out.',
  },
  {
    matches: /^The body may not be larger|^A record may not be larger/,
    rule: 'A body, or a record of an import, may have only so many bytes.',
    change:
      'Send fewer records at a time, or use the import, where only each record is bounded. A single record that large holds something else than an account.',
  },
  {
    matches: /^A batch may not hold more than|^The batch has more problems/,
    rule: 'A batch is bounded; 200 records or fewer are recommended.',
    change:
      'Split the batch, or use the import, which takes any number of records and judges each by itself.',
  },
  {
    matches: /^The Content-Type must be|^The body must be a JSON array/,
    rule: 'Single accounts and batches are application/json; an import is application/x-ndjson, an object a line, or a JSON list.',
    change: 'Set the header Content-Type to what is sent. CSV files are imported by the command line.',
    good: 'Content-Type: application/json',
  },
  {
    matches: /^The Content-Encoding/,
    rule: 'Bodies are not compressed.',
    change: 'Switch compression off for this request and leave the header Content-Encoding out.',
  },
  {
    matches: /^Too many requests/,
    rule: 'The operator has set how many requests a key may send in a minute.',
    change:
      'Wait as many seconds as the header Retry-After says, then repeat. Put several records into one import.',
  },
  {
    matches: /imports of this tenant are under way/,
    rule: 'A tenant may run only a few imports at a time.',
    change: 'Wait until one has ended, then send this one again.',
  },
  {
    matches: /^This key lacks the scope/,
    rule: 'To send accounts a key needs the scope sync.',
    change: 'Use another key in the sending system, or have one made with that scope.',
    leads: ['keys'],
  },
  {
    matches: /^The key is not live any more|^Unauthenticated/,
    rule: 'A key works until it expires or is revoked, also within an import that is under way.',
    change: 'Put a live key into the sending system and send what came behind this record again.',
    leads: ['keys'],
  },
  {
    matches: /^The request is not valid/,
    rule: 'The query of an import may have dry_run alone, as true or false.',
    change: 'Correct the address; the answer to the request named what was wrong with it.',
    good: '/api/v2/accounts/import?dry_run=true',
  },
  {
    matches: /^The body ends before the array|^A comma or the end|^Nothing may follow|^The record is missing/,
    rule: 'An import of a list is one JSON list of records, to its end. Records before the mistake are stored.',
    change: 'Let a library write the list, or send an object a line, where a broken one spoils no other.',
    good: '[{"account_id": "acme"}, {"account_id": "acme-berlin"}]',
  },
  {
    matches: /^The request broke off|^Request body size did not match/,
    rule: 'A request has to arrive whole.',
    change: `Look for time limits and restarts in the sending system and in proxies between. ${REPEAT}`,
  },
  {
    matches:
      /^The service is stopping|^Too many ((write|read)s are waiting|large bodies)|^Internal Server Error|^Something failed/,
    rule: 'There is nothing wrong with what was sent: the service was busy, stopping or in trouble.',
    change: REPEAT,
  },
];
