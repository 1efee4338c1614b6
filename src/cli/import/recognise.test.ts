import { describe, expect, it } from 'vitest';
import { hasUtf8Mark, isGzip, isZip, recogniseEncoding, recogniseForm } from './recognise.js';

const bytes = (...values: number[]) => Buffer.from(values);

describe('the encoding', () => {
  it.each([
    ['UTF-8 without a mark', Buffer.from('id,name'), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\ufeffid,name'), 'utf-8'],
    ['UTF-16, little end first, with a mark', Buffer.from('\ufeffid', 'utf16le'), 'utf-16le'],
    ['UTF-16, big end first, with a mark', Buffer.from('\ufeffid', 'utf16le').swap16(), 'utf-16be'],
    ['UTF-16, little end first, without a mark', Buffer.from('id', 'utf16le'), 'utf-16le'],
    ['UTF-16, big end first, without a mark', Buffer.from('id', 'utf16le').swap16(), 'utf-16be'],
    ['anything else', bytes(0, 0, 0, 0), 'utf-8'],
    ['too few bytes', bytes(0x69), 'utf-8'],
    ['nothing', bytes(), 'utf-8'],
  ])('of %s', (_what, first, encoding) => {
    expect(recogniseEncoding(first)).toBe(encoding);
  });
});

it('compressed files and byte order marks are detected from the first bytes', () => {
  expect([isGzip(bytes(0x1f, 0x8b, 8)), isGzip(bytes(0x1f)), isGzip(Buffer.from('id'))]).toEqual([
    true,
    false,
    false,
  ]);
  expect([isZip(Buffer.from('PK\u0003\u0004rest')), isZip(Buffer.from('PKW,name'))]).toEqual([true, false]);
  expect([hasUtf8Mark(Buffer.from('\ufeffid')), hasUtf8Mark(Buffer.from('id'))]).toEqual([true, false]);
});

const csv = (delimiter: string, lineEnd = '\n', separatorLine = '') => ({
  format: 'csv',
  delimiter,
  lineEnd,
  separatorLine,
});

describe('the format', () => {
  it.each([
    ['an array', ' \r\n[{}]', { format: 'json', delimiter: ',', lineEnd: '\r\n', separatorLine: '' }],
    ['lines of JSON', '{"a;b":1}\n', { format: 'ndjson', delimiter: ',', lineEnd: '\n', separatorLine: '' }],
    ['CSV with commas', 'id,name\r1;2;3', csv(',', '\r')],
    ['CSV with semicolons', 'id;name, first;name;city\r\n1,2,3,4,5', csv(';', '\r\n')],
    ['CSV with tabs', 'id\tname\n', csv('\t')],
    ['CSV with bars', 'id|name\n', csv('|')],
    ['CSV with delimiters of other kinds in quotes', '"a,b,c,d";"e\n,"\n', csv(';')],
    ['CSV with more of them there than outside', 'id,"a; b; ""c"";\nd"\n1;2', csv(',')],
    ['CSV with a quote inside a cell', 'id,5" disk,8" disk;tape\n', csv(',')],
    ['CSV behind blank lines', '\n \nid;name', csv(';')],
    ['CSV of one column', 'id\n1;2\n', csv(',')],
    ['CSV with as many of each', 'a;b,c\n', csv(',')],
    ['CSV whose header has no end', 'id;"name', csv(';')],
    ['CSV whose header is broken', 'id;"na"me\n', csv(';')],
    ['CSV that names its delimiter', 'sep=;\r\na,b,c', csv(';', '\r\n', 'sep=;\r\n')],
    ['CSV that names one nobody would guess', 'SEP=^\na,b,c', csv('^', '\n', 'SEP=^\n')],
    ['CSV that names it in quotes', '"sep=\t"\ra,b,c', csv('\t', '\r', '"sep=\t"\r')],
    ['CSV with a column of such a name', 'sep=,id\n', csv(',')],
    ['nothing', '', csv(',')],
  ])('of %s', (_what, text, form) => {
    expect(recogniseForm(text)).toEqual(form);
  });

  it('is the given one, if there is one', () => {
    expect(recogniseForm('{a};{b}\n', 'csv')).toEqual(csv(';'));
    expect(recogniseForm('sep=;\n[', 'json')).toEqual({ ...csv(',', '\n'), format: 'json' });
  });
});
