import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandFailed } from '../terminal/command-line.js';
import { csvRows } from './item-batches.js';
import { openImportFile, type Source } from './open-import-file.js';

const WHAT_TO_DO = 'Say what it is: --encoding windows-1252 for a CSV of Excel, for example.';
/** Some pieces long. */
const LONG = `id,name\n${'acme,Ünïted €\n'.repeat(20_000)}`;

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'accounts');
});

afterEach(() => rm(directory, { recursive: true }));

async function open(
  content: string | Buffer,
  options: Parameters<typeof openImportFile>[1] = {},
): Promise<Source> {
  await writeFile(path, content);
  return openImportFile(path, options);
}

async function textOf({ text }: Source): Promise<string> {
  let whole = '';
  for await (const piece of text) whole += piece;
  return whole;
}

/** What is said of a source that cannot be read to its end. */
async function problemOf(source: Promise<Source>): Promise<string> {
  try {
    await textOf(await source);
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
  throw new Error('It was read.');
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('a file', () => {
  it('is read, with all that can be said of it', async () => {
    const source = await open(LONG);
    const { text, close, ...rest } = source;
    expect(rest).toEqual({
      name: path,
      format: 'csv',
      delimiter: ',',
      lineEnd: '\n',
      hasMark: false,
      size: Buffer.byteLength(LONG),
      bytesRead: expect.any(Number),
      firstLine: 1,
    });
    expect(await textOf(source)).toBe(LONG);
    expect(source.bytesRead).toBe(source.size);
  });

  it('may be compressed', async () => {
    const packed = gzipSync(LONG);
    const source = await open(packed);
    expect(await textOf(source)).toBe(LONG);
    expect([source.size, source.bytesRead]).toEqual([packed.length, packed.length]);
  });

  it('may be compressed in parts', async () => {
    const source = await open(Buffer.concat([gzipSync('id\n'), gzipSync('1\n')]));
    expect(await textOf(source)).toBe('id\n1\n');
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${LONG}`), true],
    ['UTF-16 with a mark', utf16(`\ufeff${LONG}`), true],
    ['UTF-16 with a mark, big end first', utf16(`\ufeff${LONG}`).swap16(), true],
    ['UTF-16 without a mark', utf16(LONG), true],
    ['UTF-16 without a mark, compressed', gzipSync(utf16(LONG)), true],
    ['UTF-8 without a mark', Buffer.from(LONG), false],
  ])('may be %s', async (_what, bytes, hasMark) => {
    const source = await open(bytes);
    expect([source.hasMark, source.delimiter]).toEqual([hasMark, ',']);
    expect(await textOf(source)).toBe(LONG);
  });

  it('may be what it is said to be', async () => {
    const source = await open(Buffer.from('{é}\r\n', 'latin1'), { format: 'csv', encoding: 'windows-1252' });
    expect([source.format, source.lineEnd, source.hasMark]).toEqual(['csv', '\r\n', true]);
    expect(await textOf(source)).toBe('{é}\r\n');
  });

  it('is UTF-8 where it has the mark of that, whatever it is said to be', async () => {
    const source = await open(Buffer.from('\ufeffid,é\n'), { encoding: 'windows-1252' });
    expect([source.hasMark, await textOf(source)]).toEqual([true, 'id,é\n']);
  });

  it('may name its delimiter in a line that counts, and is left out', async () => {
    const source = await open('\ufeffsep=;\r\na;b,c\r\n\r\n"1"2\r\n3;"4');
    expect([source.delimiter, source.firstLine, source.hasMark]).toEqual([';', 2, true]);
    const rows = csvRows(source);
    expect(await rows.next()).toEqual({
      done: false,
      value: [
        { line: 2, cells: ['a', 'b,c'] },
        {
          line: 4,
          text: '"1"2',
          problem: 'Text follows the closing quote of cell 1; quotes inside a quoted cell are written twice.',
        },
      ],
    });
    await expect(rows.next()).rejects.toThrow(
      new CommandFailed(
        'Line 5: the quoted cell 2 that begins there has no end. Close the quote, or write quotes inside the cell twice.',
      ),
    );
  });

  it('gives rows to its end', async () => {
    const lines: number[] = [];
    for await (const rows of csvRows(await open(`${LONG}last,`))) lines.push(...rows.map(({ line }) => line));
    expect(lines).toEqual(Array.from({ length: 20_002 }, (_, i) => i + 1));
  });

  it('may be a pipe, of no size', async () => {
    execFileSync('mkfifo', [path]);
    const written = writeFile(path, LONG);
    const source = await openImportFile(path, {});
    expect(source.size).toBeUndefined();
    expect(await textOf(source)).toBe(LONG);
    expect(source.bytesRead).toBe(Buffer.byteLength(LONG));
    await written;
  });
});

describe('what cannot be read', () => {
  it.each([
    ['an empty file', '', 'is empty.'],
    ['a mark and nothing else', '\ufeff', 'is empty.'],
    ['an empty file, compressed', gzipSync(''), 'is empty.'],
    ['another encoding', Buffer.from('id\né\n', 'latin1'), `is not UTF-8 at byte 4. ${WHAT_TO_DO}`],
    [
      'another encoding further down, compressed',
      gzipSync(Buffer.concat([Buffer.from(LONG), Buffer.from('é', 'latin1')])),
      `is not UTF-8 at byte 360,009. ${WHAT_TO_DO}`,
    ],
    ['a workbook', 'PK\u0003\u0004…', 'is a workbook or a zip file. Save it as CSV first.'],
    [
      'half a file, compressed',
      gzipSync(LONG).subarray(0, -20),
      'cannot be unpacked: unexpected end of file. Get it anew, and whole.',
    ],
    [
      'what only begins as if it were compressed',
      Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
      'cannot be unpacked: unknown compression method. Get it anew, and whole.',
    ],
  ])('is %s', async (_what, content, problem) => {
    expect(await problemOf(open(content))).toBe(`${path} ${problem}`);
  });

  it('is what is not there, or a directory', async () => {
    expect(await problemOf(openImportFile(path, {}))).toBe(`${path} is not there. Check the path.`);
    await mkdir(path);
    expect(await problemOf(openImportFile(path, {}))).toBe(`${path} is a directory. Give a file in it.`);
  });

  it.skipIf(process.getuid?.() === 0)('is what this user may not read', async () => {
    await writeFile(path, 'id\n');
    await chmod(path, 0);
    expect(await problemOf(openImportFile(path, {}))).toBe(
      `${path} may not be read by this user. Allow it to.`,
    );
  });

  it('is an encoding that nobody knows', async () => {
    expect(await problemOf(open('id\n', { encoding: 'utf-9' }))).toBe(
      'There is no encoding utf-9. Known are utf-8, utf-16le, windows-1252, iso-8859-15 and others.',
    );
  });
});

/** Through which this process has the file open. */
async function openHandles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  const targets = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target === path);
}

describe.runIf(process.platform === 'linux')('the file is closed', () => {
  it.each([
    ['plain', Buffer.from(LONG)],
    ['compressed', gzipSync(Buffer.concat(Array<Buffer>(40).fill(Buffer.from(LONG))), { level: 0 })],
  ])('when nobody reads on: %s', async (_what, content) => {
    const source = await open(content);
    expect(await openHandles()).toHaveLength(1);
    for await (const _rows of csvRows(source)) break;
    await expect.poll(openHandles).toEqual([]);
  });

  it('when it is not what it seemed to be', async () => {
    await problemOf(open(Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(LONG)])));
    await expect.poll(openHandles).toEqual([]);
  });
});
