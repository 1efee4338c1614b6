import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { INTERNAL_ERROR, UNAUTHENTICATED } from '../../domain/messages.js';
import { DiskFailure, QueueFull, TooManyAttributes } from '../../store/errors.js';
import { JSON_TYPE } from '../body/parse-json.js';
import { discardBody, throwAway } from '../body/throttle-body.js';
import { Refusal, refusals, Unauthenticated } from '../errors.js';
import { sendProblem, validationProblems } from './problem-details.js';

/** The shape of every failure that is not about one attribute. */
function envelope(message: string): string {
  return JSON.stringify({ success: false, errors: [message], errors_by_attributes: [] });
}

/** The contract's own body: its `status` says 403 though the answer is a 401. */
const UNAUTHENTICATED_BODY = JSON.stringify({ success: false, error: UNAUTHENTICATED, status: 403 });

export async function replyToError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (reply.raw.shouldKeepAlive) {
    // The framework would close on an unread body; kept open, the rest of it is read and thrown away.
    reply.removeHeader('connection');
    throwAway(request.raw);
  } else {
    await discardBody(request.raw);
  }
  // The framework's own errors, a bad URL among them, come before any hook has set these; what a handler has set that
  // failed, a file that may be kept for instance, is not for errors.
  reply.headers(STANDARD_HEADERS).header('x-request-id', request.id).type(JSON_TYPE);
  const isOurs = /^\/api\/v2(?:[/?]|$)/.test(request.url);
  if (error instanceof Unauthenticated) {
    reply.code(401).header('www-authenticate', 'Bearer');
    return isOurs ? sendProblem(reply, new Refusal(401, NEEDS_KEY)) : reply.send(UNAUTHENTICATED_BODY);
  }
  const refusal = asRefusal(error);
  // A full disk is told once, by `DiskWatch`, however many requests meet it.
  if (refusal === undefined && !(error instanceof DiskFailure))
    request.log.error({ err: error, id: request.id }, 'request failed');
  const { status, headers, message } = refusal ?? new Refusal(500, INTERNAL_ERROR);
  reply.code(status).headers(headers);
  return isOurs ? sendProblem(reply, refusal ?? new Refusal(500, BROKEN)) : reply.send(envelope(message));
}

export const NEEDS_KEY = 'Send a key that is live: Authorization: Bearer <key>.';
/** Tells no more than that, and where to look. */
export const BROKEN = 'Something failed on our side; the log tells what, under the request id.';

export function asRefusal(error: FastifyError): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error.validation !== undefined) return refusals.invalid(validationProblems(error));
  if (error instanceof QueueFull) return refusals.overloaded();
  if (error instanceof TooManyAttributes) return refusals.conflict(error.message, error.code);
  if (error.code === 'FST_ERR_BAD_URL') return refusals.badPath();
  // Longer than anything that is stored under a path.
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') return refusals.notFound();
  const { statusCode = 500 } = error;
  return statusCode < 500 ? new Refusal(statusCode, error.message) : undefined;
}

const TOO_SLOW = [408, 'The request took too long to arrive.'] as const;
const CLIENT_ERRORS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large.'],
};

/** For what never becomes a request: there is only the socket to answer on. */
export function replyToClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const owed = owedAnswer(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (owed !== undefined) endBehind(owed, socket);
  else replyOnSocket(socket, ...(CLIENT_ERRORS[error.code ?? ''] ?? [400, 'The request is not valid HTTP.']));
}

/** That of a request before, for which another would be taken, or for a part of it. */
function owedAnswer(socket: Duplex & { readonly _httpMessage?: ServerResponse | null }) {
  const response = socket._httpMessage ?? undefined;
  return response?.headersSent || response?.req.complete ? response : undefined;
}

/** Closes the connection, behind that answer where it comes to an end by itself. */
function endBehind(answer: ServerResponse, socket: Duplex): void {
  if (!answer.headersSent) answer.shouldKeepAlive = false;
  else if (answer.writableEnded) socket.end();
  else socket.destroy();
}

export function replyToSlowBody(socket: Socket): void {
  if (socket.writable) replyOnSocket(socket, ...TOO_SLOW);
  else socket.destroy();
}

export function replyToConnect(_request: IncomingMessage, socket: Duplex): void {
  // Node has let go of it: an error that nobody listens to would end the process.
  socket.on('error', () => {});
  const owed = owedAnswer(socket);
  if (owed !== undefined) endBehind(owed, socket);
  else replyOnSocket(socket as Socket, 400, 'This service is no proxy: it takes no CONNECT.');
}

function replyOnSocket(socket: Socket, status: number, message: string): void {
  const body = envelope(message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(STANDARD_HEADERS).map((header) => header.join(': ')),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Not only half of it: a caller that never closes its own half would keep the socket for ever.
  socket.destroySoon();
}

export function replyToExpectation(response: ServerResponse): void {
  const body = envelope('The only expectation that is met is 100-continue.');
  const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) };
  response.writeHead(417, { ...STANDARD_HEADERS, ...headers }).end(body);
}

/**
 * On every answer: it is what its Content-Type says, no cache keeps it, and no page of another origin can draw it into
 * itself. Files that may be kept say so themselves.
 */
export const STANDARD_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
} as const;
