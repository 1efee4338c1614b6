import { describe, expect, it } from 'vitest';
import { accountIdsOf, rejectedId } from './identifier.js';

const LONGEST = 'é'.repeat(191);

describe('the id of a rejection', () => {
  it.each([
    ['as it was sent', ' Acme ', 'Acme'],
    ['of a number', 7, '7'],
    ['of nothing', null, null],
    ['of white space', ' \t', null],
    ['of another type', { id: 'acme' }, null],
    ['with a replacement for a NUL', 'acme\0', 'acme\uFFFD'],
    ['with a replacement for half a pair', 'ac\ud800me', 'ac\uFFFDme'],
    ['shortened if no account can have it', 'x'.repeat(300), 'x'.repeat(191)],
    ['in full if an account can have it', LONGEST.normalize('NFD'), LONGEST.normalize('NFD')],
    ['without replacement characters that make it too long', `${'\0'.repeat(200)}acme`, 'acme'],
  ])('is stored %s', (_how, sent, kept) => {
    expect(rejectedId(sent)).toBe(kept);
  });

  it.each([
    ['case and white space', ' ACME ', 'acme'],
    ['a NUL after it', 'acme\0', 'acme'],
    ['a space and a NUL after it', 'Acme \0', 'acme'],
    ['a NUL before and inside it', '\0ac\0me', 'acme'],
    ['half a pair', 'acme\udc00', 'acme'],
    ['many NULs', `acme${'\0'.repeat(3_000)}`, 'acme'],
    ['another normal form', LONGEST.normalize('NFD'), LONGEST],
    ['another normal form and case', LONGEST.toUpperCase().normalize('NFD'), LONGEST],
    ['an international domain', 'BÜCHER.example.com', 'xn--bcher-kva.example.com'],
    ['an international domain as text', 'BÜCHER.example.com', 'bücher.example.com'],
    ['characters that domains ignore', `acme.com${'\u00ad'.repeat(240)}`, 'acme.com'],
    ['a replacement that is part of it', 'acme\uFFFD', 'acme\uFFFD'],
  ])('belongs to its account: %s', (_how, sent, account) => {
    expect(accountIdsOf(rejectedId(sent) ?? '')).toContain(account);
  });

  it('does not belong to another account', () => {
    expect(accountIdsOf('acme-2')).toEqual(['acme-2']);
    expect(accountIdsOf('\uFFFD')).toEqual(['\uFFFD']);
  });
});
