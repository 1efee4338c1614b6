import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Smaller ones are not worth counting: the system's own buffers take them. */
const LARGE_BYTES = 64 * 1024;
/** As much memory as a small machine can spare. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/**
 * Answers stay in memory until their callers have taken them. Where that becomes too much, those that have waited the
 * longest are given up: whoever reads what he asked for is not among them.
 */
export function limitResponseMemory(app: FastifyInstance, maxBytes: number = MAX_WAITING_BYTES): void {
  const waiting = new Map<ServerResponse, number>();
  let total = 0;
  const forget = (response: ServerResponse) => {
    total -= waiting.get(response) ?? 0;
    waiting.delete(response);
  };
  const add = (response: ServerResponse, bytes: number) => {
    response.once('close', () => forget(response));
    total += bytes;
    for (const [oldest] of waiting) {
      if (total <= maxBytes) break;
      forget(oldest);
      oldest.req.socket.destroy();
    }
    waiting.set(response, bytes);
  };
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    // Outside of the heap, and once: of a text Node keeps a copy with the head in front, too.
    const answer = isLarge(payload) ? Buffer.from(payload) : payload;
    if (Buffer.isBuffer(answer) && answer.length > LARGE_BYTES && !raw.req.socket.destroyed) {
      add(raw, answer.length);
    }
    done(null, answer);
  });
}

function isLarge(payload: unknown): payload is string {
  return typeof payload === 'string' && payload.length > LARGE_BYTES;
}
