import { expect, it } from 'vitest';
import { readKind } from './change-kind.js';

it.each([
  [null, 1, 'created', false],
  [null, 2, 'updated', false],
  ['created', 3, 'created', false],
  ['deleted', 4, 'deleted', true],
  ['erased created', 1, 'created', true],
  // As earlier versions left it where two deleted an account at the same moment.
  ['erased erased updated', 2, 'updated', true],
] as const)('%s at revision %d stands for %s', (stored, revision, kind, isErased) => {
  expect(readKind({ kind: stored, revision })).toEqual({ kind, isErased });
});
