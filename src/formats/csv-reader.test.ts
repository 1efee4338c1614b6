import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRow } from './csv-cells.js';
import { BrokenCsv, type BrokenRow, CsvReader, type CsvRow } from './csv-reader.js';

const MAX = 1_000;

/** The rows of a text that arrives in pieces, followed by the error message if there is one. */
function read(pieces: readonly string[], delimiter = ','): (CsvRow | BrokenRow | string)[] {
  const reader = new CsvReader(delimiter, MAX);
  const rows: (CsvRow | BrokenRow | string)[] = [];
  try {
    for (const piece of pieces) rows.push(...reader.push(piece));
    rows.push(...reader.end());
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    rows.push(error.message);
  }
  return rows;
}

const row = (line: number, ...cells: string[]) => ({ line, cells });
const broken = (line: number, text: string, cell: number) => ({
  line,
  text,
  problem: `Text follows the closing quote of cell ${cell}; quotes inside a quoted cell are written twice.`,
});
const unclosed = (line: number, cell: number) =>
  `Line ${line}: the quoted cell ${cell} that begins there has no end. Close the quote, or write quotes inside the cell twice.`;
const tooLong = (line: number) =>
  `Line ${line}: the row is longer than 1,000 characters. If a quote in it is not closed, close it, or write quotes inside the cell twice.`;

describe.each([
  ['in one piece', (text: string) => [text]],
  ['character by character', (text: string) => [...text]],
])('CSV that arrives %s', (_name, pieces) => {
  it.each([
    ['keeps cells unchanged', 'a, b ,\tc\n1,,\n', [row(1, 'a', ' b ', '\tc'), row(2, '1', '', '')]],
    ['can lack the last line end', 'a,b\n1,2', [row(1, 'a', 'b'), row(2, '1', '2')]],
    ['can end with a delimiter', 'a,', [row(1, 'a', '')]],
    ['can end with a quoted cell', 'a,"b"', [row(1, 'a', 'b')]],
    ['can have all kinds of line ends', 'a\r\nb\rc\n"d"\re', 'abcde'.split('').map((c, i) => row(i + 1, c))],
    ['skips blank rows, but counts their lines', '\n \r\n\ra\r\r\n\n\t\nb\n ', [row(4, 'a'), row(8, 'b')]],
    ['can have rows with only delimiters', ',\n" "\n""', [row(1, '', ''), row(2, ' '), row(3, '')]],
    ['can have delimiters and quotes in quotes', '"a,""b""","""",""', [row(1, 'a,"b"', '"', '')]],
    [
      'can have line ends in quotes',
      'x,"1\n2\r\n3\r4\r"\ny,"\n"\r\nz',
      [row(1, 'x', '1\n2\r\n3\r4\r'), row(6, 'y', '\n'), row(8, 'z')],
    ],
    ['can have quotes within plain cells', 'a"b",5" "x""\n "a"', [row(1, 'a"b"', '5" "x""'), row(2, ' "a"')]],
    [
      'reports text after a quote, and continues',
      'a\n1,2,"abc"def,"g\nb\n',
      [row(1, 'a'), broken(2, '1,2,"abc"def,"g', 3), row(3, 'b')],
    ],
    [
      'can have broken rows over several lines and at the end',
      '"\r\n","\n"x\r\nb\n"c" ',
      [broken(1, '"\r\n","\n"x', 2), row(4, 'b'), broken(5, '"c" ', 1)],
    ],
    ['fails if a quoted cell is not closed', 'a\n"b\n","c\n\n', [row(1, 'a'), unclosed(3, 2)]],
    ['fails if it ends with an opening quote', '1,"', [unclosed(1, 2)]],
    ['can have rows of the maximum length', `${'x'.repeat(MAX)}\n1`, [row(1, 'x'.repeat(MAX)), row(2, '1')]],
    ['fails for longer rows', `\n${'x'.repeat(MAX + 1)}\n1`, [tooLong(2)]],
    ['fails for a quoted cell without an end', `\n"${'x\n'.repeat(MAX)}`, [tooLong(2)]],
    ['can be empty', '', []],
  ])('%s', (_what, text, rows) => {
    expect(read(pieces(text))).toEqual(rows);
  });
});

/** The same text, split at random positions. */
function cut(text: string, places: readonly number[]): string[] {
  const ends = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end));
}

const places = fc.array(fc.nat(), { maxLength: 40 });
const cell = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.string({ unit: fc.constantFrom(...'",;\t|\r\n a\u00a0'), maxLength: 8 }),
);
const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

describe('for any split of CSV', () => {
  it('tables are restored, with the line numbers of their rows', () => {
    const table = fc.array(fc.tuple(fc.array(cell, { maxLength: 5 }), lineEnd), { maxLength: 10 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.boolean(),
        places,
        (rows, delimiter, isEnded, cuts) => {
          let text = '';
          const expected: CsvRow[] = [];
          for (const [cells, end] of rows) {
            const written = csvRow(cells, delimiter);
            const line = 1 + (text.match(/\r\n|\r|\n/g)?.length ?? 0);
            if (written !== '') expected.push({ line, cells });
            text += written + end;
          }
          if (!isEnded) text = text.replace(/[\r\n]+$/, '');
          expect(read(cut(text, cuts), delimiter)).toEqual(expected);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('the result for any text is the same', () => {
    const text = fc.string({ unit: fc.constantFrom(...'"",\r\n a'), maxLength: 40 });
    fc.assert(
      fc.property(text, places, (whole, cuts) => {
        expect(read(cut(whole, cuts))).toEqual(read([whole]));
      }),
      { numRuns: 2_000 },
    );
  });

  it('a large cell is read in pieces', () => {
    const cells = ['a', '"x"\r\n'.repeat(200_000)];
    const text = `${csvRow(cells)}\nb`;
    const reader = new CsvReader(',');
    const rows: (CsvRow | BrokenRow)[] = [];
    for (let at = 0; at < text.length; at += 65_536) rows.push(...reader.push(text.slice(at, at + 65_536)));
    rows.push(...reader.end());
    expect(rows.map(({ line }) => line)).toEqual([1, 200_002]);
    expect((rows[0] as CsvRow).cells[1] === cells[1]).toBe(true);
  });
});
