import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chosen } from '../../../test/support/import-parts.js';
import { CommandFailed } from '../terminal/command-line.js';
import { type ColumnMapping, readMapping, saveMapping } from './mapping.js';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'mapping.json');
});
afterEach(() => rmSync(directory, { recursive: true }));

async function read(text: string): Promise<[string, ColumnMapping][]> {
  writeFileSync(path, text);
  return [...(await readMapping(path))];
}

describe('a mapping file', () => {
  it.each<[string, string, [string, ColumnMapping][]]>([
    ['is empty', '{}', []],
    [
      'names fields, and columns that are not sent',
      '{" Seats ": " licenses ", "Notes": null}',
      [
        ['Seats', { field: 'licenses' }],
        ['Notes', { field: null }],
      ],
    ],
    ['begins with a byte order mark', '\ufeff{"A": "b"}', [['A', { field: 'b' }]]],
    [
      'says how values are written',
      '{"A": {"field": " a "}, "B": {"field": "b", "convert": "mdy"}, "C": {"field": "c", "convert": ["mdy", "day"], "values": {" n/a ": null, "x": " y "}}}',
      [
        ['A', { field: 'a', conversion: chosen([]) }],
        ['B', { field: 'b', conversion: chosen(['mdy']) }],
        ['C', { field: 'c', conversion: chosen(['mdy', 'day'], { 'n/a': null, x: ' y ' }) }],
      ],
    ],
    [
      'has names as objects have them',
      '{"__proto__": {"field": "constructor", "values": {"__proto__": "toString"}}}',
      [
        [
          '__proto__',
          {
            field: 'constructor',
            conversion: { readings: [], values: new Map([['__proto__', 'toString']]) },
          },
        ],
      ],
    ],
  ])('%s', async (_what, text, mapping) => {
    expect(await read(text)).toEqual(mapping);
  });

  it.each([
    ['is no JSON', '{"A": "b"'],
    ['is empty', ''],
    ['is an array', '[]'],
    ['is a text', '"A=b"'],
    ['is null', 'null'],
    ['has an empty field', '{"A": " "}'],
    ['has one field for all other columns', '{"A": "b", "*": "c"}'],
    ['has a number as a field', '{"A": 1}'],
    ['has a list of fields', '{"A": ["b"]}'],
    ['has a boolean as a field', '{"A": false}'],
    ['has no field beside the form', '{"A": {"convert": "mdy"}}'],
    ['has null beside the form', '{"A": {"field": null, "convert": "mdy"}}'],
    ['has an empty field beside the form', '{"A": {"field": " ", "convert": "mdy"}}'],
    ['has an unknown member', '{"A": {"field": "b", "conversion": "mdy"}}'],
    ['has a form that is no text', '{"A": {"field": "b", "convert": 1}}'],
    ['has no form', '{"A": {"field": "b", "convert": null}}'],
    ['has a list with a form that is no text', '{"A": {"field": "b", "convert": ["mdy", 1]}}'],
    ['has a list of values', '{"A": {"field": "b", "values": ["x"]}}'],
    ['has a value that becomes a number', '{"A": {"field": "b", "values": {"x": 1}}}'],
  ])('that %s is not used', async (_what, text) => {
    await expect(read(text)).rejects.toThrow(
      new CommandFailed(
        `${path} must contain a JSON object that maps each column to a field, or to null if it is not sent: {"Seats": "licenses", "Renewal": {"field": "custom_Renewal", "convert": "mdy"}, "Notes": null}`,
      ),
    );
  });

  it('that cannot be read is named', async () => {
    await expect(readMapping(path)).rejects.toThrow(
      new CommandFailed(`Cannot read the mapping file: ENOENT: no such file or directory, open '${path}'.`),
    );
  });
});

describe('a saved mapping', () => {
  const MAPPING = new Map<string, ColumnMapping>([
    ['Account ID', { field: 'account_id', conversion: chosen([]) }],
    [
      'Seats "net"',
      { field: 'licenses', conversion: chosen(['1,000.00'], { '12 seats': '12', 'n/a': null }) },
    ],
    ['Renewal', { field: 'custom_Renewal', conversion: chosen(['mdy', 'day']) }],
    [
      'Tier',
      { field: 'custom_Tier', conversion: { readings: [], values: new Map([['__proto__', 'gold']]) } },
    ],
    ['Owner', { field: null, conversion: chosen([]) }],
    ['42', { field: 'custom_42' }],
  ]);

  it('has one line for each column, in the order of the file', async () => {
    await saveMapping(path, MAPPING);
    expect(readFileSync(path, 'utf8')).toBe(`{
  "Account ID": "account_id",
  "Seats \\"net\\"": {"field":"licenses","convert":"1,000.00","values":{"12 seats":"12","n/a":null}},
  "Renewal": {"field":"custom_Renewal","convert":["mdy","day"]},
  "Tier": {"field":"custom_Tier","values":{"__proto__":"gold"}},
  "Owner": null,
  "42": "custom_42"
}
`);
  });

  it('is read as it was', async () => {
    await saveMapping(path, MAPPING);
    const read = await readMapping(path);
    const isPlain = (name: string) => ['Account ID', 'Owner'].includes(name);
    for (const [name, { field, conversion }] of MAPPING) {
      expect(read.get(name)).toEqual(
        isPlain(name) || conversion === undefined ? { field } : { field, conversion },
      );
    }
    expect(read.size).toBe(MAPPING.size);
  });

  it('replaces an earlier one', async () => {
    writeFileSync(path, 'x'.repeat(1_000));
    await saveMapping(path, new Map([['A', { field: 'b' }]]));
    expect(readFileSync(path, 'utf8')).toBe('{\n  "A": "b"\n}\n');
  });

  it('needs a directory', async () => {
    const nowhere = join(directory, 'nowhere', 'm.json');
    await expect(saveMapping(nowhere, MAPPING)).rejects.toThrow(
      new CommandFailed(`Cannot save the mapping: ENOENT: no such file or directory, open '${nowhere}'.`),
    );
  });
});
