import { expect, it } from 'vitest';
import { readKind } from './change-kind.js';

it.each([
  [null, 1, 'created', false],
  [null, 2, 'updated', false],
  ['created', 3, 'created', false],
  ['deleted', 4, 'deleted', true],
  ['erased created', 1, 'created', true],
  // Written by versions before 0.7.0 when two requests deleted an account at the same time.
  ['erased erased updated', 2, 'updated', true],
] as const)('the stored kind %s at revision %d means %s', (stored, revision, kind, isErased) => {
  expect(readKind({ kind: stored, revision })).toEqual({ kind, isErased });
});
