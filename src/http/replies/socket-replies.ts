import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { JSON_TYPE } from '../body/parse-json.js';
import { type HttpError, httpError } from '../errors.js';
import { contractBody, STANDARD_HEADERS } from './error-replies.js';

/**
 * Answers to what never becomes a request of the framework: there is only the socket to write to. `current` is the
 * response that this socket is about to carry, if any.
 */

/** For bytes that Node cannot parse, or waits for too long. */
export function replyToClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  current: ServerResponse | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (isOwed(current)) endAfter(current, socket);
  else replyOnSocket(socket, clientError(error.code));
}

function clientError(code: string | undefined): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpError('body_timeout');
  return httpError(code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_http');
}

export function replyToConnect(socket: Duplex, current: ServerResponse | undefined): void {
  // Node has detached the socket: an error without a listener would end the process.
  socket.on('error', () => {});
  if (isOwed(current)) endAfter(current, socket);
  else replyOnSocket(socket as Socket, httpError('connect_unsupported'));
}

export function replyToTimeout(socket: Socket): void {
  if (socket.writable) replyOnSocket(socket, httpError('body_timeout'));
  else socket.destroy();
}

export function replyToExpectation(response: ServerResponse): void {
  const { status, message } = httpError('expectation_unsupported');
  const body = contractBody(message);
  const headers = { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(body) };
  response.writeHead(status, { ...STANDARD_HEADERS, ...headers }).end(body);
}

/** The request before this one still gets an answer: another one would be taken for it, or for a part of it. */
function isOwed(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && (response.headersSent || response.req.complete);
}

/** Closes the connection, after that answer if it ends by itself. */
function endAfter(response: ServerResponse, socket: Duplex): void {
  if (!response.headersSent) response.shouldKeepAlive = false;
  else if (response.writableEnded) socket.end();
  else socket.destroy();
}

function replyOnSocket(socket: Socket, { status, message }: HttpError): void {
  const body = contractBody(message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${JSON_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...Object.entries(STANDARD_HEADERS).map((header) => header.join(': ')),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Both halves: a caller that never closes its own would keep the socket forever.
  socket.destroySoon();
}
