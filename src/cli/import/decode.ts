import { isUtf8 } from 'node:buffer';
import { grouped } from '../../domain/text.js';
import { CommandFailed } from '../terminal/command-line.js';

const NOTHING = Buffer.alloc(0);

export function knowsEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** The text of bytes that come in pieces, without a byte order mark. Wrong bytes end it: text is never guessed. */
export async function* decode(
  bytes: AsyncIterable<Buffer>,
  encoding: string,
  subject: string,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const place = new BytePlace();
  const next = (piece: Buffer, stream: boolean): string => {
    try {
      return decoder.decode(piece, { stream });
    } catch {
      const where =
        decoder.encoding === 'utf-8' ? `at byte ${place.firstBad(piece)}` : `behind byte ${place}`;
      throw new CommandFailed(
        `${subject} is not ${decoder.encoding.toUpperCase()} ${where}. ` +
          'Say what it is: --encoding windows-1252 for a CSV of Excel, for example.',
      );
    }
  };
  for await (const piece of bytes) {
    yield next(piece, true);
    place.pass(piece);
  }
  yield next(NOTHING, false);
}

/** How far the decoding has come, since a decoder does not say where it failed. */
class BytePlace {
  #passed = 0;
  /** The last bytes that were passed: a character may have begun in them. */
  #tail = NOTHING;

  pass(piece: Buffer): void {
    this.#passed += piece.length;
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-3)]).subarray(-3);
  }

  toString(): string {
    return grouped(this.#passed);
  }

  /** The first byte, counted from 1, of the first character in UTF-8 that is none. */
  firstBad(piece: Buffer): string {
    const isContinued = (byte: number) => (byte & 0xc0) === 0x80;
    const start = this.#tail.findIndex((byte) => !isContinued(byte));
    const tail = start === -1 ? NOTHING : this.#tail.subarray(start);
    return grouped(this.#passed - tail.length + goodLength(Buffer.concat([tail, piece])) + 1);
  }
}

/** How many bytes of UTF-8 come before the first bad one. */
function goodLength(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  while (!isUtf8(bytes.subarray(0, good))) good -= 1;
  return good;
}

function isBeginning(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
