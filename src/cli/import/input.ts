import { createReadStream, fstatSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandFailed } from '../terminal/command-line.js';
import { isGzip, isZip } from './recognise.js';

const CHUNK_BYTES = 64 * 1024;

/** The bytes of a file or of standard input, decompressed if they are gzip. */
export class Input {
  /** The name that starts messages about it. */
  readonly subject: string;
  /** The size of a regular file on disk, possibly compressed. */
  readonly size: number | undefined;
  readonly #stream: Readable & { readonly bytesRead: number };

  private constructor(subject: string, stats: Stats, stream: Readable & { readonly bytesRead: number }) {
    this.subject = subject;
    this.size = stats.isFile() ? stats.size : undefined;
    this.#stream = stream;
  }

  static async open(path: string): Promise<Input> {
    if (path === '-') return new Input('Standard input', fstatSync(0), process.stdin);
    const stats = await stat(path).catch((error) => {
      throw readError(path, error);
    });
    return new Input(path, stats, createReadStream(path, { highWaterMark: CHUNK_BYTES }));
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  close(): void {
    this.#stream.destroy();
  }

  async *bytes(): AsyncGenerator<Buffer, void> {
    try {
      const { first, all } = await peek(this.#stream, 4);
      if (isZip(first))
        throw new CommandFailed(`${this.subject} is a workbook or a zip file. Save it as CSV first.`);
      const plain: AsyncIterable<Buffer> = isGzip(first) ? pipeline(all, createGunzip(), () => {}) : all;
      yield* plain;
    } catch (error) {
      throw readError(this.subject, error as NodeJS.ErrnoException);
    } finally {
      this.#stream.destroy();
    }
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
