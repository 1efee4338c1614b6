import type { Change } from '@account-sync/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeChange } from './changes.js';

const CHANGE: Change = {
  cursor: '0~12',
  account_id: 'acme',
  revision: 2,
  kind: 'updated',
  at: '2027-01-31T12:00:00.000Z',
  request_id: 'r',
  key_id: 'k',
  user: null,
  source: 'crm',
  run_id: '3',
  is_erased: false,
  changes: [],
};
const BEGIN = '0~12  2027-01-31T12:00:00.000Z  crm  acme  updated';

describe('a change in one line', () => {
  it('shows values as JSON and absent values as a dash', () => {
    const changes = [
      { field: 'licenses', from: 25, to: 30 },
      { field: 'name', from: null, to: 'Acme "Inc."' },
      { field: 'custom_Tags', from: ['a', { b: true }], to: null },
    ];
    expect(describeChange({ ...CHANGE, changes })).toBe(
      `${BEGIN}  licenses 25 → 30, name – → "Acme \\"Inc.\\"", custom_Tags ["a",{"b":true}] → –`,
    );
  });

  it('shows at most eight fields, and forty characters of each name and value', () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ field: `f${index}`, from: 0, to: 1 }));
    const shown = fields(8).map(({ field }) => `${field} 0 → 1`);
    expect(describeChange({ ...CHANGE, changes: fields(8) })).toBe(`${BEGIN}  ${shown.join(', ')}`);
    expect(describeChange({ ...CHANGE, changes: fields(12) })).toBe(
      `${BEGIN}  ${shown.join(', ')}, and 4 more`,
    );
    const long = { field: 'x'.repeat(41), from: '👩'.repeat(38), to: '👩'.repeat(39) };
    expect(describeChange({ ...CHANGE, changes: [long] })).toBe(
      `${BEGIN}  ${'x'.repeat(39)}… "${'👩'.repeat(38)}" → "${'👩'.repeat(38)}…`,
    );
  });

  it('ends with the kind if no field changed', () => {
    expect(describeChange({ ...CHANGE, kind: 'deleted' })).toBe(BEGIN.replace('updated', 'deleted'));
  });

  it('names the user beside the source, by id without a name', () => {
    const of = (name: string | null) =>
      describeChange({ ...CHANGE, key_id: null, user: { id: 'usr_3f9a2b7c', name }, source: 'console' });
    expect(of('Kim\u001b')).toBe(BEGIN.replace('crm', 'console (Kim\\u001b)'));
    expect(of(null)).toBe(BEGIN.replace('crm', 'console (usr_3f9a2b7c)'));
  });

  it('does without the user, whom older services do not send', () => {
    const { user: _, ...older } = CHANGE;
    expect(describeChange(older as Change)).toBe(BEGIN);
  });

  it('escapes terminal control characters', () => {
    const changes = [{ field: 'a\u202eb', from: '\u001b[2J\u009b2J', to: '\u2066\n\u2028' }];
    expect(describeChange({ ...CHANGE, account_id: 'ac\rme\u007f', changes })).toBe(
      `${BEGIN.replace('acme', 'ac\\u000dme\\u007f')}  a\\u202eb "\\u001b[2J\\u009b2J" → "\\u2066\\n\\u2028"`,
    );
  });

  it('is one line without control characters for any input', () => {
    const text = fc.string({ unit: 'binary' });
    const field = fc.record({ field: text, from: fc.jsonValue(), to: text });
    fc.assert(
      fc.property(text, fc.array(field), (account_id, changes) => {
        const line = describeChange({ ...CHANGE, account_id, changes: changes as Change['changes'] });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them
        return !/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(line);
      }),
    );
  });
});
