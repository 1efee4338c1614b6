import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type HttpError, httpError } from '../errors.js';
import { JSON_TYPE } from '../json-type.js';
import { contractBody, STANDARD_HEADERS } from './error-replies.js';

/**
 * Responses to input that never becomes a Fastify request, so they are written to the socket. `current` is the response
 * that is pending on the socket, if any: its connection must not get a second response before it.
 */

/** For bytes that Node cannot parse, and for headers that take too long. */
export function replyToClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  current: ServerResponse | undefined,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (isPending(current)) closeAfter(current, socket);
  else replyOnSocket(socket, clientError(error.code));
}

function clientError(code: string | undefined): HttpError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpError('body_timeout');
  return httpError(code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_http');
}

export function replyToConnect(socket: Duplex, current: ServerResponse | undefined): void {
  // Node has detached the socket: an error without a listener would end the process.
  socket.on('error', () => {});
  if (isPending(current)) closeAfter(current, socket);
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

/** An earlier request still gets its response: a client would read another response as that one, or as a part of it. */
function isPending(response: ServerResponse | undefined): response is ServerResponse {
  return response !== undefined && (response.headersSent || response.req.complete);
}

/** Closes the connection, after the pending response if that ends by itself. */
function closeAfter(response: ServerResponse, socket: Duplex): void {
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
  // Closes both directions: a client that never closes its own would keep the socket open.
  socket.destroySoon();
}
