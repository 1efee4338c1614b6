import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linesOf } from './export-csv.js';

it('yields every line for any split into pieces', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', '\u2028', '\r', '{') });
  await fc.assert(
    fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 5 }), async (lines, size) => {
      const text = lines.map((each) => `${each}\n`).join('');
      async function* pieces() {
        for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
      }
      const found: string[] = [];
      for await (const each of linesOf(pieces())) found.push(each);
      expect(found).toEqual(lines);
    }),
  );
});
