import type { Attribute, Json } from '@account-sync/client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readValue } from '../../domain/attribute-types.js';
import type { JsonValue } from '../../domain/json.js';
import { NO_PRESENTATION } from '../../domain/presentation.js';
import { isStorableText } from '../../domain/text.js';
import { textOfCell } from '../../formats/csv-cells.js';
import { Columns } from './columns.js';
import type { ExportedRecord } from './export-records.js';

const declare = (name: string, type: Attribute['type']): Attribute => ({
  name,
  type,
  choices: [],
  read_only: false,
  built_in: false,
  owner: null,
  ...NO_PRESENTATION,
  index: 'none',
  index_progress: null,
  accounts: 0,
});

function csvOf(declared: readonly Attribute[], records: readonly ExportedRecord[]): string[] {
  const columns = new Columns(declared);
  for (const record of records) columns.add(record);
  const { head, row } = columns.close();
  return [head, ...records.map(row)];
}

describe('the columns of a CSV file', () => {
  it('are the identity, the declared attributes in order, then all other fields sorted', () => {
    const declared = [declare('licenses', 'integer'), declare('custom_Tier', 'text')];
    const record = { account_id: 'acme', custom_Z: 'z', custom_A: 'a', custom_Tier: 'gold' };
    expect(csvOf(declared, [record])).toEqual([
      'account_id,parent_account_id,name,licenses,custom_Tier,custom_A,custom_Z',
      'acme,,,,gold,a,z',
    ]);
    expect(csvOf(declared, [])).toEqual(['account_id,parent_account_id,name,licenses,custom_Tier']);
  });

  it.each<[string, Attribute['type'] | undefined, Json[], string, string[]]>([
    ['numbers in an integer', 'integer', [25, -5], 'x', ['25', '-5']],
    ['numbers in a decimal', 'decimal', [0.5, 1e300], 'x', ['0.5', '1e+300']],
    ['booleans in a boolean', 'boolean', [true, false], 'x', ['true', 'false']],
    ['texts in a date', 'date', ['2027-01-31'], 'x', ['2027-01-31']],
    ['numbers in a text', 'text', [25, '25'], 'x:json', ['25', '"""25"""']],
    ['numbers without a type', undefined, [25], 'x:json', ['25']],
    ['booleans without a type', undefined, [true], 'x:json', ['true']],
    ['texts without a type', undefined, ['25', '-5', ''], 'x', ['25', "'-5", "'"]],
    ['a list', undefined, ['a', ['b']], 'x:json', ['"""a"""', '"[""b""]"']],
    ['nothing', undefined, [null], 'x', ['']],
  ])('write %s so that an import restores them', (_what, type, values, head, cells) => {
    const declared = type === undefined ? [] : [declare('x', type)];
    const records = values.map((x) => ({ account_id: 'a', x }));
    expect(csvOf(declared, records)).toEqual([
      `account_id,parent_account_id,name,${head}`,
      ...cells.map((cell) => `a,,,${cell}`),
    ]);
  });

  it('mark formula-like names, and contain JSON if the name has the JSON suffix', () => {
    const record = { account_id: '-5', name: '', '=cmd()': 'a', 'b:json': 'c' };
    expect(csvOf([], [record])).toEqual([
      "account_id,parent_account_id,name,'=cmd(),b:json:json",
      `'-5,,',a,"""c"""`,
    ]);
  });

  it('can have the names of inherited properties', () => {
    const odd = JSON.parse('{"account_id":"a","constructor":"b","__proto__":"c"}');
    expect(csvOf([], [odd, { account_id: 'd' }])).toEqual([
      'account_id,parent_account_id,name,__proto__,constructor',
      'a,,,c,b',
      'd,,,,',
    ]);
  });

  it('restore every value that the server can store', () => {
    const special = fc.constantFrom("'", '=', '-', '＝', '\t', '\r', '\n', ' ', '"', ',', ';', 'a', ':json');
    const text = fc.oneof(fc.string({ unit: 'binary' }).filter(isStorableText), fc.string({ unit: special }));
    const anyRecord = fc
      .record(
        {
          account_id: text,
          name: text,
          integer: fc.maxSafeInteger(),
          decimal: fc.double({ noNaN: true, noDefaultInfinity: true }),
          boolean: fc.boolean(),
          text,
          undeclared: fc.dictionary(
            text.filter((name) => !(name in types)),
            fc.oneof(text, fc.jsonValue()),
          ),
        },
        { requiredKeys: ['account_id', 'undeclared'] },
      )
      .map(({ undeclared, ...rest }) => JSON.parse(JSON.stringify({ ...rest, ...undeclared })));
    const declared = (['integer', 'decimal', 'boolean', 'text'] as const).map((type) => declare(type, type));
    fc.assert(
      fc.property(fc.array(anyRecord, { minLength: 1, maxLength: 5 }), (records) => {
        const [head = '', ...rows] = csvOf(declared, records);
        const read = rows.map((row) => readRow(cellsOf(head), cellsOf(row)));
        expect(read).toEqual(
          records.map((record) => new Map(Object.entries(record).filter(hasValue).sort(byName))),
        );
      }),
    );
  });
});

const types: Record<string, Attribute['type']> = {
  account_id: 'text',
  parent_account_id: 'text',
  name: 'text',
  integer: 'integer',
  decimal: 'decimal',
  boolean: 'boolean',
  text: 'text',
};

/** Sorts by name only, because some values cannot be converted to text. */
const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

const hasValue = ([, value]: [string, unknown]) => value !== null;

/** The stored form of what an import sends. */
function readRow(head: readonly string[], cells: readonly string[]): Map<string, JsonValue> {
  const fields = head.map((cell, index): [string, JsonValue] => {
    const title = textOfCell(cell);
    const content = cells[index] ?? '';
    const name = title.replace(/:json$/, '');
    const type = types[name];
    if (content === '') return [name, null];
    if (title !== name) return [name, JSON.parse(content)];
    const text = textOfCell(content);
    return [name, type === undefined ? text : (readValue(text, { type, choices: [] }) ?? null)];
  });
  return new Map(fields.filter(hasValue).sort(byName));
}

/** Parses a row by the rules of RFC 4180. */
function cellsOf(row: string): string[] {
  const found = `,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g);
  return [...found].map(([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain);
}
