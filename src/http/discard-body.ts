import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { throwAway } from './pace.js';

/** For a caller that is still sending what nobody wants any more. */
export const LINGER_MS = 10_000;

/**
 * Reads what is left of a refused request and throws it away, where the connection closes after the answer: closing it
 * on a caller that is still sending resets it, and the caller sees a broken pipe instead of the answer.
 */
export async function discardBody(request: IncomingMessage, lingerMs = LINGER_MS): Promise<void> {
  if (request.complete || request.destroyed) return;
  throwAway(request);
  // Rejects where the caller has gone, or sends for ever: either way there is nothing more to wait for.
  await finished(request, { signal: AbortSignal.timeout(lingerMs) }).catch(() => {});
}

/** A body that came with a request which needs none: Node would read it by itself, as fast as it comes. */
export function discardUnread(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw, headers, routeOptions }, _reply, payload, done) => {
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    // An import is answered while it is read.
    if (hasBody && !routeOptions.config?.streams) throwAway(raw);
    done(null, payload);
  });
}
