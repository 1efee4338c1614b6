import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from './command-line.js';

/** How long a stopping process waits for the reader of its output. */
const EXIT_DELAY_MS = 1_000;

/**
 * Writes to standard output with backpressure: requests the next piece only after the last one was written. Returns
 * false if the reader closed the pipe early, as `head` does; that is not a failure.
 */
export async function toStandardOutput(pieces: AsyncIterable<string>, signal: AbortSignal): Promise<boolean> {
  const { stdout } = process;
  // Each write reports its own failure, so this event needs no handling.
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
      // A reader that stops reading would keep the process running forever.
      setTimeout(() => process.exit(), EXIT_DELAY_MS).unref();
      throw signal.reason;
    }
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE' || code === 'ECONNRESET') return false;
    throw syscall === 'write' ? new CommandFailed(`Cannot write to standard output: ${message}.`) : error;
  }
}
