import { describe, expect, it } from 'vitest';
import { canonicalHost, isHostName } from './host-name.js';

describe('a host name', () => {
  it.each([
    ['Sync.Acme.Example', 'sync.acme.example'],
    ['sync.acme.example.', 'sync.acme.example'],
    ['LOCALHOST', 'localhost'],
  ])('%s is stored as %s', (sent, kept) => {
    expect(canonicalHost(sent)).toBe(kept);
    expect(isHostName(kept)).toBe(true);
  });

  it.each([
    '',
    '.',
    'a..b',
    'https://acme.example',
    'acme.example:80',
    'acme.example/x',
    'ä.example',
    `${'a'.repeat(64)}.example`,
  ])('%j is rejected', (text) => {
    expect(isHostName(canonicalHost(text))).toBe(false);
  });
});
