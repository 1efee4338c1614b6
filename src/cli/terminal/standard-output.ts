import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from './command-line.js';

/** How long a reader may take for what it was given already, once this process is to end. */
const LINGER_MS = 1_000;

/**
 * Writes to standard output, and asks for the next piece only when the last one was taken. False where the reader left
 * before the end, as `head` does, which is no failure.
 */
export async function toStandardOutput(pieces: AsyncIterable<string>, signal: AbortSignal): Promise<boolean> {
  const { stdout } = process;
  // Failures come to each write as well.
  stdout.on('error', () => {});
  const sink = new Writable({
    decodeStrings: false,
    highWaterMark: 1,
    write: (piece, _encoding, done) => stdout.write(piece, done),
  });
  try {
    await pipeline(pieces, sink, { signal });
    return true;
  } catch (error) {
    if (signal.aborted) {
      // A reader that takes nothing would keep the process for ever.
      setTimeout(() => process.exit(), LINGER_MS).unref();
      throw signal.reason;
    }
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE' || code === 'ECONNRESET') return false;
    throw syscall === 'write' ? new CommandFailed(`Standard output cannot be written: ${message}.`) : error;
  }
}
