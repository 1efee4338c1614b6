import type { Attribute, Attributes } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { fieldsOf, inGroups } from './fields';

function attribute(name: string, presentation: Partial<Attribute> = {}): Attribute {
  return {
    name,
    type: 'text',
    choices: [],
    read_only: false,
    built_in: false,
    owner: null,
    label: null,
    description: null,
    unit: null,
    position: null,
    group: null,
    index: 'none',
    index_progress: null,
    accounts: 0,
    ...presentation,
  };
}

const schema = (...data: Attribute[]): Attributes => ({
  data,
  undeclared: [{ name: 'custom_Other', accounts: 1, guess: 'text' }],
});

describe('fieldsOf', () => {
  const shown = (attributes: Attributes, name: string) => {
    const { label, title } = fieldsOf(attributes)(name);
    return [label, title];
  };

  it('shows the label, and the name and the description as the title', () => {
    const attributes = schema(
      attribute('custom_A', { label: 'Seats' }),
      attribute('custom_B', { label: 'Tier', description: 'What they pay for.' }),
      attribute('custom_C', { description: 'Without a label.' }),
      attribute('custom_D'),
    );
    expect(shown(attributes, 'custom_A')).toEqual(['Seats', 'custom_A']);
    expect(shown(attributes, 'custom_B')).toEqual(['Tier', 'custom_B\nWhat they pay for.']);
    expect(shown(attributes, 'custom_C')).toEqual(['custom_C', 'Without a label.']);
    expect(shown(attributes, 'custom_D')).toEqual(['custom_D', undefined]);
    expect(shown(attributes, 'custom_Other')).toEqual(['custom_Other', undefined]);
    expect(fieldsOf(attributes)('custom_A').attribute).toBe(attributes.data[0]);
    expect(fieldsOf(attributes)('custom_Other').attribute).toBeUndefined();
  });

  it('shows the name beside a label that another field has, or that is its name', () => {
    const attributes = schema(
      attribute('custom_A', { label: 'Seats' }),
      attribute('custom_B', { label: 'Seats' }),
      attribute('custom_C', { label: 'custom_Other' }),
      attribute('custom_D', { label: 'Name' }),
      attribute('name', { built_in: true }),
    );
    expect(shown(attributes, 'custom_A')).toEqual(['Seats (custom_A)', 'custom_A']);
    expect(shown(attributes, 'custom_B')).toEqual(['Seats (custom_B)', 'custom_B']);
    expect(shown(attributes, 'custom_C')).toEqual(['custom_Other (custom_C)', 'custom_C']);
    expect(shown(attributes, 'custom_D')).toEqual(['Name (custom_D)', 'custom_D']);
    expect(shown(attributes, 'name')).toEqual(['Name', 'name']);
    expect(shown(attributes, 'parent_account_id')).toEqual(['Parent', 'parent_account_id']);
  });
});

describe('inGroups', () => {
  it('orders fields by position and label, and groups by their first position and name', () => {
    const attributes = schema(
      attribute('custom_A', { group: 'Zoo', position: 1 }),
      attribute('custom_B', { group: 'Money', label: 'b', position: 2 }),
      attribute('custom_C', { group: 'Money', label: 'a', position: 2 }),
      attribute('custom_D', { group: 'Money' }),
      attribute('custom_E', { group: 'Market', position: 2 }),
      attribute('custom_F', { group: 'Anything' }),
      attribute('custom_G'),
      attribute('custom_10', { position: 3 }),
      attribute('custom_9', { position: 3 }),
    );
    const fields = attributes.data.map(({ name }) => fieldsOf(attributes)(name));
    expect(
      inGroups(fields).map(({ group, fields: members }) => [group, members.map(({ name }) => name)]),
    ).toEqual([
      [null, ['custom_9', 'custom_10', 'custom_G']],
      ['Zoo', ['custom_A']],
      ['Market', ['custom_E']],
      ['Money', ['custom_C', 'custom_B', 'custom_D']],
      ['Anything', ['custom_F']],
    ]);
    expect(inGroups([])).toEqual([]);
  });
});
