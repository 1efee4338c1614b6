import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPassword, passwordWeakness } from './password.js';

const USER = { email: 'someone@acme.example', name: 'Someone of Acme' };
const weakness = (password: string) => passwordWeakness(password, USER);
/** One character each, some of two UTF-16 units. */
const anyCharacter = fc.constantFrom(...'abcdefgABCDEFG01234567!?_- ñ漢я', '😀', '🔑', '𝔘');

describe('canonicalPassword', () => {
  it('is the same whether a keyboard composes characters or not, and changes nothing else', () => {
    expect(canonicalPassword('caf\u00e9 cre\u0300me')).toBe(canonicalPassword('cafe\u0301 cr\u00e8me'));
    expect(canonicalPassword('  Two  Spaces, ﬁ ')).toBe('  Two  Spaces, ﬁ ');
  });

  it('is its own canonical form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(canonicalPassword(canonicalPassword(text))).toBe(canonicalPassword(text));
      }),
    );
  });
});

describe('passwordWeakness', () => {
  it.each([
    'correct horse battery',
    'abcde       ',
    '            abcd',
    'пароль длиной',
    '密码密码密码一二三四五六',
    '😀🔑🎉🌍🚀😀🔑🎉🌍🚀😀🔑',
    'someone@acme.example!',
    '123456789012',
  ])('accepts %j', (password) => {
    expect(weakness(password)).toBeUndefined();
  });

  it.each([
    ['', 'must have at least 12 characters'],
    ['abcdefghijk', 'must have at least 12 characters'],
    ['😀🔑🎉🌍🚀😀🔑🎉🌍🚀😀', 'must have at least 12 characters'],
    // Eleven characters, of which the last is typed as two.
    ['abcdefghije\u0301', 'must have at least 12 characters'],
    [`${'abcde'.repeat(26)}`, 'must have at most 128 characters'],
    ['aaaaaaaaaaaa', 'must have at least 5 different characters'],
    ['abcdabcdabcd', 'must have at least 5 different characters'],
    ['😀🔑🎉🌍😀🔑🎉🌍😀🔑🎉🌍', 'must have at least 5 different characters'],
    [USER.email, 'must not be the e-mail address or the name'],
    ['Someone@ACME.example', 'must not be the e-mail address or the name'],
    [USER.name, 'must not be the e-mail address or the name'],
    ['SOMEONE OF ACME', 'must not be the e-mail address or the name'],
  ])('rejects %j: %s', (password, reason) => {
    expect(weakness(password)).toBe(reason);
  });

  it('counts characters, not bytes or UTF-16 units, from 12 to 128', () => {
    const start = ['a', 'b', 'c', 'd', 'e'];
    fc.assert(
      fc.property(fc.array(anyCharacter, { minLength: 0, maxLength: 140 }), (rest) => {
        const password = [...start, ...rest];
        const expected =
          password.length < 12
            ? 'must have at least 12 characters'
            : password.length > 128
              ? 'must have at most 128 characters'
              : undefined;
        expect(weakness(password.join(''))).toBe(expected);
      }),
    );
    expect(weakness([...start, ...Array(7).fill('😀')].join(''))).toBeUndefined();
    expect(weakness([...start, ...Array(123).fill('😀')].join(''))).toBeUndefined();
    expect(weakness([...start, ...Array(124).fill('😀')].join(''))).toBe('must have at most 128 characters');
  });

  it('needs five different characters, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(anyCharacter, { minLength: 12, maxLength: 128 }), (characters) => {
        const isTooUniform = new Set(characters).size < 5;
        expect(weakness(characters.join(''))).toBe(
          isTooUniform ? 'must have at least 5 different characters' : undefined,
        );
      }),
    );
  });

  it('is the same for a password that is typed decomposed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        expect(weakness(text.normalize('NFD'))).toBe(weakness(text.normalize('NFC')));
      }),
    );
  });
});
