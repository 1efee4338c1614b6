import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json.js';

const refusal = 'The body may not contain the key __proto__.';

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
  it('is refused however it is spelled, and wherever it stands', () => {
    const around = fc.constantFrom(
      (object: string) => object,
      (object: string) => `[1, {"a": [null, ${object}]}]`,
      (object: string) => `{"__proto": "", "b": ${object}}`,
    );
    fc.assert(
      fc.property(spelled('__proto__'), around, (key, within) => {
        expect(() => parseJson(Buffer.from(within(`{"${key}": {"name": "a"}}`)))).toThrow(refusal);
      }),
    );
  });

  it('is a text like any other where it is a value, or part of a key', () => {
    const value = { a: '__proto__', __proto: 1, 'x\u0001__proto__': ['__proto__'] };
    expect(parseJson(Buffer.from(JSON.stringify(value)))).toEqual(value);
  });
});

describe('what is no JSON', () => {
  const problem = (filling: number) => () => parseJson(Buffer.from(`["${'x'.repeat(filling)}",\n }`));

  it('is told with its place', () => {
    expect(problem(9)).toThrow('The body is not valid JSON: unexpected character at line 2, column 2.');
  });

  it('is told without one where it is long, as everybody else would wait for the search', () => {
    expect(problem(256 * 1024)).toThrow('The body is not valid JSON.');
  });
});
