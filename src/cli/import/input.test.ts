import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CommandFailed } from '../terminal/command-line.js';
import { Input, peek, prepend } from './input.js';

let directory: string;
let path: string;
/** Where pipes are copied to. */
let temporary: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'account-sync-test-'));
  path = join(directory, 'accounts');
  temporary = join(directory, 'tmp');
  mkdirSync(temporary);
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const LONG = Buffer.from(Array.from({ length: 30_000 }, (_, number) => `account-${number}\n`).join(''));

async function all(input: Input): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of input.bytes()) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The descriptors of this process whose file is in the directory for pipes. */
function openCopies(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(temporary) ? [target] : [];
    } catch {
      return [];
    }
  });
}

/** Opens a pipe into which another process writes these bytes. */
async function openPipe(content: Buffer, onCopied?: (bytes: number) => void): Promise<Input> {
  execFileSync('mkfifo', [path]);
  const source = join(directory, 'source');
  writeFileSync(source, content);
  const writer = spawn('sh', ['-c', `cat "$0" > "$1"`, source, path]);
  const ended = new Promise((resolve) => writer.on('close', resolve));
  // It waits for a reader, which may never come.
  onTestFinished(() => void writer.kill());
  const input = await Input.open(path, onCopied);
  await ended;
  return input;
}

describe('a file', () => {
  it('can be read several times, each time from the start', async () => {
    writeFileSync(path, LONG);
    const input = await Input.open(path);
    const { subject, isPipe, size, bytesRead } = input;
    expect({ subject, isPipe, size, bytesRead }).toEqual({
      subject: path,
      isPipe: false,
      size: LONG.length,
      bytesRead: 0,
    });
    for (let time = 0; time < 2; time += 1) {
      expect((await all(input)).equals(LONG)).toBe(true);
      expect(input.bytesRead).toBe(LONG.length);
    }
    await input.close();
  });

  it('can be read again after a reader that stopped early', async () => {
    for (const content of [LONG, gzipSync(LONG, { level: 0 })]) {
      writeFileSync(path, content);
      const input = await Input.open(path);
      for await (const piece of input.bytes()) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      expect(input.bytesRead).toBeLessThan(content.length);
      expect((await all(input)).equals(LONG)).toBe(true);
      await input.close();
    }
  });

  it('that is closed cannot be read any more', async () => {
    writeFileSync(path, LONG);
    const input = await Input.open(path);
    await input.close();
    await expect(all(input)).rejects.toThrow(CommandFailed);
  });

  it('can be empty', async () => {
    writeFileSync(path, '');
    const input = await Input.open(path);
    expect([input.size, (await all(input)).length]).toEqual([0, 0]);
    await input.close();
  });

  it.each<[string, () => void, string]>([
    ['does not exist', () => {}, 'does not exist. Check the path.'],
    ['is a directory', () => mkdirSync(path), 'is a directory. Name a file in it.'],
    [
      'is a workbook',
      () => writeFileSync(path, 'PK\u0003\u0004…'),
      'is a workbook or a zip file. Save it as CSV first.',
    ],
    [
      'is half of a compressed one',
      () => writeFileSync(path, gzipSync(LONG).subarray(0, -20)),
      'cannot be decompressed: unexpected end of file. Get a complete copy of the file.',
    ],
  ])('is named if it %s', async (_what, prepare, problem) => {
    prepare();
    const read = async () => {
      const input = await Input.open(path);
      await all(input).finally(() => input.close());
    };
    await expect(read()).rejects.toThrow(new CommandFailed(`${path} ${problem}`));
  });
});

describe.runIf(process.platform === 'linux')('a pipe', () => {
  it('is copied to a file without a name, and can be read several times', async () => {
    const copied: number[] = [];
    const input = await openPipe(LONG, (bytes) => copied.push(bytes));
    expect([input.isPipe, input.size, copied.at(-1)]).toEqual([true, LONG.length, LONG.length]);
    expect(copied).toEqual([...copied].sort((a, b) => a - b));
    expect(readdirSync(temporary)).toEqual([]);
    expect(openCopies()).toEqual([expect.stringMatching(/ \(deleted\)$/)]);
    for (let time = 0; time < 2; time += 1) expect((await all(input)).equals(LONG)).toBe(true);
    await input.close();
    expect(openCopies()).toEqual([]);
  });

  it('can be compressed', async () => {
    const packed = gzipSync(LONG);
    const input = await openPipe(packed);
    expect(input.size).toBe(packed.length);
    for (let time = 0; time < 2; time += 1) expect((await all(input)).equals(LONG)).toBe(true);
    await input.close();
  });

  it('can be empty', async () => {
    const input = await openPipe(Buffer.alloc(0));
    expect([input.size, (await all(input)).length]).toEqual([0, 0]);
    await input.close();
  });

  it('needs a directory for the copy', async () => {
    rmdirSync(temporary);
    await expect(openPipe(Buffer.from('id\n'))).rejects.toThrow(
      new RegExp(
        `^The data of the pipe cannot be kept in ${temporary}: ENOENT: .*\\. Set TMPDIR to a directory with enough space, or import a file\\.$`,
      ),
    );
  });

  it('needs space for the copy', async () => {
    const some = await open(directory);
    const full = vi
      .spyOn(Object.getPrototypeOf(some) as FileHandle, 'writeFile')
      .mockRejectedValue(new Error('ENOSPC: no space left on device'));
    await some.close();
    await expect(openPipe(Buffer.from('id\n'))).rejects.toThrow(
      new CommandFailed(
        `The data of the pipe cannot be kept in ${temporary}: ENOSPC: no space left on device. Set TMPDIR to a directory with enough space, or import a file.`,
      ),
    );
    full.mockRestore();
    expect(openCopies()).toEqual([]);
  });
});

describe('the first bytes', () => {
  async function* pieces(...texts: string[]): AsyncGenerator<Buffer, void> {
    for (const text of texts) yield Buffer.from(text);
  }
  const textOf = async (bytes: AsyncIterable<Buffer>) => {
    let text = '';
    for await (const piece of bytes) text += piece.toString();
    return text;
  };

  it.each<[string, string[], number, string]>([
    ['of several pieces', ['ab', 'cd', 'ef'], 3, 'abcd'],
    ['of fewer than asked for', ['ab'], 3, 'ab'],
    ['of nothing', [], 3, ''],
  ])('%s are read, and come again', async (_what, texts, length, first) => {
    const peeked = await peek(pieces(...texts), length);
    expect([peeked.first.toString(), await textOf(peeked.all)]).toEqual([first, texts.join('')]);
  });

  it('end the source if the reader stops at them', async () => {
    let isEnded = false;
    async function* source(): AsyncGenerator<string, void> {
      try {
        yield 'b';
        yield 'c';
      } finally {
        isEnded = true;
      }
    }
    const rest = source();
    await rest.next();
    for await (const piece of prepend('a', rest)) {
      expect(piece).toBe('a');
      break;
    }
    expect(isEnded).toBe(true);
  });
});
