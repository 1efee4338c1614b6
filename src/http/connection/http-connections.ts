import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { replyToConnect, replyToExpectation } from '../replies/socket-replies.js';

/** A connection is idle this long after its last response: before that, its client may be sending the next request. */
const QUIET_MS = 100;
const CHECK_MS = 50;
/** If no connection arrives within this time, the accept queue is empty: the event loop accepts one per turn. */
const POLL_MS = 1;
/** Stop waiting for the accept queue to empty after this many polls. */
const MAX_POLLS = 500;
/** Requests under way may finish within this time after the stop began. */
const FORCE_CLOSE_MS = 8_000;

/**
 * The open connections of a server. Serves one request per connection at a time, also if the client pipelines, and
 * stops the server gracefully: no request that this process has received is dropped, unless it takes more than 8 s.
 *
 *   serving ─▶ grace period           still accepts; every response has `Connection: close`
 *           ─▶ empty accept queue     connections that wait in the kernel's queue are accepted first
 *           ─▶ close the listener
 *           ─▶ close idle connections, every 50 ms, until none is left
 *           ─▶ after 8 s: destroy the rest
 */
export class HttpConnections {
  readonly #graceMs: number;
  readonly #open = new Map<Duplex, HttpConnection>();
  #accepted = 0;
  #isStopping = false;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** The response that a socket is about to carry. */
  currentResponse(socket: Duplex): ServerResponse | undefined {
    return this.#open.get(socket)?.currentResponse;
  }

  /** A listener for `request` that passes requests to `serve`, one per connection at a time. */
  serving(serve: RequestListener): RequestListener {
    return (request, response) => this.#begin(request, response, () => serve(request, response));
  }

  attach(app: FastifyInstance): void {
    const { server } = app;
    // With TLS each connection has two sockets, and requests refer to the second.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => {
        this.#accepted += 1;
        this.#open.set(socket, new HttpConnection(socket));
        socket.once('close', () => this.#open.delete(socket));
      });
    }
    // `authenticate` responds to `Expect: 100-continue`; every other expectation is rejected.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    server.on('checkExpectation', (request, response) => {
      this.#begin(request, response, () => {});
      replyToExpectation(response);
    });
    server.on('connect', (_request, socket) => replyToConnect(socket, this.currentResponse(socket)));
    // Node's own version also closes connections whose client has not read the whole response yet.
    server.closeIdleConnections = () => this.#closeIdle();
    const timers: NodeJS.Timeout[] = [];
    app.addHook('preClose', async () => {
      timers.push(setTimeout(() => this.#destroyAll(), FORCE_CLOSE_MS));
      await this.#stop(server);
      timers.push(setInterval(() => setImmediate(() => this.#closeIdle()), CHECK_MS));
    });
    app.addHook('onClose', async () => timers.forEach(clearTimeout));
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse, serve: () => void): void {
    if (this.#isStopping) response.shouldKeepAlive = false;
    this.#open.get(socket)?.begin(response, serve);
  }

  /** From here on every response announces the close, so that no client sends a request on a closing connection. */
  async #stop(server: Server): Promise<void> {
    this.#isStopping = true;
    for (const connection of this.#open.values()) connection.closeAfterResponse();
    if (!server.listening) return;
    await pause(this.#graceMs);
    await this.#emptyAcceptQueue();
    // In the same turn: ending imports and streams takes time, in which more clients would connect.
    server.close();
  }

  /** Closing the listener would reset connections that the kernel has accepted and this process has not seen yet. */
  async #emptyAcceptQueue(): Promise<void> {
    for (let polls = 0, before = -1; polls < MAX_POLLS && this.#accepted > before; polls += 1) {
      before = this.#accepted;
      await pause(POLL_MS);
      // Timers may run in sequence without polling for connections; `setImmediate` runs after a poll.
      await nextTurn();
    }
  }

  #destroyAll(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #closeIdle(): void {
    for (const [socket, connection] of this.#open) if (connection.isIdle) socket.destroy();
  }
}

class HttpConnection {
  readonly #socket: Socket;
  /** Responses of requests that have begun, in order. */
  readonly #responses = new Set<ServerResponse>();
  #waiting = 0;
  #last: ServerResponse | undefined;
  /** Bytes read when the last response ended; any more are the beginning of a request. */
  #bytesRead: number;
  #quietSince = performance.now();

  constructor(socket: Socket) {
    this.#socket = socket;
    // After a TLS handshake this is not zero.
    this.#bytesRead = socket.bytesRead;
  }

  get currentResponse(): ServerResponse | undefined {
    const [first] = this.#responses;
    return first;
  }

  get isIdle(): boolean {
    const isBusy = this.#responses.size > 0 || this.#socket.bytesRead > this.#bytesRead;
    return !isBusy && performance.now() - this.#quietSince >= QUIET_MS;
  }

  /**
   * Serves a request. A pipelined request waits for the response before it, since it must see the changes of that
   * request (RFC 9112, 9.3.2). Meanwhile the socket is not read, since a client may pipeline any number.
   */
  begin(response: ServerResponse, serve: () => void): void {
    const before = this.#last;
    this.#responses.add(response);
    this.#last = response;
    response.once('close', () => this.#end(response));
    // Node assigns the socket to a response when it is the next to be sent.
    if (response.socket !== null) {
      serve();
      return;
    }
    this.#waiting += 1;
    // Deferred, because Node resumes the socket after each request that it has already parsed.
    process.nextTick(() => this.#waiting > 0 && this.#socket.pause());
    const takeTurn = () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#socket.resume();
      // Not writable: the previous response closed the connection.
      if (this.#socket.writable) serve();
    };
    // In the next turn of the event loop, so that other connections are served in between.
    before?.once('close', () => setImmediate(takeTurn));
  }

  /** Has no effect if the headers of the response are already sent. */
  closeAfterResponse(): void {
    if (this.#last !== undefined) this.#last.shouldKeepAlive = false;
  }

  #end(response: ServerResponse): void {
    this.#responses.delete(response);
    this.#bytesRead = this.#socket.bytesRead;
    this.#quietSince = performance.now();
  }
}
