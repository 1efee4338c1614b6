import type { Advice } from './advice';

const RETRY =
  'Send the request again, with a longer pause after each attempt. Repeating a request is always safe.';

/** Advice for errors of whole requests, or of data that is not a record. */
export const REQUEST_ADVICE: readonly Advice[] = [
  {
    matches: /^No data available/,
    rule: 'A request must contain at least one record.',
    change: 'Check why the body is empty. Do not send a request when there are no records to send.',
    good: '{"account_id": "acme", "name": "Acme Inc."}',
  },
  {
    matches: /^Invalid data/,
    rule: 'A single account is one object. A batch is an array of objects that is not empty.',
    change: 'Send an array to /api/v1_1/accounts and an object to /api/v1_1/account.',
    good: '[{"account_id": "acme"}]',
  },
  {
    matches: /^There is no run |^Run \d+ (has ended|is an undo|belongs to the source)/,
    rule: 'The header Account-Sync-Run must name an open run of the source of the key. A run that is an undo takes no requests.',
    change:
      'Open a run with the same key (POST /api/v2/runs), send its id, and finish it at the end. Without the header, the service chooses the run.',
  },
  {
    matches: /is not valid JSON$/,
    rule: 'The body must be JSON. In an NDJSON import, each line must be JSON.',
    change:
      'Use a library to write the JSON: concatenated text breaks at quotes, line breaks and commas. If the body ends early, it was cut off during transmission.',
    good: '{"account_id": "acme"}',
  },
  {
    matches: /is not valid UTF-8/,
    rule: 'The body must be encoded as UTF-8.',
    change:
      'Set the encoding of the export or the request to UTF-8. Latin-1 and Windows-1252 are not accepted.',
  },
  {
    matches: /may not be nested deeper than/,
    rule: 'Objects and arrays can be nested up to 32 levels deep, including the outermost one.',
    change: 'Send flat fields. Deep nesting often means that a whole object of your system was sent.',
  },
  {
    matches: /may not have more than \d+ keys/,
    rule: 'An object can have at most 1,000 keys.',
    change: 'Send only the fields that you need in this service.',
  },
  {
    matches: /may not hold more than \d+ (objects and arrays|values)$/,
    rule: 'The number of objects, arrays and values in a request is limited.',
    change: 'Send fewer records per request, and remove long lists that you do not need.',
  },
  {
    matches: /may not contain the key __proto__/,
    rule: 'No field can have the name __proto__, at any depth.',
    change: 'Rename the field or do not send it.',
  },
  {
    matches: /^The body may not be larger|^A record may not be larger/,
    rule: 'The size of a body, and of a record in an import, is limited.',
    change:
      'Send fewer records per request, or use the import, which limits only the size of each record. If a single record is that large, check what it contains.',
  },
  {
    matches: /^A batch may not hold more than|^The batch has more problems/,
    rule: 'The size of a batch is limited. 200 records or fewer are recommended.',
    change:
      'Split the batch, or use the import, which accepts any number of records and validates each separately.',
  },
  {
    matches: /^The Content-Type must be|^The body must be a JSON array/,
    rule: 'Single accounts and batches are application/json. An import is application/x-ndjson with one object per line, or a JSON array.',
    change:
      'Set the header Content-Type to the format of the body. To import CSV files, use the command line.',
    good: 'Content-Type: application/json',
  },
  {
    matches: /^The Content-Encoding/,
    rule: 'Compressed bodies are not accepted.',
    change: 'Turn off compression for this request and remove the header Content-Encoding.',
  },
  {
    matches: /^Too many requests/,
    rule: 'The operator limits how many requests a key can send per minute.',
    change:
      'Wait for the number of seconds in the header Retry-After, then send the request again. To send fewer requests, put several records into one import.',
  },
  {
    matches: /imports of this tenant are under way/,
    rule: 'The number of imports that a tenant can run at the same time is limited.',
    change: 'Wait until another import has ended, then send this one again.',
  },
  {
    matches: /^This key lacks the scope/,
    rule: 'A key needs the scope sync to send accounts.',
    change: 'Use a key with that scope in the sending system. An administrator can create one.',
    links: ['keys'],
  },
  {
    matches: /^This needs the role/,
    rule: 'A person needs the role editor to send accounts in the console.',
    change: 'Ask an administrator of the tenant for the role.',
  },
  {
    matches: /^The key is not live any more|^Unauthenticated/,
    rule: 'A key works until it expires or is revoked. This also applies during an import.',
    change: 'Use a live key in the sending system, and send this record and all records after it again.',
    links: ['keys'],
  },
  {
    matches: /^The request is not valid/,
    rule: 'The only query parameter of an import is dry_run, with the value true or false.',
    change: 'Correct the URL. The response to the request lists the invalid parameters.',
    good: '/api/v2/accounts/import?dry_run=true',
  },
  {
    matches: /^The body ends before the array|^A comma or the end|^Nothing may follow|^The record is missing/,
    rule: 'A JSON import must be one complete array of records. Records before the error are stored.',
    change:
      'Use a library to write the array, or send NDJSON with one object per line, where an invalid line affects no other.',
    good: '[{"account_id": "acme"}, {"account_id": "acme-berlin"}]',
  },
  {
    matches: /^The request broke off|^Request body size did not match/,
    rule: 'A request must arrive completely.',
    change: `Check for timeouts and restarts in the sending system and in proxies. ${RETRY}`,
  },
  {
    matches:
      /^The service is stopping|^Too many ((write|read)s are waiting|large bodies)|^All connections|^Internal Server Error|^Something failed/,
    rule: 'The data is not the cause: the service was busy, stopping, or had an internal error.',
    change: RETRY,
  },
];
