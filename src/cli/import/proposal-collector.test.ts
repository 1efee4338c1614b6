import type { Json } from '@account-sync/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chosen, collect, columnOf } from '../../../test/support/import-parts.js';
import { type AttributeType, readValue, type TypeName } from '../../domain/attribute-types.js';
import type { JsonValue } from '../../domain/json.js';
import { type HowToRead, ProposalCollector } from './value-collectors.js';

const NEW = columnOf('Renewal', 'custom_Renewal', { isNew: true });
const attributeOf = (type: TypeName, choices: readonly string[] = []): AttributeType => ({ type, choices });

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
      'may have a decimal point or dots between thousands',
      ['1.250', '2.375'],
      {},
      false,
      'Column "Renewal" can be read in two ways: "1.250" is 1.25 (as-is) or 1250 (1.000,00). No other value of the column decides it. Add --convert "custom_Renewal=as-is" or --convert "custom_Renewal=1.000,00"',
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

  it('are accepted by the proposed type, all of them', () => {
    const NUMBERS = [
      '0',
      '1',
      '007',
      '-3',
      '+3',
      '1.250',
      '2.375',
      '1.000',
      '1,5',
      '.5',
      '5.',
      '1e5',
      '$5',
      '(5)',
    ];
    const TIMES = [
      '1/31/2015',
      '3/4/2015',
      '2015-01-31',
      '20150131',
      '2015-01-31 10:00',
      '1/31/2015 3:45 PM',
    ];
    const texts = [...NUMBERS, ...TIMES, 'yes', 'no', 'T', 'Gold', ' gold', 'a', ' ', ''];
    const others = [0, 1, 1.5, 20150131, true, false];
    const value = fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom<Json[]>(...texts) },
      fc.string({ maxLength: 4 }),
      fc.constantFrom<Json[]>(...others),
    );
    const how = fc.constantFrom(
      {},
      { chosen: chosen(['mdy']) },
      { chosen: chosen([], { a: 'no', Gold: null }) },
    );
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), how, (values, given) => {
        const { sent = [], proposal } = collected(values, given);
        if (proposal === undefined) return;
        const refused = sent.filter(
          (each) => each !== null && readValue(each as JsonValue, proposal) === undefined,
        );
        expect(refused).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });
});
