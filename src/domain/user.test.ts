import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SCOPES } from './api-key.js';
import { canonicalEmail, canonicalUserName, isUserId, newUserId, ROLES, scopesOf } from './user.js';

describe('roles', () => {
  it('have these scopes, each those of the ones before', () => {
    expect(ROLES.map((role) => [role, scopesOf(role)])).toEqual([
      ['viewer', ['read']],
      ['editor', ['read', 'sync']],
      ['admin', ['read', 'sync', 'admin']],
    ]);
    expect([...scopesOf('admin')].sort()).toEqual([...SCOPES].sort());
  });
});

describe('the id of a user', () => {
  it('is a prefix and eight characters, and no id of a key', () => {
    expect(newUserId((length) => Uint8Array.from({ length }, (_, i) => i + 9))).toBe('usr_9ABCDEFG');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 400, maxLength: 400 }), (bytes) => {
        let at = 0;
        const id = newUserId((length) => {
          at += length;
          return at <= bytes.length ? bytes.slice(at - length, at) : new Uint8Array(length);
        });
        expect(id).toMatch(/^usr_[0-9A-Za-z]{8}$/);
        expect(isUserId(id)).toBe(true);
      }),
    );
  });

  it.each(['s7Hxe4X9', 'usr', 'usr1a2b3', 'USR_1234', ''])('is not %j', (id) => {
    expect(isUserId(id)).toBe(false);
  });
});

describe('canonicalEmail', () => {
  it.each([
    ['someone@acme.example', 'someone@acme.example'],
    ['  Some.One+tag@ACME.Example\n', 'some.one+tag@acme.example'],
    ['u\u0308ber@acme.example', 'über@acme.example'],
    ['ÜBER@ACME.EXAMPLE', 'über@acme.example'],
    ['J\u030c@acme.example', '\u01f0@acme.example'],
    ['\u01f0@acme.example', '\u01f0@acme.example'],
    ['root@localhost', 'root@localhost'],
    [`${'a'.repeat(241)}@acme.example`, `${'a'.repeat(241)}@acme.example`],
  ])('of %j is %j', (text, email) => {
    expect(canonicalEmail(text)).toBe(email);
  });

  it.each([
    '',
    '@',
    'someone',
    'someone@',
    '@acme.example',
    'a@b@acme.example',
    'some one@acme.example',
    'someone@acme .example',
    'someone@acme.example, other@acme.example extra',
    'some\u0000one@acme.example',
    'some\u200bone@acme.example',
    'some\u202eone@acme.example',
    'someone@acme.example\nBcc: other@acme.example',
    `${'a'.repeat(242)}@acme.example`,
  ])('does not accept %j', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });

  it('is its own canonical form, and the same for other cases and white space around', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(part, part, (user, host) => {
        const email = canonicalEmail(`${user}@${host}`);
        fc.pre(email !== undefined);
        expect(canonicalEmail(email as string)).toBe(email);
        expect(canonicalEmail(` \t${user}@${host}\u00a0`)).toBe(email);
        expect((email as string).split('@')).toHaveLength(2);
        expect(email).not.toMatch(/\s/);
        expect((email as string).length).toBeLessThanOrEqual(254);
      }),
    );
  });
});

describe('canonicalUserName', () => {
  it.each([
    ['  Someone of Acme ', 'Someone of Acme'],
    ['Bjo\u0308rn', 'Björn'],
    ['王小明', '王小明'],
    ['x', 'x'],
    ['x'.repeat(200), 'x'.repeat(200)],
  ])('of %j is %j', (text, name) => {
    expect(canonicalUserName(text)).toBe(name);
  });

  it.each(['', ' \t\n', 'two\nlines', 'a\u0000b', 'a\u202eb', 'a\ud800b', 'x'.repeat(201)])(
    'does not accept %j',
    (text) => {
      expect(canonicalUserName(text)).toBeUndefined();
    },
  );

  it('is its own canonical form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 230 }), (text) => {
        const name = canonicalUserName(text);
        fc.pre(name !== undefined);
        expect(canonicalUserName(name as string)).toBe(name);
      }),
    );
  });
});
