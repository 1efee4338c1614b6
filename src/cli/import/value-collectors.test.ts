import type { Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { chosen, collect, columnOf } from '../../../test/support/import-parts.js';
import type { AttributeType, TypeName } from '../../domain/attribute-types.js';
import { RepeatedIds } from './repeated-ids.js';
import { AttributeCollector, type HowToRead, IdCollector } from './value-collectors.js';

const attributeOf = (type: TypeName, choices: readonly string[] = []): AttributeType => ({ type, choices });

describe('the values of an attribute', () => {
  const column = columnOf('Renewal', 'custom_Renewal');
  const collected = (type: TypeName | undefined, values: readonly Json[], how: HowToRead = {}) =>
    collect(new AttributeCollector(column, type && attributeOf(type), how), values);

  it('need nothing if the server accepts them as they are, or not at all', () => {
    expect(collected('date', ['2015-01-31', 'soon', 12, true, null])).toEqual({ problems: [] });
  });

  it('are converted, if they are texts', () => {
    expect(collected('integer', ['1,000', '12', 12, '12 seats', '1,000', '2,000', '3,000', '4,000'])).toEqual(
      {
        problems: [],
        sent: [1000, '12', 12, '12 seats', 1000, 2000, 3000, 4000],
        uses: [['1,000.00', 5, ['1,000', '2,000', '3,000']]],
      },
    );
  });

  it('count as what replaces them', () => {
    const replaced = chosen([], { 'n/a': null, soon: '2027-01-01' });
    expect(collected('date', ['1/31/2015', ' n/a ', 'soon', 'later'], { chosen: replaced })).toEqual({
      problems: [],
      sent: ['2015-01-31', null, '2027-01-01', 'later'],
      uses: [['mdy', 1, ['1/31/2015']]],
    });
    expect(collected('boolean', ['Yes', 'maybe'], { chosen: chosen([], { maybe: 'no' }) })).toEqual({
      problems: [],
      sent: [true, false],
      uses: [['yes-no', 2, ['Yes', 'no']]],
    });
    expect(collected('date', ['soon'], { chosen: chosen([], { soon: '3/4/2027' }) })).toEqual({
      problems: [
        'Column "Renewal" can be read in two ways: "3/4/2027" is "2027-03-04" (mdy) or "2027-04-03" (dmy). No other value of the column decides it. Add --dates mdy or --dates dmy',
      ],
    });
    expect(collected(undefined, ['a', 'n/a'], { chosen: replaced })).toEqual({
      problems: [],
      sent: ['a', null],
      uses: [],
    });
  });

  it('that are replaced do not decide how others are read', () => {
    const replaced = chosen([], { '31/1/2015': '2015-01-31' });
    expect(collected('date', ['3/4/2015', '31/1/2015'], { chosen: replaced })).toEqual({
      problems: [
        'Column "Renewal" can be read in two ways: "3/4/2015" is "2015-03-04" (mdy) or "2015-04-03" (dmy). No other value of the column decides it. Add --dates mdy or --dates dmy',
      ],
    });
  });

  it.each<[string, TypeName | undefined, string[], HowToRead, string]>([
    [
      'can be read in two ways',
      'date',
      ['3/4/2015', '1/31/2015', '31/1/2015'],
      {},
      'Column "Renewal" can be read in two ways: "3/4/2015" is "2015-03-04" (mdy) or "2015-04-03" (dmy). Some values of the column fit only the one, some only the other. Add --dates mdy or --dates dmy',
    ],
    [
      'can be read in two ways, one of them that of the server',
      'integer',
      ['1.000'],
      {},
      'Column "Renewal" can be read in two ways: "1.000" is 1 (as-is) or 1000 (1.000,00). No other value of the column decides it. Add --convert "custom_Renewal=as-is" or --convert "custom_Renewal=1.000,00"',
    ],
    [
      'are in several currencies',
      'decimal',
      ['$5', '5 €', '7'],
      {},
      'Column "Renewal" has amounts in several currencies: $, €. Add --convert "custom_Renewal=1,000.00" to send the numbers without them, or --ignore "Renewal"',
    ],
    [
      'are in several currencies, though single ones are replaced',
      'decimal',
      ['$5', '5 €', 'n/a'],
      { chosen: chosen([], { 'n/a': null }) },
      'Column "Renewal" has amounts in several currencies: $, €. Add --convert "custom_Renewal=1,000.00" to send the numbers without them, or --ignore "Renewal"',
    ],
    [
      'are of another type than the chosen form',
      'integer',
      ['5'],
      { chosen: chosen(['mdy']) },
      '--convert "custom_Renewal=mdy" names no form of the type integer. Use one of: 1,000.00, 1.000,00, 1 000,00, as-is; single values are replaced by --convert "custom_Renewal=from:to"',
    ],
    [
      'have no type',
      undefined,
      ['5'],
      { chosen: chosen(['mdy']) },
      '--convert "custom_Renewal=mdy" needs a type, and custom_Renewal is not declared; single values are replaced by --convert "custom_Renewal=from:to"',
    ],
  ])('are not sent if they %s', (_what, type, values, how, problem) => {
    expect(collected(type, values, how)).toEqual({ problems: [problem] });
  });

  it('in several currencies are sent if the user has chosen a form', () => {
    expect(collected('decimal', ['$5', '5 €'], { chosen: chosen(['1,000.00']) })).toMatchObject({
      problems: [],
      sent: [5, 5],
    });
  });
});

describe('ids', () => {
  const column = columnOf('Id', 'account_id');
  const SHORT = '001A000000aBcDe';
  const LONG = '001A000000aBcDeIAK';

  it('are compared as they are sent', () => {
    const repeated = new RepeatedIds();
    expect(collect(new IdCollector(column, repeated, undefined), ['a', ' a', 'A', 12, '12', true])).toEqual({
      problems: [],
    });
    expect([repeated.same.count, repeated.otherSpelling.count]).toEqual([2, 1]);
  });

  it('of Salesforce that differ by case are different', () => {
    const repeated = new RepeatedIds();
    const other = SHORT.toLowerCase();
    const how = chosen(['salesforce']);
    const collector = new IdCollector(column, repeated, how);
    expect(collect(collector, [SHORT, other, other, 'x', SHORT])).toEqual({
      problems: [],
      sent: [LONG, `${other}AAA`, `${other}AAA`, 'x', LONG],
      uses: [['salesforce', 4, [SHORT, other]]],
    });
    expect([repeated.same.count, repeated.otherSpelling.count]).toEqual([2, 0]);
  });

  it('can be replaced, which is no form, and without an id they cannot be repeated', () => {
    const repeated = new RepeatedIds();
    const how = chosen([], { 'n/a': null, old: 'new' });
    expect(collect(new IdCollector(column, repeated, how), ['n/a', 'n/a', 'old', 'new'])).toEqual({
      problems: [],
      sent: [null, null, 'new', 'new'],
      uses: [],
    });
    expect([repeated.same.count, repeated.otherSpelling.count]).toEqual([1, 0]);
  });

  it('have one form only', () => {
    const collector = new IdCollector(column, undefined, chosen(['as-is', 'mdy']));
    expect(collect(collector, [SHORT]).problems).toEqual([
      '--convert "account_id=mdy" names no form of the type text. Use one of: as-is; single values are replaced by --convert "account_id=from:to"',
    ]);
  });
});
