import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.js';

const message = 'The body may not contain the key __proto__.';

const escaped = (character: string) =>
  fc
    .constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
    )
    .map((cased) => {
      const digits = character.charCodeAt(0).toString(16).padStart(4, '0');
      return `\\u${cased(digits)}`;
    });
const spelled = (key: string) =>
  fc.tuple(...[...key].map((one) => fc.oneof(fc.constant(one), escaped(one)))).map((all) => all.join(''));

describe('the key __proto__', () => {
  it('is rejected with any escapes and at any depth', () => {
    const around = fc.constantFrom(
      (object: string) => object,
      (object: string) => `[1, {"a": [null, ${object}]}]`,
      (object: string) => `{"__proto": "", "b": ${object}}`,
    );
    fc.assert(
      fc.property(spelled('__proto__'), around, (key, within) => {
        expect(() => parseJson(Buffer.from(within(`{"${key}": {"name": "a"}}`)))).toThrow(message);
      }),
    );
  });

  it('is accepted as a value or as a part of a key', () => {
    const value = { a: '__proto__', __proto: 1, 'x\u0001__proto__': ['__proto__'] };
    expect(parseJson(Buffer.from(JSON.stringify(value)))).toEqual(value);
  });
});

describe('invalid JSON', () => {
  const problem = (filling: number) => () => parseJson(Buffer.from(`["${'x'.repeat(filling)}",\n }`));

  it('is reported with its position', () => {
    expect(problem(9)).toThrow('The body is not valid JSON: unexpected character at line 2, column 2.');
  });

  it('is reported without a position if it is long, since the search would take long', () => {
    expect(problem(256 * 1024)).toThrow('The body is not valid JSON.');
  });
});
