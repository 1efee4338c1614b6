import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandFailed } from '../terminal/command-line.js';
import { isGzip, isZip } from './recognise.js';

const CHUNK_BYTES = 64 * 1024;

/**
 * The bytes of a file or of standard input, decompressed if they are gzip. They can be read several times, because an
 * import reads all values before it sends the first. Therefore a pipe is copied to a temporary file first.
 */
export class Input {
  /** The name that starts messages about it. */
  readonly subject: string;
  readonly isPipe: boolean;
  /** In bytes, possibly compressed. */
  readonly size: number;
  readonly #file: FileHandle;
  #bytesRead = 0;

  private constructor(subject: string, file: FileHandle, size: number, isPipe: boolean) {
    this.subject = subject;
    this.#file = file;
    this.size = size;
    this.isPipe = isPipe;
  }

  /** `onCopied` is called with the number of bytes of a pipe that have arrived. */
  static async open(path: string, onCopied: (bytes: number) => void = () => {}): Promise<Input> {
    const subject = path === '-' ? 'Standard input' : path;
    try {
      const stats = path === '-' ? undefined : await stat(path);
      if (stats?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
      if (stats?.isFile()) return new Input(subject, await open(path), stats.size, false);
      const { file, size } = await copyPipe(path === '-' ? process.stdin : createReadStream(path), onCopied);
      return new Input(subject, file, size, true);
    } catch (error) {
      throw readError(subject, error as NodeJS.ErrnoException);
    }
  }

  /** How many bytes have been read since the last call of `bytes`. */
  get bytesRead(): number {
    return this.#bytesRead;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** From the start. */
  async *bytes(): AsyncGenerator<Buffer, void> {
    try {
      const { first, all } = await peek(this.#read(), 4);
      if (isZip(first))
        throw new CommandFailed(`${this.subject} is a workbook or a zip file. Save it as CSV first.`);
      const plain: AsyncIterable<Buffer> = isGzip(first) ? pipeline(all, createGunzip(), () => {}) : all;
      yield* plain;
    } catch (error) {
      throw readError(this.subject, error as NodeJS.ErrnoException);
    }
  }

  /** Not a stream, because the file must stay open when a reader stops early. */
  async *#read(): AsyncGenerator<Buffer, void> {
    this.#bytesRead = 0;
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await this.#file.read(
        Buffer.alloc(CHUNK_BYTES),
        0,
        CHUNK_BYTES,
        position,
      );
      if (bytesRead === 0) return;
      position += bytesRead;
      this.#bytesRead = position;
      yield buffer.subarray(0, bytesRead);
    }
  }
}

/** The copy has no name, so that nothing is left of it, however the process ends. */
async function copyPipe(
  pipe: Readable,
  onCopied: (bytes: number) => void,
): Promise<{ readonly file: FileHandle; readonly size: number }> {
  const file = await attemptToKeep(async () => {
    const path = join(tmpdir(), `account-sync-${randomUUID()}`);
    const file = await open(path, 'wx+', 0o600);
    await unlink(path);
    return file;
  });
  let size = 0;
  for await (const piece of pipe) {
    await attemptToKeep(() => file.writeFile(piece));
    size += piece.length;
    onCopied(size);
  }
  return { file, size };
}

async function attemptToKeep<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new CommandFailed(
      `The data of the pipe cannot be kept in ${tmpdir()}: ${(error as Error).message}. Set TMPDIR to a directory with enough space, or import a file.`,
    );
  }
}

function readError(subject: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof CommandFailed) return error;
  const { code, message } = error;
  if (code === 'ENOENT') return new CommandFailed(`${subject} does not exist. Check the path.`);
  if (code === 'EISDIR') return new CommandFailed(`${subject} is a directory. Name a file in it.`);
  if (code === 'EACCES')
    return new CommandFailed(`${subject} is not readable by this user. Give the user read access.`);
  if (code?.startsWith('Z_')) {
    return new CommandFailed(
      `${subject} cannot be decompressed: ${message}. Get a complete copy of the file.`,
    );
  }
  return new CommandFailed(`${subject} cannot be read: ${message}.`);
}

/** Reads at least `length` bytes if there are as many. `all` contains all bytes, including these. */
export async function peek(
  bytes: AsyncIterable<Buffer>,
  length: number,
): Promise<{ readonly first: Buffer; readonly all: AsyncGenerator<Buffer, void> }> {
  const rest = bytes[Symbol.asyncIterator]();
  const pieces: Buffer[] = [];
  for (let missing = length; missing > 0; ) {
    const { value, done } = await rest.next();
    if (done) break;
    pieces.push(value);
    missing -= value.length;
  }
  const first = Buffer.concat(pieces);
  return { first, all: prepend(first, rest) };
}

/** Yields what was already read, then the rest. Closes the rest if the reader stops early. */
export async function* prepend<T extends Buffer | string>(
  first: T,
  rest: AsyncIterator<T>,
): AsyncGenerator<T, void> {
  try {
    if (first.length > 0) yield first;
    yield* { [Symbol.asyncIterator]: () => rest };
  } finally {
    await rest.return?.();
  }
}
