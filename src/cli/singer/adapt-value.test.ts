import { describe, expect, it } from 'vitest';
import { readValue } from '../../domain/attribute-types.js';
import { adaptValue } from './adapt-value.js';

describe('adapted is', () => {
  it.each([
    ['date', '2015-01-31T00:00:00Z', '2015-01-31'],
    ['date', '2015-01-31T00:00:00.000000Z', '2015-01-31'],
    ['date', '2015-01-31T00:00:00+00:00', '2015-01-31'],
    ['date', '2015-01-31T00:00:00', '2015-01-31'],
    ['text', 12345, '12345'],
    ['text', -7, '-7'],
  ])('for a %s: %s', (type, value, adapted) => {
    expect(adaptValue(value, type)).toBe(adapted);
  });
});

describe('left as it is, is', () => {
  it.each([
    ['date', '2015-01-31'],
    ['date', '2015-01-31T00:00:01Z'],
    ['date', '2015-01-31T00:00:00.000001Z'],
    ['date', '2015-01-31T00:00:00+02:00'],
    ['date', '2015-01-31T23:00:00-01:00'],
    ['date', ' 2015-01-31T00:00:00Z'],
    ['date', 1422662400],
    ['date', null],
    ['datetime', '2015-01-31T00:00:00Z'],
    ['datetime', '2015-01-31'],
    ['any: not declared', '2015-01-31T00:00:00Z'],
    ['any: not declared', 7],
    ['text', '7'],
    ['text', 1.5],
    ['text', 2 ** 53],
    ['text', true],
    ['text', null],
    ['text', { a: 1 }],
    ['integer', 7],
    ['integer', '7'],
    ['decimal', '12.50'],
    ['boolean', 1],
    ['choice: 1, 2', 1],
    ['id', 7],
  ])('for a %s: %s', (type, value) => {
    expect(adaptValue(value, type)).toBe(value);
  });
});

it.each([
  ['decimal', '1E+2', 100],
  ['decimal', '12.50', 12.5],
  ['integer', '12.0', 12],
] as const)('the server itself reads numbers that a tap sends as text: %s %s', (type, text, stored) => {
  expect(readValue(text, { type, choices: [] })).toBe(stored);
});
