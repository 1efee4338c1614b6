import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../terminal/command-line.js';
import { type JsonRecord, jsonRecords, ndjsonRecords } from './json-records.js';

async function* given(pieces: readonly string[]): AsyncGenerator<string, void> {
  yield* pieces;
}

/** The records, followed by the error message if there is one. */
async function collect(
  batches: AsyncIterable<readonly JsonRecord[]>,
): Promise<readonly (readonly [line: number, text: string] | string)[]> {
  const records: (readonly [number, string] | string)[] = [];
  try {
    for await (const batch of batches) records.push(...batch.map(({ line, text }) => [line, text] as const));
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    records.push(error.message);
  }
  return records;
}

/** The same text, split at random positions. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end));
}

const lineOf = (text: string) => text.split('\n').length;
const places = fc.array(fc.nat(), { maxLength: 40 });
const value = fc.jsonValue({ maxDepth: 3 });
const MI = 1024 * 1024;

describe('NDJSON', () => {
  it('yields each line with its number, without parsing it', async () => {
    const text = '{"a":1}\r\n\n  {"b" : 2} \n\t\r\nnonsense\r\r\n[1]';
    const records = [
      [1, '{"a":1}'],
      [3, '  {"b" : 2} '],
      [5, 'nonsense\r'],
      [6, '[1]'],
    ];
    expect(await collect(ndjsonRecords(given([text])))).toEqual(records);
    expect(await collect(ndjsonRecords(given([...text])))).toEqual(records);
  });

  it('can be empty', async () => {
    expect(await collect(ndjsonRecords(given(['', '\n', ' ', '\n'])))).toEqual([]);
  });

  it('can have long lines up to the limit', async () => {
    const pieces = (count: number) => ['1\n\n', ...Array<string>(count).fill('x'.repeat(MI / 2))];
    const long = await collect(ndjsonRecords(given([...pieces(20), '\n2'])));
    expect(long.map(([line, text]) => [line, String(text).length])).toEqual([
      [1, 1],
      [3, 10 * MI],
      [4, 1],
    ]);
    expect(await collect(ndjsonRecords(given([...pieces(20), 'x\n2'])))).toEqual([
      [1, '1'],
      'Line 3 is longer than 10,485,760 characters. Write one record per line.',
    ]);
  });

  it('yields the same records for any split', async () => {
    const lines = fc.array(fc.tuple(value, fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(lines, places, async (values, cuts) => {
        let text = '';
        const expected: [number, string][] = [];
        for (const [json, end] of values) {
          expected.push([lineOf(text), JSON.stringify(json)]);
          text += JSON.stringify(json) + end;
        }
        expect(await collect(ndjsonRecords(given(cut(text, cuts))))).toEqual(expected);
      }),
    );
  });
});

describe('a JSON array', () => {
  it.each([
    [
      'in one line',
      '[{"a":"]\\n"},2]',
      [
        [1, '{"a":"]\\n"}'],
        [1, '2'],
      ],
    ],
    [
      'over several lines',
      '\r\n[\n{\n"é": 1\n}\n,\n\n2]\n',
      [
        [3, '{\n"é": 1\n}'],
        [8, '2'],
      ],
    ],
    ['that is empty', '[\n]', []],
    [
      'without a comma',
      '[\n{\n}\n{}]',
      [[2, '{\n}'], 'Line 4: A comma or the end of the array has to come before this record.'],
    ],
    ['without a record', '[1,\n]', [[1, '1'], 'Line 2: The record is missing.']],
    ['with text after it', '[]\n\n{}', ['Line 3: Nothing may follow the array.']],
    [
      'that is not closed',
      '[1,\n{\n',
      [[1, '1'], 'Line 2: The file ends before the array does. Get a complete copy, or close the array.'],
    ],
    [
      'that does not start',
      ' \n',
      ['Line 2: The file ends before the array does. Get a complete copy, or close the array.'],
    ],
    [
      'that is not an array',
      '\n{}',
      ['This is not a JSON array. Give its format: --format ndjson or --format csv.'],
    ],
  ])('%s', async (_what, text, records) => {
    const inPieces = await collect(jsonRecords(given([...text])));
    expect(inPieces).toEqual(records);
    // Records in the same piece as an error are not yielded.
    const isBroken = typeof records.at(-1) === 'string';
    const inOne = await collect(jsonRecords(given([text])));
    expect(isBroken ? inOne.at(-1) : inOne).toEqual(isBroken ? records.at(-1) : records);
  });

  it('has a limit for the size of a record', async () => {
    const pieces = ['[1\n,\n"', ...Array<string>(21).fill('x'.repeat(MI / 2))];
    expect(await collect(jsonRecords(given(pieces)))).toEqual([
      [1, '1'],
      'Line 3: The record that starts there is larger than 10,485,760 bytes.',
    ]);
  });

  it('yields the same records for any split', async () => {
    const gap = fc.constantFrom('', ' ', '\n', '\r\n\r\n');
    const elements = fc.array(fc.tuple(value, gap), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(elements, fc.nat(2), places, async (values, indent, cuts) => {
        let text = '\n[';
        const expected: [number, string][] = [];
        for (const [json, white] of values) {
          text += (expected.length === 0 ? '' : ',') + white;
          const element = JSON.stringify(json, null, indent);
          expected.push([lineOf(text), element]);
          text += element + white;
        }
        expect(await collect(jsonRecords(given(cut(`${text}]\n`, cuts))))).toEqual(expected);
      }),
    );
  });
});
