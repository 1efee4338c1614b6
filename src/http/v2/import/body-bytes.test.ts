import { describe, expect, it } from 'vitest';
import { LeadingWhitespaceStripper } from './body-bytes.js';

/** The body without its byte order mark and leading white space. */
function strip(chunks: readonly Buffer[]): string {
  const stripper = new LeadingWhitespaceStripper();
  for (const [i, chunk] of chunks.entries()) {
    const rest = stripper.push(chunk);
    if (rest.length > 0) return Buffer.concat([rest, ...chunks.slice(i + 1)]).toString('latin1');
  }
  return '';
}

describe('LeadingWhitespaceStripper', () => {
  it.each([
    ['keeps a body without either', '[1]', '[1]'],
    ['removes white space', ' \r\n\t[ 1]', '[ 1]'],
    ['removes a byte order mark', '\xef\xbb\xbf[1]', '[1]'],
    ['removes white space after a mark', '\xef\xbb\xbf\n{}', '{}'],
    ['keeps a second mark', '\xef\xbb\xbf\xef\xbb\xbf1', '\xef\xbb\xbf1'],
    ['keeps a mark after white space', ' \xef\xbb\xbf1', '\xef\xbb\xbf1'],
    ['keeps an incomplete mark', '\xef\xbb1', '\xef\xbb1'],
    ['returns nothing for an empty body', '', ''],
    ['returns nothing for white space', ' \n ', ''],
    ['returns nothing for a mark alone', '\xef\xbb\xbf', ''],
  ])('%s', (_what, body, rest) => {
    const bytes = Buffer.from(body, 'latin1');
    expect(strip([bytes])).toBe(rest);
    expect(strip([...bytes].map((byte) => Buffer.from([byte])))).toBe(rest);
  });
});
