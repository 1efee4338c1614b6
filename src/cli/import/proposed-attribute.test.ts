import type { Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import type { ChosenReadings } from './conversion/select-readings.js';
import { ProposedAttribute } from './proposed-attribute.js';

interface Given extends Partial<ChosenReadings> {
  readonly isChoice?: boolean;
}

function proposalFor(values: readonly Json[], { isChoice = false, names = [], dates }: Given = {}) {
  const proposed = new ProposedAttribute({ names, dates }, isChoice);
  for (const value of values) proposed.add(value);
  return proposed;
}

const typeOf = (values: readonly Json[], given?: Given) => proposalFor(values, given).attribute?.type;
/** Each text as many times as needed for choices. */
const often = (...texts: string[]) => texts.flatMap((text) => Array<string>(4).fill(text));
const numbered = (count: number) => Array.from({ length: count }, (_, number) => `text ${number}`);

describe('the proposed type fits all values:', () => {
  it.each<[type: string | undefined, values: Json[]]>([
    [undefined, []],
    ['boolean', ['Yes', 'No', 'yes']],
    ['boolean', ['true', '0', 'f']],
    ['boolean', [true, 'no']],
    ['integer', ['0', '1', '1']],
    ['integer', ['12', '1,000', '-3']],
    ['integer', [12, 5]],
    ['decimal', ['12', '12.5']],
    ['decimal', ['0.00', '12']],
    ['decimal', ['$1', '$12']],
    ['decimal', ['1,000.50', '12']],
    ['decimal', [0.1, 5]],
    ['decimal', ['1e5', '12345678901234567.5']],
    // Whether 1.250 is 1.25 or 1250 is asked.
    ['decimal', ['1.250', '500']],
    ['integer', ['1.250', '1.250.000']],
    ['date', ['1/31/2015', '2015-02-28']],
    ['date', ['31.01.2015']],
    ['datetime', ['2015-01-31', '2015-01-31T10:20:30Z']],
    ['datetime', ['1/31/2015 3:45 PM']],
    ['text', ['2015-02-30']],
    ['text', ['12 seats', '5']],
    ['text', ['12%']],
    ['text', ['12', '31.01.2015']],
    ['text', ['Infinity', '5']],
    ['text', ['x'.repeat(10_000_000)]],
    // Codes.
    ['text', ['007', '12']],
    ['text', ['+49 30 123', '+4930123']],
    ['text', ['12345678901234567890', '12']],
    ['text', ['9007199254740993']],
    ['integer', ['9007199254740991', '-9007199254740991']],
    ['integer', ['20150131', '42035', '1622456430']],
    // Values that no attribute can have.
    [undefined, [['a'], 'a']],
    [undefined, [{ a: 1 }]],
    // Only texts are converted: these numbers are sent as they are.
    [undefined, ['A-1', 5]],
    [undefined, ['2015-01-31', 20150131]],
    [undefined, [true, 'maybe']],
    ['decimal', ['1,5', 1.234]],
    ['boolean', ['yes', 0]],
  ])('%s', (type, values) => {
    expect(typeOf(values)).toBe(type);
    expect(typeOf([...values].reverse())).toBe(type);
  });

  it('a single value that does not fit is enough, wherever it is', () => {
    const many = Array<string>(5_000).fill('12');
    expect([typeOf(many), typeOf([...many, 'n/a']), typeOf(['n/a', ...many])]).toEqual([
      'integer',
      'choice',
      'choice',
    ]);
    expect(typeOf([...many.map((_, number) => String(number)), 'n/a'])).toBe('text');
  });

  it('is read by the forms that the user has chosen', () => {
    expect(typeOf(['42035'], { names: ['excel'] })).toBe('date');
    expect(typeOf(['1622456430'], { names: ['epoch'] })).toBe('datetime');
    expect(typeOf(['1/31/2015', '31/1/2015'], { names: ['mdy'] })).toBe('text');
    expect(typeOf(['1/31/2015'], { dates: 'dmy' })).toBe('text');
    expect(typeOf(['1.250'], { names: ['as-is'] })).toBe('decimal');
    expect(typeOf(['1.250'], { names: ['1.000,00'] })).toBe('integer');
    expect(typeOf(['Yes'], { names: ['as-is'] })).toBe('text');
    expect(typeOf(['2015-01-31'], { names: ['as-is'] })).toBe('date');
  });

  it('and forms that no type has are named', () => {
    const unknown = (...names: string[]) => proposalFor(['a'], { names }).unknown;
    expect([unknown(), unknown('as-is'), unknown('mdy', 'ymd'), unknown('trim')]).toEqual([[], [], [], []]);
    expect([unknown('mdi'), unknown('mdy', 'mdi'), unknown('mdy', 'yes-no')]).toEqual([
      ['mdi'],
      ['mdi'],
      ['mdy'],
    ]);
  });
});

describe('few texts that come often are choices', () => {
  const choicesOf = (values: readonly Json[], given?: Given) => proposalFor(values, given).attribute;
  const TEXT = { type: 'text', choices: [] };

  it('sorted, and without the blanks around them', () => {
    expect(choicesOf([...often('silver', 'gold'), ' gold '])).toEqual({
      type: 'choice',
      choices: ['gold', 'silver'],
    });
  });

  it.each<[string, Json[], isChoice: boolean]>([
    ['12 of them', often(...numbered(12)), true],
    ['13 of them', often(...numbered(13)), false],
    ['four times each on average', ['rare', ...often('gold').slice(1), ...often('gold')], true],
    ['less often', ['rare', ...often('gold').slice(1), ...often('gold').slice(1)], false],
    ['40 characters long', often('a', 'x'.repeat(40)), true],
    ['longer', often('a', 'x'.repeat(41)), false],
    ['several in one cell', often('a', 'a;b'), false],
    ['blank ones among them', often('a', ' '), false],
  ])('%s', (_what, values, isChoice) => {
    expect(choicesOf(values)?.type).toBe(isChoice ? 'choice' : 'text');
  });

  it('however many there are, if the user says so', () => {
    const given = { isChoice: true };
    expect(choicesOf(['b;c', 'a', ' '], given)).toEqual({ type: 'choice', choices: ['a', 'b;c'] });
    expect(choicesOf(['1', '2', '2'], given)).toEqual({ type: 'choice', choices: ['1', '2'] });
    expect(choicesOf(numbered(1_000), given)?.choices).toHaveLength(1_000);
    expect(choicesOf(numbered(1_001), given)).toEqual(TEXT);
    expect(choicesOf(['a', 'x'.repeat(1_001)], given)).toEqual(TEXT);
  });
});
