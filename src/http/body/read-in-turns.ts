import type { IncomingMessage } from 'node:http';

/** A body of tiny chunks has more than this many bytes on the wire for each of its own. */
const TINY_CHUNKS = 2;
/** How often such a body is read: Node parses all chunks that it has read before anything else runs. */
const TINY_CHUNKS_PAUSE_MS = 1_000;

/** The bodies of which bytes have arrived, first come, first served. */
const waiting: (() => void)[] = [];

/**
 * Calls `onBytes` with the bytes of a body as they arrive, for one body per turn of the event loop. A body whose bytes
 * wait for their turn is not read further from its connection, so that clients with small bodies never wait for those
 * with large ones. With an event for each chunk (`data`) Node would read up to 2 MiB of every connection in one turn.
 * Returns a function that ends reading.
 */
export function readInTurns(body: IncomingMessage, onBytes: (bytes: Buffer) => void): () => void {
  const { socket } = body;
  const readBefore = socket.bytesRead;
  let isReading = true;
  let isWaiting = false;
  let length = 0;
  const read = () => {
    isWaiting = false;
    const bytes: Buffer | null = isReading ? body.read() : null;
    if (bytes === null) return;
    length += bytes.length;
    onBytes(bytes);
  };
  const onReadable = () => {
    if (isWaiting) return;
    // There is nothing more to read from its connection.
    if (body.complete) return read();
    isWaiting = true;
    const hasTinyChunks = socket.bytesRead - readBefore > TINY_CHUNKS * (length + body.readableLength);
    if (hasTinyChunks) setTimeout(takeTurn, TINY_CHUNKS_PAUSE_MS, read).unref();
    else takeTurn(read);
  };
  body.on('readable', onReadable);
  // After an earlier reader, the event for the bytes that are left may have been emitted already.
  if (body.readableLength > 0) onReadable();
  return () => {
    isReading = false;
    body.off('readable', onReadable);
  };
}

/** Resolves when it is the turn of a body of which bytes have arrived. */
export function turn(): Promise<void> {
  return new Promise(takeTurn);
}

function takeTurn(read: () => void): void {
  if (waiting.length === 0) setImmediate(readNext);
  waiting.push(read);
}

function readNext(): void {
  const next = waiting.shift();
  if (waiting.length > 0) setImmediate(readNext);
  next?.();
}
