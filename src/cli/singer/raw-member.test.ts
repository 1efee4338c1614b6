import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rawMember } from './raw-member.js';

it.each([
  ['{"type":"STATE","value":{"lsn":12345678901234567890}}', '{"lsn":12345678901234567890}'],
  ['{"value" : 1.50 ,"type":"STATE"}', '1.50'],
  ['{"value":null}', 'null'],
  ['{"type":"STATE","value":"a, \\"value\\": }"}', '"a, \\"value\\": }"'],
  ['{"a":{"value":1},"b":["value",2],"value":[{"value":3}]}', '[{"value":3}]'],
  ['{"value":1,"value":2}', '2'],
  ['{"v\\u0061lue":7}', '7'],
  ['{"type":"value"}', undefined],
  ['{}', undefined],
])('the value in %s is %s', (text, value) => {
  expect(rawMember(text, 'value')).toBe(value);
});

it('finds what JSON.parse finds, in any object with any white space', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.jsonValue(),
      fc.nat(2),
      (others, value, indent) => {
        const text = JSON.stringify({ ...others, value }, null, indent);
        expect(JSON.parse(rawMember(text, 'value') ?? '')).toEqual(JSON.parse(text).value);
      },
    ),
  );
});
