import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { replyToTimeout } from '../replies/socket-replies.js';

/** A body must arrive within this time. */
export const BODY_TIMEOUT_MS = 60_000;
const CHECKS_PER_TIMEOUT = 12;

interface Arrival {
  readonly response: ServerResponse;
  /** When the timeout started. */
  since: number;
  /** Bytes that the socket had read at the last check. */
  bytes: number;
}

/**
 * Ends requests whose body arrives too slowly (slow-request attacks). Node's own `requestTimeout` cannot be used,
 * because an import may send for hours.
 *
 *   request begins ─▶ body complete after one turn of the event loop? ──yes──▶ not watched (most requests)
 *                          │ no
 *                     watched, checked 12 times per timeout:
 *                       waits for an earlier pipelined request ─▶ the timeout restarts
 *                       import, and bytes have arrived         ─▶ the timeout restarts
 *                       otherwise, after the timeout           ─▶ 408, and the connection is closed
 */
export function enforceBodyTimeout(app: FastifyInstance, timeoutMs: number): void {
  const begun: [IncomingMessage, ServerResponse][] = [];
  const arriving = new Map<IncomingMessage, Arrival>();
  const streaming = new WeakSet<IncomingMessage>();
  const watchSlow = () => {
    for (const [request, response] of begun.splice(0)) {
      if (request.complete || request.destroyed) continue;
      arriving.set(request, { response, since: performance.now(), bytes: request.socket.bytesRead });
      request.once('close', () => arriving.delete(request));
    }
  };
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    if (begun.length === 0) setImmediate(watchSlow);
    begun.push([request, response]);
  };
  app.server.on('request', begin).on('checkExpectation', begin);
  app.addHook('onRoute', (route) => {
    if (route.config?.streams !== true) return;
    const others = [route.onRequest ?? []].flat();
    route.onRequest = [({ raw }, _reply, done) => done(void streaming.add(raw)), ...others];
  });

  const check = () => {
    const now = performance.now();
    for (const [request, arrival] of arriving) {
      // After an early response Node emits no `close` on the request, so the socket is checked.
      if (request.complete || request.socket.destroyed) arriving.delete(request);
      else if (isPipelined(arrival.response)) arrival.since = now;
      else if (streaming.has(request) && hasProgressed(request, arrival)) arrival.since = now;
      else if (now - arrival.since >= timeoutMs) end(request, arrival.response);
    }
  };
  const timer = setInterval(check, timeoutMs / CHECKS_PER_TIMEOUT).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/** Waits for the response to an earlier request of its connection; its body is not read yet. */
function isPipelined({ socket, writableEnded }: ServerResponse): boolean {
  return socket === null && !writableEnded;
}

/** Unread bytes count as progress, since no more can arrive then; after the response, nothing counts. */
function hasProgressed({ socket, readableLength }: IncomingMessage, arrival: Arrival): boolean {
  const before = arrival.bytes;
  arrival.bytes = socket.bytesRead;
  return !arrival.response.writableEnded && (arrival.bytes > before || readableLength > 0);
}

function end({ socket }: IncomingMessage, { headersSent, writableEnded }: ServerResponse): void {
  // In the middle of a response the client would read a second one as a part of it.
  if (headersSent && !writableEnded) socket.destroy();
  else replyToTimeout(socket);
}
