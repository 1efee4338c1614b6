import { describe, expect, it } from 'vitest';
import { BodyBeginning } from './body-bytes.js';

/** What is left of a body up to where it has begun. */
function begin(chunks: readonly Buffer[]): string {
  const beginning = new BodyBeginning();
  for (const [i, chunk] of chunks.entries()) {
    const rest = beginning.push(chunk);
    if (rest.length > 0) return Buffer.concat([rest, ...chunks.slice(i + 1)]).toString('latin1');
  }
  return '';
}

describe('the beginning of a body', () => {
  it.each([
    ['is its first byte', '[1]', '[1]'],
    ['leaves out white space', ' \r\n\t[ 1]', '[ 1]'],
    ['leaves out a byte order mark', '\xef\xbb\xbf[1]', '[1]'],
    ['leaves out white space behind a mark', '\xef\xbb\xbf\n{}', '{}'],
    ['leaves out no second mark', '\xef\xbb\xbf\xef\xbb\xbf1', '\xef\xbb\xbf1'],
    ['leaves out no mark behind white space', ' \xef\xbb\xbf1', '\xef\xbb\xbf1'],
    ['keeps what only looks like a mark', '\xef\xbb1', '\xef\xbb1'],
    ['is nowhere in an empty body', '', ''],
    ['is nowhere in white space', ' \n ', ''],
    ['is nowhere behind a mark alone', '\xef\xbb\xbf', ''],
  ])('%s', (_what, body, rest) => {
    const bytes = Buffer.from(body, 'latin1');
    expect(begin([bytes])).toBe(rest);
    expect(begin([...bytes].map((byte) => Buffer.from([byte])))).toBe(rest);
  });
});
