import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOfText, csvRow, textOfCell } from './cells.js';

/** Texts in which what is special stands in every place. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '＝', '\t', '\r', '\n', ' ', '"', ',', 'a') }),
);

describe('a text in a cell', () => {
  it('comes back as it was', () => {
    fc.assert(fc.property(anyText, (text) => textOfCell(cellOfText(text)) === text));
  });

  it('never begins as a formula does, and is never nothing', () => {
    fc.assert(fc.property(anyText, (text) => /^[^=+\-@\t\r\n＝＋－＠]/.test(cellOfText(text))));
  });

  it.each([
    ['', "'"],
    ['=1+1', "'=1+1"],
    ['-5', "'-5"],
    ['@here', "'@here"],
    ['＝1', "'＝1"],
    ["'tis", "''tis"],
    ["O'Brien", "O'Brien"],
    ['25', '25'],
  ])('%j is written %s', (text, cell) => {
    expect(cellOfText(text)).toBe(cell);
  });

  it('written by hand with an apostrophe that guards nothing keeps it', () => {
    expect(textOfCell("'tis")).toBe("'tis");
  });
});

describe('a row', () => {
  it('quotes what any reader might take for a delimiter, and white space at the ends', () => {
    expect(csvRow(['a', 'b,c', 'd;e', 'f"g', 'h\r\ni', ' j', 'k\t', 'l|m', ''])).toBe(
      'a,"b,c","d;e","f""g","h\r\ni"," j","k\t","l|m",',
    );
    expect(csvRow(['a^b', 'c'], '^')).toBe('"a^b"^c');
  });
});
