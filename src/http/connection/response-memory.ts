import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Smaller responses fit into the socket buffers of the operating system, so they are not counted. */
const LARGE_BYTES = 64 * 1024;
/** What a small machine can spare. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Bounds the memory of responses that clients have not read yet. A response stays in memory until its client reads it,
 * so clients that request much and read nothing would fill the memory. When the waiting responses exceed the limit, the
 * connections of the oldest ones are closed.
 *
 * Invariants: the newest response is never closed for memory; a client that reads its responses does not become the
 * oldest, so it is not affected.
 */
export function limitResponseMemory(app: FastifyInstance, maxBytes: number = MAX_WAITING_BYTES): void {
  const waiting = new Map<ServerResponse, number>();
  let total = 0;
  const remove = (response: ServerResponse) => {
    total -= waiting.get(response) ?? 0;
    waiting.delete(response);
  };
  const add = (response: ServerResponse, bytes: number) => {
    response.once('close', () => remove(response));
    total += bytes;
    for (const [oldest] of waiting) {
      if (total <= maxBytes) break;
      remove(oldest);
      oldest.req.socket.destroy();
    }
    waiting.set(response, bytes);
  };
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // A buffer is outside the heap and exists once; of a string Node would keep a second copy with the headers.
    const body = isLarge(payload) ? Buffer.from(payload) : payload;
    if (Buffer.isBuffer(body) && body.length > LARGE_BYTES && !raw.req.socket.destroyed) {
      add(raw, body.length);
    }
    done(null, body);
  });
}

function isLarge(payload: unknown): payload is string {
  return typeof payload === 'string' && payload.length > LARGE_BYTES;
}
