import type { Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { chosen, columnOf } from '../../../test/support/import-parts.js';
import type { AttributeType, TypeName } from '../../domain/attribute-types.js';
import { RepeatedIds } from './repeated-ids.js';
import {
  AttributeCollector,
  type Collector,
  type HowToRead,
  IdCollector,
  ProposalCollector,
} from './value-collectors.js';

const NEW = columnOf('Renewal', 'custom_Renewal', { isNew: true });
const attributeOf = (type: TypeName, choices: readonly string[] = []): AttributeType => ({ type, choices });

/** What a collector says after these values; `sent` are the values as they will be sent. */
function collect(collector: Collector, values: readonly Json[]) {
  for (const [at, value] of values.entries()) collector.add(value, at + 2);
  const { result, problems } = collector.collected();
  if (result === undefined) return { problems };
  const { conversion, uses, proposal } = result;
  return {
    problems,
    sent: values.map((value) => (typeof value === 'string' ? conversion.apply(value) : value)),
    uses: uses.map(({ reading, count, samples }) => [reading.name, count, samples.map(({ from }) => from)]),
    ...(proposal !== undefined && { proposal }),
  };
}

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

  it('are counted without those that are replaced', () => {
    const replaced = chosen([], { 'n/a': null, soon: '2027-01-01' });
    expect(collected('date', ['1/31/2015', ' n/a ', 'soon', 'later'], { chosen: replaced })).toEqual({
      problems: [],
      sent: ['2015-01-31', null, '2027-01-01', 'later'],
      uses: [['mdy', 1, ['1/31/2015']]],
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

describe('the values of a new attribute', () => {
  const collected = (values: readonly Json[], how: HowToRead = {}, isChoice = false) =>
    collect(new ProposalCollector(NEW, how, isChoice), values);

  it('are converted to the proposed type', () => {
    expect(collected(['1/31/2015', '2015-01-31'])).toEqual({
      problems: [],
      sent: ['2015-01-31', '2015-01-31'],
      uses: [['mdy', 1, ['1/31/2015']]],
      proposal: attributeOf('date'),
    });
    expect(collected(Array(4).fill(['gold', ' silver']).flat())).toEqual({
      problems: [],
      sent: Array(4).fill(['gold', 'silver']).flat(),
      uses: [['trim', 4, [' silver']]],
      proposal: attributeOf('choice', ['gold', 'silver']),
    });
    expect(collected([' a ', 'b'])).toEqual({
      problems: [],
      sent: [' a ', 'b'],
      uses: [],
      proposal: attributeOf('text'),
    });
  });

  it('count as what replaces them', () => {
    const how = { chosen: chosen([], { 'n/a': null, dozen: '12' }) };
    expect(collected(['5', 'n/a', ' dozen '], how)).toEqual({
      problems: [],
      sent: ['5', null, '12'],
      uses: [],
      proposal: attributeOf('integer'),
    });
  });

  it('propose nothing if there are none', () => {
    expect(collected([])).toEqual({ problems: [], sent: [], uses: [] });
  });

  it('propose nothing if no type fits, and are sent as they are, or replaced', () => {
    expect(collected([{ a: 1 }])).toEqual({ problems: [], sent: [{ a: 1 }], uses: [] });
    const how = { chosen: chosen([], { 'n/a': null }) };
    expect(collected(['A-1', 5, 'n/a'], how)).toEqual({ problems: [], sent: ['A-1', 5, null], uses: [] });
  });

  it.each<[string, Json[], HowToRead, boolean, string]>([
    [
      'can be read in two ways',
      ['3/4/2015'],
      {},
      false,
      'Column "Renewal" can be read in two ways: "3/4/2015" is "2015-03-04" (mdy) or "2015-04-03" (dmy). No other value of the column decides it. Add --dates mdy or --dates dmy',
    ],
    [
      'are in several currencies',
      ['$5', 'EUR 5'],
      {},
      false,
      'Column "Renewal" has amounts in several currencies: $, EUR. Add --convert "custom_Renewal=1,000.00" to send the numbers without them, or --ignore "Renewal"',
    ],
    [
      'have an unknown form',
      ['3/4/2015'],
      { chosen: chosen(['mdi']) },
      false,
      '--convert "custom_Renewal=mdi" names no form that the values of a new attribute can have. Use one of: yes-no, 1,000.00, 1.000,00, 1 000,00, trim, mdy, dmy, ymd, day-month, month-day, mdy-day, dmy-day, day, excel, offset, epoch, as-is; single values are replaced by --convert "custom_Renewal=from:to"',
    ],
    [
      'are too many for choices',
      Array.from({ length: 1_001 }, (_, number) => String(number)),
      {},
      true,
      'Column "Renewal" has too many different values for choices. Add --type "custom_Renewal=text" instead',
    ],
    [
      'are no texts, and are to be choices',
      ['A-1', 5],
      {},
      true,
      'Column "Renewal" has values that are no texts, so they cannot be choices. Leave out --type "custom_Renewal=choice"',
    ],
  ])('are not sent if they %s', (_what, values, how, isChoice, problem) => {
    expect(collected(values, how, isChoice)).toEqual({ problems: [problem] });
  });
});
