import { expect, it } from 'vitest';
import { returnPath } from './return-path.js';

it.each([
  [undefined, '/console'],
  ['/console/accounts?sort=name#top', '/console/accounts?sort=name#top'],
  ['/console', '/console'],
  ['//evil.example', '/console'],
  ['/\\evil.example', '/console'],
  ['\\\\evil.example', '/console'],
  ['/console/..//evil.example', '/console'],
  ['/console/%2e%2e//evil.example', '/console'],
  ['/console/\\evil.example', '/console//evil.example'],
  ['/%2f%2fevil.example', '/console'],
  ['https://evil.example/console', '/console'],
  ['javascript:alert(1)', '/console'],
  ['/consolex', '/console'],
  ['/api/v2/session', '/console'],
  ['/\t/evil.example', '/console'],
  ['/console/\r\nset-cookie: a=b', '/console/set-cookie:%20a=b'],
  [`/console/${'x'.repeat(2_000)}`, '/console'],
  ['/console/ä', '/console/%C3%A4'],
])('for %j the page after a sign-in is %j', (requested, expected) => {
  expect(returnPath(requested)).toBe(expected);
});
