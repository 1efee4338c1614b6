import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { replyToTimeout } from '../replies/socket-replies.js';

/** A body has to arrive within this time. */
export const BODY_TIMEOUT_MS = 60_000;
const CHECKS_A_TIMEOUT = 12;

interface Arrival {
  readonly response: ServerResponse;
  /** When its time began. */
  since: number;
  /** What its socket had read by then. */
  bytes: number;
}

/**
 * Ends requests whose body takes too long: Node's own limit knows no exception. Most bodies come with their headers, and
 * cost no more than a place in a list for one turn of the event loop.
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
      // A request that was answered before it is complete does not hear of the end of its connection.
      if (request.complete || request.socket.destroyed) arriving.delete(request);
      else if (isWaiting(arrival.response)) arrival.since = now;
      else if (streaming.has(request) && hasProgressed(request, arrival)) arrival.since = now;
      else if (now - arrival.since >= timeoutMs) end(request, arrival.response);
    }
  };
  const timer = setInterval(check, timeoutMs / CHECKS_A_TIMEOUT).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}

/** Behind the answer to the request before; its body is not read yet. */
function isWaiting({ socket, writableEnded }: ServerResponse): boolean {
  return socket === null && !writableEnded;
}

/** Nobody waits for the rest of a body that was answered, and none can come while we leave what is there unread. */
function hasProgressed({ socket, readableLength }: IncomingMessage, arrival: Arrival): boolean {
  const before = arrival.bytes;
  arrival.bytes = socket.bytesRead;
  return !arrival.response.writableEnded && (arrival.bytes > before || readableLength > 0);
}

function end({ socket }: IncomingMessage, { headersSent, writableEnded }: ServerResponse): void {
  // In the middle of an answer another one would be taken for a part of it.
  if (headersSent && !writableEnded) socket.destroy();
  else replyToTimeout(socket);
}
