import { isUtf8 } from 'node:buffer';
import { grouped } from '../../domain/text.js';
import { CommandFailed } from '../terminal/command-line.js';

const EMPTY = Buffer.alloc(0);

export function knowsEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

const HOW_TO_NAME_ENCODING =
  'Give its encoding, for example --encoding windows-1252 for a CSV file from Excel.';

/** Decodes bytes that arrive in pieces, without the byte order mark. Invalid bytes are an error, never replaced. */
export async function* decode(
  bytes: AsyncIterable<Buffer>,
  encoding: string,
  subject: string,
  advice = HOW_TO_NAME_ENCODING,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const position = new BytePosition();
  const next = (piece: Buffer, stream: boolean): string => {
    try {
      return decoder.decode(piece, { stream });
    } catch {
      const where =
        decoder.encoding === 'utf-8' ? `at byte ${position.firstInvalid(piece)}` : `after byte ${position}`;
      throw new CommandFailed(
        `${subject} is not valid ${decoder.encoding.toUpperCase()} ${where}. ${advice}`,
      );
    }
  };
  for await (const piece of bytes) {
    yield next(piece, true);
    position.advance(piece);
  }
  yield next(EMPTY, false);
}

/** Tracks the position of the decoding, because a TextDecoder does not report where it failed. */
class BytePosition {
  #decoded = 0;
  /** The last bytes that were decoded; a character can start in them. */
  #tail = EMPTY;

  advance(piece: Buffer): void {
    this.#decoded += piece.length;
    this.#tail = Buffer.concat([this.#tail, piece.subarray(-3)]).subarray(-3);
  }

  toString(): string {
    return grouped(this.#decoded);
  }

  /** The position, counted from 1, of the first byte that is not valid UTF-8. */
  firstInvalid(piece: Buffer): string {
    const isContinuation = (byte: number) => (byte & 0xc0) === 0x80;
    const start = this.#tail.findIndex((byte) => !isContinuation(byte));
    const tail = start === -1 ? EMPTY : this.#tail.subarray(start);
    return grouped(this.#decoded - tail.length + validLength(Buffer.concat([tail, piece])) + 1);
  }
}

/** The number of valid UTF-8 bytes before the first invalid one, by binary search. */
function validLength(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length + 1;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isValidStart(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  while (!isUtf8(bytes.subarray(0, valid))) valid -= 1;
  return valid;
}

/** Accepts an incomplete last character. */
function isValidStart(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
