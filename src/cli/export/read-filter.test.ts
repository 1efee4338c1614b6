import { describe, expect, it } from 'vitest';
import { readFilter } from './read-filter.js';

describe('a filter', () => {
  it.each([
    ['id_prefix=ac', { id_prefix: 'ac' }],
    ['name_prefix=a=b', { name_prefix: 'a=b' }],
    ['attribute=custom_Tier:gold', { attribute: 'custom_Tier:gold' }],
    ['parent=', { parent: '' }],
  ])('%s is read', (text, filter) => {
    expect(readFilter(text)).toEqual(filter);
  });

  it.each(['', 'parent', 'tier=gold', 'sort=id', '=acme', 'toString=1'])('%j is rejected', (text) => {
    expect(() => readFilter(text)).toThrow(
      'Give id_prefix=…, name_prefix=…, parent=<account_id>, attribute=<name>:<value> or updated_since=<time>.',
    );
  });

  it('is accepted only once', () => {
    expect(() => readFilter('parent=acme', { id_prefix: 'ac' })).toThrow('Use only one --filter.');
  });
});
