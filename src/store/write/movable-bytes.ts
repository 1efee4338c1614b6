/**
 * Buffers as one array with memory of its own, which can be moved to a thread. A small buffer shares its memory with
 * others, so it is copied; a single buffer with its own memory is returned as it is.
 */
export function movableBytes(buffers: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const [first] = buffers as readonly [Buffer<ArrayBuffer>];
  if (buffers.length === 1 && first.length > 0 && first.length === first.buffer.byteLength) return first;
  const bytes = new Uint8Array(buffers.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const buffer of buffers) {
    bytes.set(buffer, at);
    at += buffer.length;
  }
  return bytes;
}
