import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chosen, columnOptions } from '../../../test/support/import-parts.js';
import { CommandFailed } from '../terminal/command-line.js';
import { readColumnOptions } from './import-options.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'mapping.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

type Options = Parameters<typeof readColumnOptions>[0];

describe('the options about columns are', () => {
  it.each<[string, Options, Parameters<typeof columnOptions>[0]]>([
    ['none', {}, {}],
    [
      'of --map, split at the last equals sign, without blanks around the names',
      { map: [' Seats = licenses', 'a = b=c', '*', ' * '] },
      { map: { Seats: 'licenses', 'a = b': 'c', '*': '*' } },
    ],
    ['of --ignore', { ignore: [' Notes ', '*'] }, { ignore: ['Notes', '*'] }],
    ['--ignore before --map for the same column', { map: ['A=b'], ignore: ['A'] }, { ignore: ['A'] }],
    ['the last of --map for a column', { map: ['A=b', 'A=c'] }, { map: { A: 'c' } }],
    [
      'of --convert, several times for a field, in their order',
      {
        convert: [
          'custom_At=mdy',
          ' custom_At = ymd ',
          'custom_At=n/a:',
          'custom_At=at 3:45 : 2026-01-01',
          'custom_At=at 3:46:2026-01-01T03:46:00+01:00',
          'custom_At=2026-01-01 03:47:',
          'licenses=a=b : 12',
          'licenses=1,000.00',
        ],
      },
      {
        conversions: {
          custom_At: chosen(['mdy', 'ymd'], {
            'n/a': null,
            'at 3:45': '2026-01-01',
            'at 3:46': '2026-01-01T03:46:00+01:00',
            '2026-01-01 03:47': null,
          }),
          licenses: chosen(['1,000.00'], { 'a=b': '12' }),
        },
      },
    ],
    [
      'of --convert with names as objects have them',
      { convert: ['__proto__=constructor:toString'] },
      { conversions: Object.fromEntries([['__proto__', chosen([], { constructor: 'toString' })]]) },
    ],
    [
      'of --type, --declare, --dates and --from',
      { type: ['custom_A=choice', ' custom_B = datetime '], declare: true, dates: 'dmy', from: 'none' },
      {
        types: { custom_A: 'choice', custom_B: 'datetime' },
        isDeclaring: true,
        dates: 'dmy',
        from: 'none',
      },
    ],
  ])('%s', async (_what, options, expected) => {
    expect(await readColumnOptions(options)).toEqual(columnOptions(expected));
  });
});

describe('a mistake is named:', () => {
  const MAP = '--map needs "column=field", for example --map "Seats=licenses"; it is';
  const CONVERT =
    '--convert needs "field=form" or "field=from:to", for example --convert custom_Renewal=mdy or --convert "custom_Tier=Premium:gold"; it is';
  const TYPE =
    '--type needs "field=type" with one of the types text, integer, decimal, boolean, date, datetime, choice; it is';
  it.each<[string, Options, string]>([
    ['--map without a field', { map: ['Seats'] }, `${MAP} "Seats".`],
    ['--map with an empty field', { map: ['Seats= '] }, `${MAP} "Seats= ".`],
    ['--map with an empty column', { map: [' =licenses'] }, `${MAP} " =licenses".`],
    [
      '--map of all other columns to one field',
      { map: ['*=licenses'] },
      `--map '*' sends all other columns under their own names; it is "*=licenses".`,
    ],
    ['--map without a column', { map: ['=licenses'] }, `${MAP} "=licenses".`],
    ['--convert without a form', { convert: ['licenses'] }, `${CONVERT} "licenses".`],
    ['--convert with an empty form', { convert: ['licenses= '] }, `${CONVERT} "licenses= ".`],
    ['--convert without a field', { convert: [' =mdy'] }, `${CONVERT} " =mdy".`],
    ['--type without a type', { type: ['custom_A'], declare: true }, `${TYPE} "custom_A".`],
    [
      '--type with an unknown type',
      { type: ['custom_A=number'], declare: true },
      `${TYPE} "custom_A=number".`,
    ],
    ['--type without a field', { type: ['=text'], declare: true }, `${TYPE} "=text".`],
    [
      '--type without --declare',
      { type: ['custom_A=text'] },
      '--type has no effect without --declare. Add --declare to declare new attributes, or leave out --type.',
    ],
  ])('%s', async (_what, options, message) => {
    await expect(readColumnOptions(options)).rejects.toThrow(new CommandFailed(message));
  });
});

describe('the command line overrides the mapping file', () => {
  beforeEach(() =>
    writeFileSync(
      path,
      JSON.stringify({
        Seats: { field: 'licenses', convert: '1,000.00' },
        Renewal: { field: 'custom_Renewal', convert: 'mdy', values: { 'n/a': null } },
        Notes: null,
        '*': null,
      }),
    ),
  );
  const FILE = {
    map: { Seats: 'licenses', Renewal: 'custom_Renewal' },
    ignore: ['Notes', '*'],
    conversions: {
      licenses: chosen(['1,000.00']),
      custom_Renewal: chosen(['mdy'], { 'n/a': null }),
    },
  };

  it.each<[string, Options, Parameters<typeof columnOptions>[0]]>([
    ['not if it says nothing', {}, FILE],
    [
      'with --map, which sends an ignored column',
      { map: ['Notes=custom_Notes'] },
      { ...FILE, map: { ...FILE.map, Notes: 'custom_Notes' }, ignore: ['*'] },
    ],
    [
      'with another field, whose values have another form',
      { map: ['Seats=custom_Seats'] },
      {
        ...FILE,
        map: { ...FILE.map, Seats: 'custom_Seats' },
        conversions: { custom_Renewal: FILE.conversions.custom_Renewal },
      },
    ],
    ['not with the same field', { map: ['Seats=licenses'] }, FILE],
    [
      'with --ignore, which also leaves out the conversion',
      { ignore: ['Renewal'] },
      {
        map: { Seats: 'licenses' },
        ignore: ['Notes', '*', 'Renewal'],
        conversions: { licenses: chosen(['1,000.00']) },
      },
    ],
    ['with --map *', { map: ['*'] }, { ...FILE, map: { ...FILE.map, '*': '*' }, ignore: ['Notes'] }],
    [
      'with --convert, which replaces all that the file says of the field',
      { convert: ['custom_Renewal=dmy'] },
      { ...FILE, conversions: { ...FILE.conversions, custom_Renewal: chosen(['dmy']) } },
    ],
  ])('%s', async (_what, options, expected) => {
    expect(await readColumnOptions({ ...options, mapping: path })).toEqual(columnOptions(expected));
  });
});
