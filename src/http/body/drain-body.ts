import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { readInTurns } from './read-in-turns.js';

/** How long a client may still send a body that was rejected. */
export const LINGER_MS = 10_000;

/** Drains bodies that no handler reads, because Node would do so without turns. */
export function drainUnread(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw, routeOptions }, _reply, _payload, done) => {
    if (!raw.complete && !routeOptions.config.streams) drain(raw);
    done();
  });
}

/** Reads and discards the rest of a body: while it is not read, a disconnect is never noticed. */
export function drain(body: IncomingMessage): void {
  const isRead = body.complete || body.listenerCount('readable') > 0;
  if (!isRead) readInTurns(body, () => {});
}

/**
 * Drains a body and resolves at its end. Needed before a connection is closed: closing it while the client still sends
 * resets it, and the client sees a broken pipe instead of the response.
 */
export async function drainToEnd(body: IncomingMessage, lingerMs = LINGER_MS): Promise<void> {
  if (body.complete || body.destroyed) return;
  readInTurns(body, () => {});
  // Rejects if the client disconnects or is still sending after the timeout; neither is worth waiting for.
  await finished(body, { signal: AbortSignal.timeout(lingerMs) }).catch(() => {});
}
