import { describe, it } from 'vitest';
import { asSent, describeAttribute } from './describe-attribute.js';
import { expectRejected, expectStored } from './expectations.js';
import { invalid } from './messages.js';
import { operations } from './operations.js';
import { freshId } from './requests.js';

describeAttribute('custom_Text', {
  type: 'text',
  accepted: ['"text"', '""', '" padded "', '"Case"', '"12"', '"true"', '"é"', '"line\\nbreak"', '"😀"'].map(
    asSent,
  ),
  other: '"padded"',
  rejected: ['12', '0', '1.5', 'true', 'false', '[]', '["text"]', '{}'],
});

describe.each(operations)('the text custom_Text of $name', (operation) => {
  it.each([
    ['case', 'text', 'Text'],
    ['white space', 'text', 'text '],
    ['its Unicode form', 'é', 'e\u0301'],
  ])('is kept to the letter, %s included', async (_what, one, other) => {
    const account_id = freshId();
    await expectStored(operation, { account_id, custom_Text: one }, 'created');
    await expectStored(operation, { account_id, custom_Text: other }, 'updated');
  });

  it.each([
    ['of one byte', 'x'],
    ['beyond the basic plane', '😀'],
  ])('may have 65,535 characters %s', async (_what, character) => {
    const record = { account_id: freshId(), custom_Text: character.repeat(65_535) };
    await expectStored(operation, record, 'created');
    await expectStored(operation, record, 'unchanged');
  });

  it.each([
    ['of one byte', 'x'],
    ['beyond the basic plane', '😀'],
  ])('may not have 65,536 characters %s', async (_what, character) => {
    const account_id = freshId();
    const record = { account_id, custom_Text: character.repeat(65_536) };
    await expectRejected(operation, record, { custom_Text: [invalid(account_id, 'custom_Text', 'text')] });
  });
});
