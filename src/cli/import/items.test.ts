import type { Json } from '@account-sync/client';
import { describe, expect, it } from 'vitest';
import { ColumnPlan } from './column-plan.js';
import { itemOfRow, itemOfText } from './items.js';
import { KnownFields } from './known-fields.js';

function planOf(
  names: readonly string[],
  map: Record<string, string>,
  isCsv: boolean,
  ignore: string[] = [],
) {
  const options = { map: new Map(Object.entries(map)), ignore: new Set(ignore) };
  const plan = new ColumnPlan(new KnownFields(undefined), options, isCsv);
  return { plan, columns: plan.addAll(names) };
}

describe('a row of a CSV', () => {
  const { columns } = planOf(['account_id', 'Notes', 'x:json', ''], { '*': '*' }, true);
  const item = (cells: string[], empty: 'clear' | 'keep' = 'clear') =>
    itemOfRow({ line: 7, cells }, columns, empty);

  it.each<[string, string[], Record<string, Json>]>([
    ['text as it is', ['a', ' 007 ', '', ''], { account_id: 'a', Notes: ' 007 ', x: null }],
    ['an empty cell as no value', ['a', '', '', ''], { account_id: 'a', Notes: null, x: null }],
    ['an apostrophe alone as an empty text', ['a', "'", '', ''], { account_id: 'a', Notes: '', x: null }],
    ['a guarded formula as it was', ["'=a", "'-1+2", '', ''], { account_id: '=a', Notes: '-1+2', x: null }],
    ['an apostrophe that guards nothing', ['a', "'tis", '', ''], { account_id: 'a', Notes: "'tis", x: null }],
    [
      'JSON of any kind',
      ['a', '', '{"y":[1,"2"]}', ''],
      { account_id: 'a', Notes: null, x: { y: [1, '2'] } },
    ],
  ])('sends %s', (_what, cells, record) => {
    expect(item(cells)).toEqual({ line: 7, record, original: cells });
  });

  it('leaves a field out where its cell is empty and what is stored is to be kept', () => {
    expect(item(['a', '', '', ''], 'keep').record).toEqual({ account_id: 'a' });
  });

  it.each<[string, string[], string]>([
    ['has too few cells', ['a', 'b'], 'The row has 2 cells, the header 4.'],
    ['has too many cells', ['a', 'b', '1', '', ''], 'The row has 5 cells, the header 4.'],
    ['has broken JSON', ['a', 'b', '{', ''], 'The cell of x:json is not valid JSON.'],
    [
      'has a number beyond all bounds',
      ['a', 'b', '[1e400]', ''],
      'The cell of x:json holds a number that is too large.',
    ],
    ['has a value without a name', ['a', 'b', '', 'c'], 'Cell 4 has a value, but its column no name.'],
  ])('is not sent where it %s', (_what, cells, problem) => {
    expect(item(cells)).toEqual({ line: 7, record: undefined, problem, original: cells });
  });

  it('is not sent where it could not be read', () => {
    const broken = { line: 7, text: '"a"b', problem: 'Why.' };
    expect(itemOfRow(broken, columns, 'clear')).toEqual({
      line: 7,
      record: undefined,
      problem: 'Why.',
      original: '"a"b',
    });
  });
});

describe('a record of JSON', () => {
  const { plan } = planOf(['account_id', 'Seats', 'Notes'], { Seats: 'licenses' }, false, ['Notes']);
  const item = (text: string) => itemOfText({ line: 7, text }, plan);

  it.each([
    ['needs no other names', '{"account_id": "a",  "licenses":9007199254740993, "name":1e400}'],
    ['is no object', '["a"]'],
    ['is no JSON', '{"account_id":'],
  ])('is sent to the letter where it %s', (_what, text) => {
    expect(item(text)).toEqual({ line: 7, record: text, original: text });
  });

  it('gets the names that were mapped, without what is ignored', () => {
    const text = '{"AccountId":"a","Notes":1e400,"Seats":{"__proto__":1}}';
    expect(item(text)).toMatchObject({
      record: undefined,
      problem: 'The record holds a number that is too large.',
    });
    const other = '{"AccountId":"a","Notes":"x","Seats":{"__proto__":1}}';
    expect(JSON.stringify(item(other).record)).toBe('{"account_id":"a","licenses":{"__proto__":1}}');
  });

  it.each([
    [
      'a number beyond all bounds, which would be lost',
      `{"account_id":"a","x":1e400,${'"rejected_because":{"line":1,"messages":[]}'}}`,
    ],
    ['reasons that are none of ours', '{"account_id":"a","rejected_because":"a field of that name"}'],
  ])('keeps %s', (_what, text) => {
    expect(item(text).original).toBe(text);
  });

  it('is not sent where it is no JSON and has line ends, which would be sent as something else', () => {
    const text = '{"account_id":"a","name":"one\ntwo"}';
    const problem = 'The record is not valid JSON.';
    expect(item(text)).toEqual({ line: 7, record: undefined, problem, original: text });
    const spread = '{"account_id":\r\n"a"}';
    expect(item(spread)).toEqual({ line: 7, record: '{"account_id": "a"}', original: spread });
  });

  it('is not sent anew where it is nested more deeply than anybody can look', () => {
    const text = `{"account_id":"a","Seats":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(item(text).problem).toBe('The record is nested deeper than 32 levels.');
  });

  it('is not sent where two of its names mean one field', () => {
    const text = '{"account_id":"a","AccountId":"b"}';
    const problem = 'The record holds account_id under two names.';
    expect(item(text)).toEqual({ line: 7, record: undefined, problem, original: text });
  });

  it('is not sent where a name comes up that nobody has said anything about', () => {
    const text = '{"account_id":"a","colour":"red"}';
    const problem =
      'Field "colour" is not known. Add --map "colour=custom_colour" to send it, or --ignore "colour"';
    expect(item(text)).toEqual({ line: 7, record: undefined, problem, original: text });
  });

  const REASONS = '"rejected_because":{"line":1,"account_id":null,"messages":["No, }"]}';
  it.each([
    ['first', `{${REASONS},"account_id":"a", "licenses":1.50}`, '{"account_id":"a", "licenses":1.50}'],
    ['last', `{"account_id":"a" , ${REASONS}}`, '{"account_id":"a"}'],
    ['alone', `{${REASONS}}`, '{}'],
    ['around it', '{"rejected_because":{"line":1,"messages":[],"text":"{oops"}}', '{oops'],
  ])('is sent without the reasons of an earlier refusal, which stand %s', (_where, text, original) => {
    expect(item(text)).toEqual({ line: 7, record: original, original });
  });
});
