import { describe, expect, it } from 'vitest';
import { expectEnvelope, expectFailure, expectResult } from './expectations.js';
import { operations } from './operations.js';
import { freshId, post } from './requests.js';

describe.each(operations)('JSON sent for $name', ({ path, body, result }) => {
  it.each([
    ['{"a":}', 'unexpected character at line 1, column 6.'],
    ['[1,2', 'unexpected end at line 1, column 5.'],
    ['{"a":1', 'unexpected end at line 1, column 7.'],
    ['{\n  "a": x\n}', 'unexpected character at line 2, column 8.'],
    ['{"é":}', 'unexpected character at line 1, column 6.'],
    ['{"😀":}', 'unexpected character at line 1, column 6.'],
    ['{"a":1,}', 'unexpected character at line 1, column 8.'],
    ['[1,]', 'unexpected character at line 1, column 4.'],
    ['{} x', 'unexpected character at line 1, column 4.'],
    ['{/* note */"a":1}', 'unexpected character at line 1, column 2.'],
    ['// note\n{"a":1}', 'unexpected character at line 1, column 1.'],
    ["{'a':1}", 'unexpected character at line 1, column 2.'],
    ['{a:1}', 'unexpected character at line 1, column 2.'],
    ['{"a":NaN}', 'unexpected character at line 1, column 6.'],
  ])('is rejected with its position when it is %j', async (sent, problem) => {
    expectEnvelope(await post(path, sent), 400, `The body is not valid JSON: ${problem}`);
  });

  it.each([
    ['a number with a leading zero', '{"a":01}'],
    ['a number with a plus sign', '{"a":+1}'],
    ['a number without an integer part', '{"a":.5}'],
    ['a number without digits after its point', '{"a":1.}'],
    ['a hexadecimal number', '{"a":0x10}'],
    ['a word cut short', '{"a":tru}'],
    ['an unknown escape', '{"a":"\\x41"}'],
    ['an incomplete escape', '{"a":"\\u00"}'],
    ['a bare line break in a string', '{"a":"\n"}'],
    ['a string without an end', '{"a":"b}'],
    ['two values', '{"a":1}{"b":2}'],
    ['a missing comma', '{"a":1 "b":2}'],
    ['brackets that do not match', '{"a":[1}'],
  ])('is rejected with a position when it holds %s', async (_what, sent) => {
    const problem = /^The body is not valid JSON: unexpected (character|end) at line \d+, column \d+\.$/;
    expectFailure(await post(path, sent), 400, [expect.stringMatching(problem)]);
  });

  it.each([
    ['a byte that never occurs', [0xff]],
    ['an overlong form', [0xc0, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['a sequence cut short', [0xe2, 0x82]],
    ['Latin-1', [0xe9]],
  ])('is rejected as UTF-8 when a string holds %s', async (_what, bytes) => {
    const sent = Buffer.concat([Buffer.from('{"account_id":"'), Buffer.from(bytes), Buffer.from('"}')]);
    expectEnvelope(await post(path, sent), 400, 'The body is not valid UTF-8.');
  });

  it('is rejected as UTF-8 when it is UTF-16', async () => {
    const sent = Buffer.from('\uFEFF{"account_id":"utf-16"}', 'utf16le');
    expectEnvelope(await post(path, sent), 400, 'The body is not valid UTF-8.');
  });

  it('may begin with a byte order mark', async () => {
    const sent = `\uFEFF${body(`{"account_id":"${freshId()}"}`)}`;
    expectResult(await post(path, sent), result('created'));
  });

  it('may have white space around every token', async () => {
    const sent = body(` \r\n\t{ "account_id" :\n"${freshId()}" } \n`);
    expectResult(await post(path, sent), result('created'));
  });
});
