import { describe, it } from 'vitest';
import { expectRejected, expectStored } from './expectations.js';
import { invalid } from './messages.js';
import { operations } from './operations.js';
import { freshId } from './requests.js';

const characters: [string, string][] = [
  ['NUL', '\\u0000'],
  ['a lone high surrogate', '\\ud83d'],
  ['a lone low surrogate', '\\ude00'],
  ['a pair of surrogates in the wrong order', '\\ude00\\ud83d'],
];

describe.each(operations)('in $name', (operation) => {
  describe.each(characters)('%s', (_name, character) => {
    it.each([
      ['the name', 'name', `"a${character}b"`],
      ['a text attribute', 'custom_Text', `"a${character}b"`],
      ['the parent_account_id', 'parent_account_id', `"a${character}b"`],
      ['an undeclared field', 'extra', `"a${character}b"`],
      ['an array in an undeclared field', 'extra', `["fine",["a${character}b"]]`],
      ['an object in an undeclared field', 'extra', `{"deep":{"er":"a${character}b"}}`],
      ['a key in an undeclared field', 'extra', `{"deep":{"a${character}b":1}}`],
      ['the end of a string', 'extra', `"a${character}"`],
    ])('is invalid text in %s', async (_where, field, value) => {
      const id = freshId();
      await expectRejected(operation, `{"account_id":"${id}","${field}":${value}}`, {
        [field]: [invalid(id, field, 'text')],
      });
    });

    it('is invalid text in the account_id', async () => {
      const sent = `"${freshId()}-a${character}b"`;
      const errors = { account_id: [invalid(JSON.parse(sent), 'account_id', 'text')] };
      await expectRejected(operation, `{"account_id":${sent}}`, errors);
    });

    it('is invalid text in the name of an undeclared field', async () => {
      const id = freshId();
      const field: string = JSON.parse(`"a${character}b"`);
      await expectRejected(operation, `{"account_id":"${id}","a${character}b":1}`, {
        [field]: [invalid(id, field, 'text')],
      });
    });
  });

  it.each(['\\ud83d\\ude00', '\\u0001', '\\u001f', '\\u007f', '\\ufffd', '\\uffff', '\\u2028', '\\ufeff'])(
    'the escape %s is valid text',
    async (character) => {
      const id = freshId();
      const record = `{"account_id":"${id}","name":"a${character}b","extra":["a${character}b"]}`;
      await expectStored(operation, record, 'created');
      await expectStored(operation, record, 'unchanged');
    },
  );
});
