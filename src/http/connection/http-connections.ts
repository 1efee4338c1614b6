import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { ANONYMOUS, FairScheduler } from '../body/fair-scheduler.js';
import { replyToConnect, replyToExpectation } from '../replies/socket-replies.js';

/** A caller that was just answered may be sending its next request already: a connection is idle after this time. */
const QUIET_MS = 100;
const CHECK_MS = 50;
/** The event loop accepts one connection per turn: none within this time means that the accept queue is empty. */
const POLL_MS = 1;
/** Stop waiting for the accept queue to empty after so many polls. */
const MAX_POLLS = 500;
/** Requests under way may finish for so long after the stop began. */
const CUT_MS = 8_000;

/**
 * The connections of a server. Serves one request of each at a time, and stops the server without dropping a request
 * that it has received: it announces the end on every answer, goes on accepting for a grace period, empties the accept
 * queue, closes idle connections, and cuts what is left after `CUT_MS`.
 */
export class HttpConnections {
  readonly #graceMs: number;
  readonly #open = new Map<Duplex, HttpConnection>();
  readonly #scheduler = new FairScheduler();
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

  /** A listener for `request` that hands requests to `serve`, one of each connection at a time. */
  serving(serve: RequestListener): RequestListener {
    return (request, response) => this.#begin(request, response, () => serve(request, response));
  }

  attach(app: FastifyInstance): void {
    const { server } = app;
    // With TLS each connection has two sockets, and requests know the second.
    for (const event of ['connection', 'secureConnection']) {
      server.on(event, (socket: Socket) => {
        this.#accepted += 1;
        this.#open.set(socket, new HttpConnection(socket, this.#scheduler));
        socket.once('close', () => this.#open.delete(socket));
      });
    }
    // `Expect: 100-continue` is served like every request, and `authenticate` answers it; others are rejected.
    server.on('checkContinue', (request, response) => server.emit('request', request, response));
    server.on('checkExpectation', (request, response) => {
      this.#begin(request, response, () => {});
      replyToExpectation(response);
    });
    server.on('connect', (_request, socket) => replyToConnect(socket, this.currentResponse(socket)));
    // Node's own takes a connection for idle whose caller has not read the whole answer yet.
    server.closeIdleConnections = () => this.#closeIdle();
    const timers: NodeJS.Timeout[] = [];
    app.addHook('preClose', async () => {
      timers.push(setTimeout(() => this.#cut(), CUT_MS));
      await this.#stop(server);
      timers.push(setInterval(() => setImmediate(() => this.#closeIdle()), CHECK_MS));
    });
    app.addHook('onClose', async () => timers.forEach(clearTimeout));
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse, serve: () => void): void {
    if (this.#isStopping) response.shouldKeepAlive = false;
    this.#open.get(socket)?.begin(response, serve);
  }

  /** From here on every answer ends its connection and says so: no caller sends a request into one that closes. */
  async #stop(server: Server): Promise<void> {
    this.#isStopping = true;
    for (const connection of this.#open.values()) connection.endAfterAnswer();
    if (!server.listening) return;
    await pause(this.#graceMs);
    await this.#emptyAcceptQueue();
    // In the same moment: ending imports and streams takes time, in which others would connect.
    server.close();
  }

  /** Closing the listener would reset connections that the kernel has accepted and this process has not seen yet. */
  async #emptyAcceptQueue(): Promise<void> {
    for (let polls = 0, before = -1; polls < MAX_POLLS && this.#accepted > before; polls += 1) {
      before = this.#accepted;
      await pause(POLL_MS);
      // Timers may run one after the other without polling for connections; this comes after a poll.
      await nextTurn();
    }
  }

  #cut(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #closeIdle(): void {
    for (const [socket, connection] of this.#open) if (connection.isIdle) socket.destroy();
  }
}

class HttpConnection {
  readonly #socket: Socket;
  readonly #scheduler: FairScheduler;
  /** Of requests that have begun, in their order. */
  readonly #responses = new Set<ServerResponse>();
  #waiting = 0;
  #last: ServerResponse | undefined;
  /** Bytes read when the last answer ended; more than that is the beginning of a request. */
  #bytesRead: number;
  #quietSince = performance.now();

  constructor(socket: Socket, scheduler: FairScheduler) {
    this.#socket = socket;
    this.#scheduler = scheduler;
    // Not zero after a TLS handshake.
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
   * Serves a request. A pipelined one waits for the answer to the one before, since it has to see what that changed
   * (RFC 9112, 9.3.2). Meanwhile no more are read, as there may be any number.
   */
  begin(response: ServerResponse, serve: () => void): void {
    const before = this.#last;
    this.#responses.add(response);
    this.#last = response;
    response.once('close', () => this.#end(response));
    // Node gives a response its socket when it is the next to be sent.
    if (response.socket !== null) {
      serve();
      return;
    }
    this.#waiting += 1;
    // Not at once: after each request that it has parsed already, Node resumes the socket.
    process.nextTick(() => this.#waiting > 0 && this.#socket.pause());
    const takeTurn = () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#socket.resume();
      // Otherwise the answer before was the last one.
      if (this.#socket.writable) serve();
    };
    before?.once('close', () => this.#scheduler.take(ANONYMOUS, takeTurn));
  }

  /** Has no effect where the head of the answer is sent already. */
  endAfterAnswer(): void {
    if (this.#last !== undefined) this.#last.shouldKeepAlive = false;
  }

  #end(response: ServerResponse): void {
    this.#responses.delete(response);
    this.#bytesRead = this.#socket.bytesRead;
    this.#quietSince = performance.now();
  }
}
