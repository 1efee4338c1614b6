import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashKey } from './api-key.js';
import { isLinkToken, LINK_VALIDITY_MS, linkUrl, newLinkToken } from './one-time-link.js';

test('a token has 32 random bytes in base64url, and its hash finds it', () => {
  const tokens = Array.from({ length: 200 }, () => newLinkToken(randomBytes));
  expect(new Set(tokens.map(({ token }) => token)).size).toBe(200);
  for (const { token, hash } of tokens) {
    const secret = token.slice('lnk_'.length);
    expect(token).toMatch(/^lnk_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(isLinkToken(token)).toBe(true);
    expect(hash).toBe(hashKey(token));
  }
});

const TOKEN = `lnk_${Buffer.alloc(32).toString('base64url')}`;

test.each([
  ['nothing', ''],
  ['an API key', 'acs_AbCdEfGh_0123456789abcdefghijklmnopqrstuvwxyzAB'],
  ['another prefix', TOKEN.replace('lnk_', 'LNK_')],
  ['a character too few', TOKEN.slice(0, -1)],
  ['a character too many', `${TOKEN}A`],
  ['a line break after it', `${TOKEN}\n`],
  ['a character of plain base64', TOKEN.replace('AAAA', 'AA+A')],
  ['a last character that no 32 bytes have', TOKEN.replace(/.$/, 'B')],
])('%s is no token', (_, text) => {
  expect(isLinkToken(TOKEN)).toBe(true);
  expect(isLinkToken(text)).toBe(false);
});

test('the token is in the fragment of the link', () => {
  expect(linkUrl('https://sync.example', TOKEN)).toBe(`https://sync.example/console/welcome#${TOKEN}`);
  expect(linkUrl('https://sync.example/', TOKEN)).toBe(`https://sync.example/console/welcome#${TOKEN}`);
});

test('an invitation is valid for 7 days, a link to set a password for one', () => {
  expect(LINK_VALIDITY_MS).toEqual({ invitation: 604_800_000, password: 86_400_000 });
});
