import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImportCaller, type Stored } from '../cli/import-caller.js';

/** Only characters that windows-1252 has. */
const account = (account_id: string, name: string | null, fields: Stored['fields']): Stored => ({
  account_id,
  parent_account_id: null,
  name,
  fields,
});
const accounts = (id: string): Stored[] => [
  account(`${id}-1`, 'Müller, Söhne; "Größe" | Ä', {
    licenses: 12,
    custom_Is_Valid: true,
    custom_Notes: 'two\nlines, a\ttab',
  }),
  account(`${id}-2`, null, { licenses: -5, custom_Is_Valid: false, custom_Notes: '  blanks\r\n' }),
  account(`${id}-3`, 'Café €', { custom_Notes: "'=1+1" }),
];

const HEADER = ['account_id', 'name', 'licenses', 'custom_Is_Valid', 'custom_Notes'];
const rows = (id: string) => [
  HEADER,
  [`${id}-1`, 'Müller, Söhne; "Größe" | Ä', '12', 'true', 'two\nlines, a\ttab'],
  [`${id}-2`, '', '-5', '0', '  blanks\r\n'],
  [`${id}-3`, 'Café €', '', '', "''=1+1"],
];
const quoted = (cell: string) => (/["\r\n,;\t|]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const csv = (id: string, delimiter = ',', end = '\n') =>
  rows(id)
    .map((cells) => `${cells.map(quoted).join(delimiter)}${end}`)
    .join('');
const records = (id: string) =>
  accounts(id).map(({ account_id, name, fields }) => ({ account_id, name, ...fields }));
const ndjson = (id: string, end = '\n') =>
  records(id)
    .map((record) => `${JSON.stringify(record)}${end}`)
    .join('');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const windows = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');

interface Form {
  readonly name: string;
  readonly content: (id: string) => string | Buffer;
  readonly is: string;
  readonly args?: readonly string[];
}
const COMMAS = 'CSV, separated by commas.';
const SEMICOLONS = 'CSV, separated by semicolons.';
const TABS = 'CSV, separated by tabs.';
const LINES = 'JSON, one record per line.';
const ARRAY = 'a JSON array.';
const FORMS: readonly Form[] = [
  { name: 'commas.csv', content: (id) => csv(id), is: COMMAS },
  { name: 'no-last-end.csv', content: (id) => csv(id).slice(0, -1), is: COMMAS },
  { name: 'mark.csv', content: (id) => `\ufeff${csv(id)}`, is: COMMAS },
  { name: 'crlf.csv', content: (id) => csv(id, ',', '\r\n'), is: COMMAS },
  { name: 'cr.csv', content: (id) => csv(id, ',', '\r'), is: COMMAS },
  { name: 'semicolons.csv', content: (id) => csv(id, ';', '\r\n'), is: SEMICOLONS },
  { name: 'bars.txt', content: (id) => csv(id, '|'), is: 'CSV, separated by vertical bars.' },
  { name: 'separator-line.csv', content: (id) => `sep=;\r\n${csv(id, ';', '\r\n')}`, is: SEMICOLONS },
  { name: 'utf-16le.txt', content: (id) => utf16(`\ufeff${csv(id, '\t', '\r\n')}`), is: TABS },
  { name: 'utf-16be.csv', content: (id) => utf16(`\ufeff${csv(id)}`).swap16(), is: COMMAS },
  { name: 'unmarked-utf-16.csv', content: (id) => utf16(csv(id)), is: COMMAS },
  {
    name: 'windows-1252.csv',
    content: (id) => windows(csv(id, ';')),
    is: SEMICOLONS,
    args: ['--encoding', 'windows-1252'],
  },
  { name: 'packed.csv.gz', content: (id) => gzipSync(`\ufeff${csv(id, '\t')}`), is: TABS },
  { name: 'lines.ndjson', content: (id) => ndjson(id), is: LINES },
  { name: 'marked-lines.jsonl', content: (id) => `\ufeff\n${ndjson(id, '\r\n\r\n')}`, is: LINES },
  { name: 'array.json', content: (id) => JSON.stringify(records(id)), is: ARRAY },
  {
    name: 'pretty.json.gz',
    content: (id) => gzipSync(`\r\n${JSON.stringify(records(id), null, '\t').replaceAll('\n', '\r\n')}`),
    is: ARRAY,
  },
  { name: '-csv', content: (id) => csv(id, ';'), is: SEMICOLONS },
  { name: '-gzip', content: (id) => gzipSync(csv(id)), is: COMMAS },
  { name: '-ndjson', content: (id) => ndjson(id), is: LINES },
];

describe('import of the same accounts', () => {
  let caller: ImportCaller;
  beforeAll(async () => {
    caller = await ImportCaller.start([{ name: 'custom_Notes', type: 'text' }]);
  });
  afterAll(() => caller.end());

  const plan = (name: string, is: string) => {
    const isCsv = is.startsWith('CSV');
    const [column, empty] = isCsv
      ? ['COLUMN         ', ' An empty cell clears the stored value (--empty keep keeps it).']
      : ['FIELD IN FILE  ', ''];
    return `${name}: ${is}${empty}

${column}  FIELD            TYPE
account_id       account_id       id
name             name             text
licenses         licenses         integer
custom_Is_Valid  custom_Is_Valid  boolean
custom_Notes     custom_Notes     text

`;
  };

  it.each(FORMS)('from $name', async ({ name, content, is, args = [] }) => {
    const isPiped = name.startsWith('-');
    const id = `form${name}`;
    const source = isPiped ? 'standard input' : await caller.write(name, content(id));
    const imported = () =>
      isPiped ? caller.importPiped(content(id), ...args) : caller.import(source, ...args);
    const stderr = plan(source, is);
    const first = {
      status: 0,
      stdout: '3 records: 3 created, 0 updated, 0 unchanged, 0 rejected.\n',
      stderr,
    };
    expect(await imported()).toEqual(first);
    expect(await caller.stored({ id_prefix: id })).toEqual(accounts(id));
    const second = {
      status: 0,
      stdout: '3 records: 0 created, 0 updated, 3 unchanged, 0 rejected.\n',
      stderr,
    };
    expect(await imported()).toEqual(second);
  });

  it('leaves no other files', async () => {
    expect(await caller.files()).toEqual(
      FORMS.map(({ name }) => name)
        .filter((name) => name[0] !== '-')
        .sort(),
    );
  });
});
