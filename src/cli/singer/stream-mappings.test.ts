import { expect, it } from 'vitest';
import { parseStreamMappings } from './stream-mappings.js';

it('maps the properties of several streams', () => {
  const text =
    '\ufeff{"streams":{"Account":{"Id":" account_id ","Notes":null,"*":"*"},"Seats":{"*":null},"Plain":{}}}';
  expect(parseStreamMappings(text)).toEqual(
    new Map([
      [
        'Account',
        new Map([
          ['Id', 'account_id'],
          ['Notes', null],
          ['*', '*'],
        ]),
      ],
      ['Seats', new Map([['*', null]])],
      ['Plain', new Map()],
    ]),
  );
});

it.each([
  '',
  '[]',
  '{}',
  '{"Account":{}}',
  '{"streams":{}}',
  '{"streams":[]}',
  '{"streams":{"Account":null}}',
  '{"streams":{"Account":{"Id":1}}}',
  '{"streams":{"Account":{"Id":" "}}}',
  '{"streams":{"Account":{"Id":"*"}}}',
  '{"streams":{"Account":{"*":"name"}}}',
  '{"streams":{"Account":{}},"url":"http://127.0.0.1"}',
])('%s is no mapping', (text) => {
  expect(parseStreamMappings(text)).toBeUndefined();
});
