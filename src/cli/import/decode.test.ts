import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommandFailed } from '../terminal/command-line.js';
import { decode, knowsEncoding } from './decode.js';

/** The same bytes, split at random positions. */
async function* cut(bytes: Buffer, places: readonly number[]): AsyncGenerator<Buffer, void> {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  for (const [i, end] of [...ends, bytes.length].entries()) {
    yield bytes.subarray(i === 0 ? 0 : ends[i - 1], end);
  }
}

/** The text, or the error message. */
async function decoded(bytes: AsyncIterable<Buffer>, encoding = 'utf-8'): Promise<string> {
  let text = '';
  try {
    for await (const piece of decode(bytes, encoding, 'a.csv')) text += piece;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return `! ${error.message}`;
  }
  return text;
}

const WHAT_TO_DO = 'Give its encoding, for example --encoding windows-1252 for a CSV file from Excel.';
const places = fc.array(fc.nat(), { maxLength: 40 });
const text = fc.string({ unit: fc.oneof(fc.constantFrom('é', '€', '😀'), fc.string({ unit: 'grapheme' })) });

describe('for any split of the bytes', () => {
  it('the text is the same', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', '\ufeff'), places, async (inner, mark, cuts) => {
        const expected = inner.replace(/^\ufeff/, '');
        fc.pre(expected === inner);
        const little = Buffer.from(mark + inner, 'utf16le');
        expect(await decoded(cut(Buffer.from(mark + inner), cuts))).toBe(inner);
        expect(await decoded(cut(little, cuts), 'utf-16le')).toBe(inner);
        expect(await decoded(cut(Buffer.from(little).swap16(), cuts), 'utf-16be')).toBe(inner);
      }),
    );
  });

  it('the position of the first invalid UTF-8 byte is reported', async () => {
    const bad = fc.constantFrom([0xe9, 0x74], [0xff], [0x80], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc0, 0x80]);
    await fc.assert(
      fc.asyncProperty(
        text,
        bad,
        fc.constantFrom('', 'abc', 'é'),
        places,
        async (good, wrong, rest, cuts) => {
          const bytes = Buffer.concat([Buffer.from(good), Buffer.from(wrong), Buffer.from(rest)]);
          const place = Buffer.byteLength(good) + 1;
          expect(await decoded(cut(bytes, cuts))).toBe(
            `! a.csv is not valid UTF-8 at byte ${place}. ${WHAT_TO_DO}`,
          );
        },
      ),
    );
  });
});

it('large pieces give the same result', async () => {
  const bytes = Buffer.concat([
    Buffer.from('é'.repeat(100_000)),
    Buffer.from('é', 'latin1'),
    Buffer.from('x'),
  ]);
  expect(await decoded(cut(bytes, [65_535, 131_071]))).toBe(
    `! a.csv is not valid UTF-8 at byte 200,001. ${WHAT_TO_DO}`,
  );
});

it('for other encodings, the last valid piece is reported', async () => {
  const halved = Buffer.from('ab', 'utf16le').subarray(0, 3);
  expect(await decoded(cut(halved, [2]), 'utf-16le')).toBe(
    `! a.csv is not valid UTF-16LE after byte 3. ${WHAT_TO_DO}`,
  );
});

it('encodings are known under all their names', async () => {
  expect(await decoded(cut(Buffer.from('é€', 'latin1'), []), 'latin1')).toBe('é¬');
  expect(await decoded(cut(Buffer.from([0x80]), []), 'Windows-1252')).toBe('€');
  expect(await decoded(cut(Buffer.from([0x93, 0xfa]), [1]), 'shift_jis')).toBe('日');
  expect(['utf-8', 'UTF8', 'cp1252', 'utf-9', ''].map(knowsEncoding)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
