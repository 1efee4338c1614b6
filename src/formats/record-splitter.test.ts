import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArraySplitter, MalformedArray } from './array-splitter.js';
import { LineSplitter, type RecordSplitter, TOO_LARGE } from './record-splitter.js';

const MAX = 1_000;

/** The records of a body that arrives in chunks, followed by the error message if there is one. */
function split(splitter: RecordSplitter, chunks: readonly Buffer[]): string[] {
  const records: string[] = [];
  const note = (pieces: ReturnType<RecordSplitter['end']>) => {
    for (const piece of pieces) records.push(piece === TOO_LARGE ? '(too large)' : piece.toString());
  };
  try {
    for (const chunk of chunks) note(splitter.push(chunk));
    note(splitter.end());
  } catch (error) {
    if (!(error instanceof MalformedArray)) throw error;
    records.push(`! ${error.message}`);
  }
  return records;
}

const whole = (text: string) => [Buffer.from(text)];
const byteByByte = (text: string) => [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
const chunkings = [
  ['in one piece', whole],
  ['byte by byte', byteByByte],
] as const;

describe.each(chunkings)('lines that arrive %s', (_name, chunked) => {
  it.each([
    ['end with a line feed, or with the body', '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
    ['can end with CRLF', '1\r\n2\r\n', ['1', '2']],
    ['are skipped if they are blank', '\n \t\n1\n\r\n\n2\n\n', ['1', '2']],
    ['are not parsed', 'nonsense\n{"a":"é\u2028"}', ['nonsense', '{"a":"é\u2028"}']],
    ['can be absent', '', []],
    ['can have the maximum size', `${'x'.repeat(MAX)}\n1`, ['x'.repeat(MAX), '1']],
    ['are replaced if they are larger', `0\n${'x'.repeat(MAX + 1)}\n1`, ['0', '(too large)', '1']],
    ['are replaced if the last one is larger', `0\n${'x'.repeat(MAX + 1)}`, ['0', '(too large)']],
  ])('%s', (_what, text, records) => {
    expect(split(new LineSplitter(MAX), chunked(text))).toEqual(records);
  });
});

const NO_ARRAY = '! The body must be a JSON array.';
const NO_COMMA = '! A comma or the end of the array has to come before this record.';
const MISSING = '! The record is missing.';
const FOLLOWED = '! Nothing may follow the array.';
const ENDED = '! The body ends before the array does.';

describe.each(chunkings)('an array that arrives %s', (_name, chunked) => {
  it.each([
    ['of objects', '[{"a":1},{"b":2}]', ['{"a":1}', '{"b":2}']],
    ['with white space', ' \r\n[\t{"a" : 1} ,\n 2 ] \n', ['{"a" : 1}', '2']],
    ['of anything', '[1,"x",null,true,[[]],{},-1.5e3]', ['1', '"x"', 'null', 'true', '[[]]', '{}', '-1.5e3']],
    [
      'with brackets, quotes and commas in strings',
      '[{"a":"]},["},"\\"],[\\\\",7]',
      ['{"a":"]},["}', '"\\"],[\\\\"', '7'],
    ],
    ['of nested values', '[{"a":[{"b":[]},{}]},[1,[2]]]', ['{"a":[{"b":[]},{}]}', '[1,[2]]']],
    ['with characters of several bytes', '["é€😀",{"😀":1}]', ['"é€😀"', '{"😀":1}']],
    ['that is empty', ' [ ] ', []],
    ['of records of the maximum size', `["${'x'.repeat(MAX - 2)}",1]`, [`"${'x'.repeat(MAX - 2)}"`, '1']],
    ['that is not an array', '{"a":1}', [NO_ARRAY]],
    ['without a comma', '[1 2]', ['1', NO_COMMA]],
    ['without a comma between objects', '[{}{}]', ['{}', NO_COMMA]],
    ['with a comma at its end', '[1,]', ['1', MISSING]],
    ['with a comma at its beginning', '[,1]', [MISSING]],
    ['with two commas', '[1,,2]', ['1', MISSING]],
    ['closed by a brace', '[1}', ['1', NO_COMMA]],
    ['followed by another', '[1][2]', ['1', FOLLOWED]],
    ['that ends within a record', '[{"a":1},{"b', ['{"a":1}', ENDED]],
    ['that ends after a record', '[{"a":1}', ['{"a":1}', ENDED]],
    ['that ends after a comma', '[1,', ['1', ENDED]],
    ['with a string that is not closed', '[1,"2,3]', ['1', ENDED]],
  ])('%s', (_what, text, records) => {
    expect(split(new ArraySplitter(MAX), chunked(text))).toEqual(records);
  });

  it('reports a record that is too large before its end', () => {
    const [first, second] = split(new ArraySplitter(MAX), chunked(`[0,"${'x'.repeat(3 * MAX)}`));
    expect([first, second]).toEqual(['0', '(too large)']);
  });
});

/** The same bytes, split at random positions. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

const places = fc.array(fc.nat(), { maxLength: 40 });
const white = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 3 });
const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });

describe('for any split of a body', () => {
  it('the lines are the same', () => {
    const line = fc.oneof(
      value.map((json) => JSON.stringify(json)),
      fc.constantFrom('', ' ', '{', '"', 'x'.repeat(MAX + 1)),
    );
    const body = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 20 });
    fc.assert(
      fc.property(body, places, (lines, cuts) => {
        const text = lines.flat().join('');
        const records = split(new LineSplitter(MAX), cut(Buffer.from(text), cuts));
        const expected = text.split(/\r?\n/).filter((each) => each.trim() !== '');
        expect(records).toEqual(
          expected.map((each) => (Buffer.byteLength(each) > MAX ? '(too large)' : each)),
        );
      }),
    );
  });

  it('the elements of an array are the same', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 20 }),
        white,
        fc.nat(3),
        places,
        (values, gap, indent, cuts) => {
          const texts = values.map((json) => JSON.stringify(json, null, indent));
          const body = Buffer.from(`${gap}[${gap}${texts.join(`${gap},${gap}`)}${gap}]${gap}`);
          expect(split(new ArraySplitter(1_000_000), cut(body, cuts))).toEqual(texts);
        },
      ),
    );
  });

  it('the result for any bytes is the same', () => {
    const bytes = fc
      .string({ unit: fc.constantFrom(...'[]{}",\\:1a é\n'), maxLength: 60 })
      .map((text) => Buffer.from(`[${text}`));
    fc.assert(
      fc.property(bytes, places, (body, cuts) => {
        for (const Splitter of [LineSplitter, ArraySplitter]) {
          const inOne = split(new Splitter(MAX), [body]);
          expect(split(new Splitter(MAX), cut(body, cuts))).toEqual(inOne);
        }
      }),
    );
  });

  it('arrays are accepted exactly if the JSON parser accepts them and their elements', () => {
    const text = fc.string({ unit: fc.constantFrom(...'[]{}",\\:1a \n'), maxLength: 12 });
    fc.assert(
      fc.property(text, (inner) => {
        const body = `[${inner}]`;
        const records = split(new ArraySplitter(MAX), [Buffer.from(body)]);
        const isTaken = records.every((record) => !record.startsWith('!') && isJson(record));
        expect(isTaken).toBe(isJson(body));
      }),
      { numRuns: 2_000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
