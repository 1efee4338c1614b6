import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandFailed } from '../terminal/command-line.js';
import { csvRows } from './import-rows.js';
import { type ImportFile, openImportFile } from './open-import-file.js';

const WHAT_TO_DO = 'Give its encoding, for example --encoding windows-1252 for a CSV file from Excel.';
/** Longer than one chunk. */
const LONG = `id,name\n${'acme,Ünïted €\n'.repeat(20_000)}`;

let directory: string;
let path: string;
let opened: ImportFile[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'accounts');
});

afterEach(async () => {
  await Promise.all(opened.map((importFile) => importFile.close()));
  opened = [];
  await rm(directory, { recursive: true });
});

async function open(
  content: string | Buffer,
  options: Parameters<typeof openImportFile>[1] = {},
): Promise<ImportFile> {
  await writeFile(path, content);
  const importFile = await openImportFile(path, options);
  opened.push(importFile);
  return importFile;
}

async function textOf(importFile: ImportFile): Promise<string> {
  let whole = '';
  for await (const piece of importFile.text()) whole += piece;
  return whole;
}

/** The error message for a file that cannot be read to its end. */
async function problemOf(importFile: Promise<ImportFile>): Promise<string> {
  try {
    await textOf(await importFile);
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
  throw new Error('It was read.');
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

describe('a file', () => {
  it('is read, and its properties are detected', async () => {
    const importFile = await open(LONG);
    const { text, close, ...rest } = importFile;
    expect(rest).toEqual({
      name: path,
      isPipe: false,
      format: 'csv',
      delimiter: ',',
      lineEnd: '\n',
      hasMark: false,
      size: Buffer.byteLength(LONG),
      bytesRead: expect.any(Number),
      firstLine: 1,
    });
    expect(await textOf(importFile)).toBe(LONG);
    expect(importFile.bytesRead).toBe(importFile.size);
  });

  it('can be compressed', async () => {
    const packed = gzipSync(LONG);
    const importFile = await open(packed);
    expect(await textOf(importFile)).toBe(LONG);
    expect([importFile.size, importFile.bytesRead]).toEqual([packed.length, packed.length]);
  });

  it('can consist of several gzip members', async () => {
    const importFile = await open(Buffer.concat([gzipSync('id\n'), gzipSync('1\n')]));
    expect(await textOf(importFile)).toBe('id\n1\n');
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${LONG}`), true],
    ['UTF-16 with a mark', utf16(`\ufeff${LONG}`), true],
    ['UTF-16 with a mark, big end first', utf16(`\ufeff${LONG}`).swap16(), true],
    ['UTF-16 without a mark', utf16(LONG), true],
    ['UTF-16 without a mark, compressed', gzipSync(utf16(LONG)), true],
    ['UTF-8 without a mark', Buffer.from(LONG), false],
  ])('can be %s', async (_what, bytes, hasMark) => {
    const importFile = await open(bytes);
    expect([importFile.hasMark, importFile.delimiter]).toEqual([hasMark, ',']);
    expect(await textOf(importFile)).toBe(LONG);
  });

  it('has the given format and encoding', async () => {
    const importFile = await open(Buffer.from('{é}\r\n', 'latin1'), {
      format: 'csv',
      encoding: 'windows-1252',
    });
    expect([importFile.format, importFile.lineEnd, importFile.hasMark]).toEqual(['csv', '\r\n', true]);
    expect(await textOf(importFile)).toBe('{é}\r\n');
  });

  it('is UTF-8 if it has its byte order mark, even with --encoding', async () => {
    const importFile = await open(Buffer.from('\ufeffid,é\n'), { encoding: 'windows-1252' });
    expect([importFile.hasMark, await textOf(importFile)]).toEqual([true, 'id,é\n']);
  });

  it('can name its delimiter in a first line, which is skipped but counted', async () => {
    const importFile = await open('\ufeffsep=;\r\na;b,c\r\n\r\n"1"2\r\n3;"4');
    expect([importFile.delimiter, importFile.firstLine, importFile.hasMark]).toEqual([';', 2, true]);
    const rows = csvRows(importFile);
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

  it('yields all rows', async () => {
    const lines: number[] = [];
    for await (const rows of csvRows(await open(`${LONG}last,`))) lines.push(...rows.map(({ line }) => line));
    expect(lines).toEqual(Array.from({ length: 20_002 }, (_, i) => i + 1));
  });

  it.each([
    ['plain', Buffer.from(LONG)],
    ['compressed', gzipSync(LONG)],
    ['with a mark and a line that names the delimiter', Buffer.from(`\ufeffsep=,\n${LONG}`)],
  ])('can be read several times, also when an earlier reader stopped early: %s', async (_what, bytes) => {
    const importFile = await open(bytes);
    for await (const _piece of importFile.text()) break;
    expect(await textOf(importFile)).toBe(LONG);
    expect(importFile.bytesRead).toBe(bytes.length);
    expect(await textOf(importFile)).toBe(LONG);
    expect(importFile.bytesRead).toBe(bytes.length);
  });

  it('can be a pipe, which can be read several times, too', async () => {
    execFileSync('mkfifo', [path]);
    const written = writeFile(path, LONG);
    const copied: number[] = [];
    const importFile = await openImportFile(path, { onCopied: (bytes) => copied.push(bytes) });
    await written;
    const size = Buffer.byteLength(LONG);
    expect([importFile.isPipe, importFile.size, copied.at(-1)]).toEqual([true, size, size]);
    expect(await textOf(importFile)).toBe(LONG);
    expect(await textOf(importFile)).toBe(LONG);
    expect(importFile.bytesRead).toBe(size);
    await importFile.close();
  });
});

describe('an unreadable file', () => {
  it.each([
    ['an empty file', '', 'is empty.'],
    ['only a byte order mark', '\ufeff', 'is empty.'],
    ['an empty file, compressed', gzipSync(''), 'is empty.'],
    ['another encoding', Buffer.from('id\né\n', 'latin1'), `is not valid UTF-8 at byte 4. ${WHAT_TO_DO}`],
    [
      'another encoding further down, compressed',
      gzipSync(Buffer.concat([Buffer.from(LONG), Buffer.from('é', 'latin1')])),
      `is not valid UTF-8 at byte 360,009. ${WHAT_TO_DO}`,
    ],
    ['a workbook', 'PK\u0003\u0004…', 'is a workbook or a zip file. Save it as CSV first.'],
    [
      'half a file, compressed',
      gzipSync(LONG).subarray(0, -20),
      'cannot be decompressed: unexpected end of file. Get a complete copy of the file.',
    ],
    [
      'only a gzip header',
      Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
      'cannot be decompressed: unknown compression method. Get a complete copy of the file.',
    ],
  ])('is %s', async (_what, content, problem) => {
    expect(await problemOf(open(content))).toBe(`${path} ${problem}`);
  });

  it('is a missing file or a directory', async () => {
    expect(await problemOf(openImportFile(path, {}))).toBe(`${path} does not exist. Check the path.`);
    await mkdir(path);
    expect(await problemOf(openImportFile(path, {}))).toBe(`${path} is a directory. Name a file in it.`);
  });

  it.skipIf(process.getuid?.() === 0)('is a file without read permission', async () => {
    await writeFile(path, 'id\n');
    await chmod(path, 0);
    expect(await problemOf(openImportFile(path, {}))).toBe(
      `${path} is not readable by this user. Give the user read access.`,
    );
  });

  it('has an unknown encoding', async () => {
    expect(await problemOf(open('id\n', { encoding: 'utf-9' }))).toBe(
      'The encoding utf-9 is unknown. Use for example utf-8, utf-16le, windows-1252 or iso-8859-15.',
    );
  });
});

/** The descriptors with which this process has the file open. */
async function openHandles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  const targets = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target === path);
}

describe.runIf(process.platform === 'linux')('the file is closed', () => {
  it.each([
    ['plain', Buffer.from(LONG)],
    ['compressed', gzipSync(Buffer.concat(Array<Buffer>(40).fill(Buffer.from(LONG))), { level: 0 })],
  ])('by close, and not when a reader stops early: %s', async (_what, content) => {
    const importFile = await open(content);
    for await (const _rows of csvRows(importFile)) break;
    expect(await openHandles()).toHaveLength(1);
    await importFile.close();
    expect(await openHandles()).toEqual([]);
  });

  it('when its encoding is wrong', async () => {
    const content = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(LONG)]);
    await expect(open(content)).rejects.toThrow(CommandFailed);
    expect(await openHandles()).toEqual([]);
  });
});
