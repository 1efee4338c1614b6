import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOfText, csvRow, textOfCell } from './csv-cells.js';

/** Texts with special characters in every position. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '＝', '\t', '\r', '\n', ' ', '"', ',', 'a') }),
  fc.string({ unit: fc.constantFrom("'", '=', '-', 'a', '\u00a0', '\ufeff', '\u200b', '\u0001', '\u3164') }),
);

describe('a text in a cell', () => {
  it('is restored unchanged', () => {
    fc.assert(fc.property(anyText, (text) => textOfCell(cellOfText(text)) === text));
  });

  it('never starts like a formula, and is never empty', () => {
    fc.assert(
      fc.property(anyText, (text) => /^(?![\s\p{C}\p{DI}]*[=+\-@＝＋－＠])[^\t\r\n]/u.test(cellOfText(text))),
    );
  });

  it.each([
    ['', "'"],
    ['=1+1', "'=1+1"],
    ['-5', "'-5"],
    ['@here', "'@here"],
    ['＝1', "'＝1"],
    ["'tis", "''tis"],
    [' =1', "' =1"],
    ['\u00a0=1', "'\u00a0=1"],
    ['\ufeff+1', "'\ufeff+1"],
    ['\u200b\u2060-1', "'\u200b\u2060-1"],
    ['\u0001@x', "'\u0001@x"],
    ['\u3164 ＝1', "'\u3164 ＝1"],
    [' \t\n=1', "' \t\n=1"],
    [' x=1', ' x=1'],
    ['\u00a0', '\u00a0'],
    ["O'Brien", "O'Brien"],
    ['25', '25'],
  ])('%j is written %s', (text, cell) => {
    expect(cellOfText(text)).toBe(cell);
  });

  it('keeps an apostrophe that is not a mark', () => {
    expect(textOfCell("'tis")).toBe("'tis");
  });
});

describe('a row', () => {
  it('quotes everything that a reader could treat as a delimiter, and white space at the ends', () => {
    expect(csvRow(['a', 'b,c', 'd;e', 'f"g', 'h\r\ni', ' j', 'k\t', 'l|m', ''])).toBe(
      'a,"b,c","d;e","f""g","h\r\ni"," j","k\t","l|m",',
    );
    expect(csvRow(['a^b', 'c'], '^')).toBe('"a^b"^c');
  });
});
