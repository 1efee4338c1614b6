import { createReadStream, fstatSync, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { CommandFailed } from '../terminal/command-line.js';
import { isGzip, isZip } from './recognise.js';

const PIECE_BYTES = 64 * 1024;

/** The bytes of a file or of standard input, unpacked where they are packed. */
export class Input {
  /** What sentences about it begin with. */
  readonly subject: string;
  /** Of a regular file, as it lies there. */
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
      throw inWords(path, error);
    });
    return new Input(path, stats, createReadStream(path, { highWaterMark: PIECE_BYTES }));
  }

  get bytesRead(): number {
    return this.#stream.bytesRead;
  }

  close(): void {
    this.#stream.destroy();
  }

  async *bytes(): AsyncGenerator<Buffer, void> {
    try {
      const { first, all } = await begin(this.#stream, 4);
      if (isZip(first))
        throw new CommandFailed(`${this.subject} is a workbook or a zip file. Save it as CSV first.`);
      const plain: AsyncIterable<Buffer> = isGzip(first) ? pipeline(all, createGunzip(), () => {}) : all;
      yield* plain;
    } catch (error) {
      throw inWords(this.subject, error as NodeJS.ErrnoException);
    } finally {
      this.#stream.destroy();
    }
  }
}

function inWords(subject: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof CommandFailed) return error;
  const { code, message } = error;
  if (code === 'ENOENT') return new CommandFailed(`${subject} is not there. Check the path.`);
  if (code === 'EISDIR') return new CommandFailed(`${subject} is a directory. Give a file in it.`);
  if (code === 'EACCES') return new CommandFailed(`${subject} may not be read by this user. Allow it to.`);
  if (code?.startsWith('Z_')) {
    return new CommandFailed(`${subject} cannot be unpacked: ${message}. Get it anew, and whole.`);
  }
  return new CommandFailed(`${subject} cannot be read: ${message}.`);
}

/** The first bytes, as many as asked for where there are as many, and all of them, the first included. */
export async function begin(
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
  return { first, all: continued(first, rest) };
}

/** What was taken from the beginning, and the rest, which is let go of when nobody reads on. */
export async function* continued<T extends Buffer | string>(
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
