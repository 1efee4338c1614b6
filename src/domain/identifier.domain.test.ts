import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDomain } from './identifier.js';

const label63 = 'a'.repeat(63);
const nameOf = (length: number) => `${`${label63}.`.repeat(3)}${'a'.repeat(length - 196)}.com`;

describe('canonicalDomain', () => {
  it.each([
    ['a name below a suffix', 'example.com', 'example.com'],
    ['a name below a suffix of two labels', 'example.co.uk', 'example.co.uk'],
    ['a host below a name', 'a.b.example.com', 'a.b.example.com'],
    ['a name below a wildcard suffix', 'a.foo.ck', 'a.foo.ck'],
    ['the exception to a wildcard suffix', 'www.ck', 'www.ck'],
    ['a suffix that a company lets its customers use', 'github.io', 'github.io'],
    ['digits that are no address', '1.2.3.4.com', '1.2.3.4.com'],
    ['hyphens within a label', 'my--shop.com', 'my--shop.com'],
    ['an IDN', 'bücher.de', 'xn--bcher-kva.de'],
    ['an IDN in its ASCII form', 'xn--bcher-kva.de', 'xn--bcher-kva.de'],
    ['an IDN below an IDN suffix', 'пример.рф', 'xn--e1afmkfd.xn--p1ai'],
    ['a sharp s, which stays apart from ss', 'straße.de', 'xn--strae-oqa.de'],
    ['an emoji', '💩.la', 'xn--ls8h.la'],
    ['an ideographic full stop', 'example。com', 'example.com'],
    ['full-width letters', 'ｅｘａｍｐｌｅ.com', 'example.com'],
    ['a label of 63 characters', `${label63}.com`, `${label63}.com`],
    ['a name of 253 characters', nameOf(253), nameOf(253)],
  ])('accepts %s', (_, sent, stored) => {
    expect(canonicalDomain(sent)).toBe(stored);
  });

  it.each([
    ['an empty text', ''],
    ['a scheme', 'https://example.com'],
    ['a scheme without slashes', 'mailto:example.com'],
    ['a port', 'example.com:443'],
    ['a path', 'example.com/a'],
    ['a path with a backslash', 'example.com\\a'],
    ['a query', 'example.com?a'],
    ['a fragment', 'example.com#a'],
    ['a user', 'me@example.com'],
    ['a wildcard', '*.example.com'],
    ['a percent sign', 'ex%61mple.com'],
    ['a full-width percent sign', 'ex％61mple.com'],
    ['a full-width slash', 'example.com／a.com'],
    ['a trailing dot', 'example.com.'],
    ['a trailing ideographic full stop', 'example.com。'],
    ['a leading dot', '.example.com'],
    ['a leading label of nothing but a soft hyphen', '\u00ad.example.com'],
    ['an empty label in the middle', 'a..example.com'],
    ['an underscore', 'my_shop.com'],
    ['an underscore at the start', '_dmarc.example.com'],
    ['a full-width underscore', 'my＿shop.com'],
    ['a hyphen at the start of a label', 'www.-example.com'],
    ['a hyphen at the end of a label', 'example-.com'],
    ['white space within', 'exam ple.com'],
    ['a line break within', 'exam\nple.com'],
    ['a NUL', 'exam\0ple.com'],
    ['a lone surrogate', 'exam\ud800ple.com'],
    ['Punycode that decodes to nothing', 'xn--.com'],
    ['an IPv4 address', '127.0.0.1'],
    ['a short IPv4 address', '127.1'],
    ['a hexadecimal IPv4 address', '0x7f.1'],
    ['an octal IPv4 address', '0177.0.0.1'],
    ['an IPv4 address as one number', '2130706433'],
    ['an IPv4 address in full-width digits', '１２７.0.0.1'],
    ['an IPv6 address', '::1'],
    ['an IPv6 address in brackets', '[2001:db8::1]'],
    ['a single label', 'localhost'],
    ['a public suffix', 'com'],
    ['a public suffix of two labels', 'co.uk'],
    ['a public suffix by wildcard', 'foo.ck'],
    ['an IDN public suffix', 'рф'],
    ['an unknown suffix', 'example.invalid'],
    ['an unknown suffix below an IDN', 'bücher.local'],
    ['a label of 64 characters', `a${label63}.com`],
    ['an IDN label that is too long only in ASCII', `${'ü'.repeat(40)}${'я'.repeat(20)}.com`],
    ['a name of 254 characters', nameOf(254)],
    ['an IDN that is over 253 characters only in ASCII', `ö.${`${'a'.repeat(60)}.`.repeat(4)}com`],
  ])('rejects %s', (_, sent) => {
    expect(canonicalDomain(sent)).toBeUndefined();
  });

  it('returns a form that it accepts unchanged', () => {
    const unit = fc.constantFrom(
      ...'abz019-',
      'ü',
      'ß',
      'я',
      '中',
      '\u0301',
      '\u00ad',
      '。',
      'ａ',
      'ﬁ',
      '💩',
    );
    const labels = fc.array(fc.string({ unit, minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });
    const suffix = fc.constantFrom('com', 'co.uk', 'рф', 'de');
    fc.assert(
      fc.property(labels, suffix, (names, end) => {
        const stored = canonicalDomain([...names, end].join('.'));
        fc.pre(stored !== undefined);
        expect(stored).toMatch(/^[a-z0-9.-]+$/);
        expect(canonicalDomain(stored)).toBe(stored);
      }),
      { numRuns: 500 },
    );
  });
});
