import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { NOBODY, Turns } from '../body/fair-scheduler.js';

/** Whoever was just answered may be sending the next request already: a connection is idle after this time. */
const QUIET_MS = 100;
const CHECK_MS = 50;
/** The event loop lets in one connection a turn: where nobody came in this time, nobody waits at the door any more. */
const NOBODY_MS = 1;
/** A door at which somebody comes all the time is closed all the same. */
const MOST_WAITS = 500;
/** From the beginning of the end: what is in flight may finish until then, and is cut off after that. */
const CUT_MS = 8_000;

/**
 * The connections of a server, which ends without dropping a request that it has heard of. Of each connection one request
 * is served at a time.
 */
export class Connections {
  readonly #server: Server;
  readonly #graceMs: number;
  readonly #open = new Map<Socket, Connection>();
  readonly #turns = new Turns();
  #letIn = 0;
  #isStopping = false;

  /** For the time of `graceMs` after it was told to stop, the server goes on taking requests. */
  constructor(app: FastifyInstance, graceMs: number) {
    this.#server = app.server;
    this.#graceMs = graceMs;
    // With TLS each has two sockets, of which requests know the second.
    for (const event of ['connection', 'secureConnection']) {
      app.server.on(event, (socket: Socket) => {
        this.#letIn += 1;
        this.#open.set(socket, new Connection(socket, this.#turns));
        socket.once('close', () => this.#open.delete(socket));
      });
    }
    const begin = ({ socket }: IncomingMessage, response: ServerResponse, serve = () => {}) => {
      if (this.#isStopping) response.shouldKeepAlive = false;
      this.#open.get(socket)?.begin(response, serve);
    };
    app.server.prependListener('checkExpectation', (request, response) => begin(request, response));
    const [serve] = app.server.listeners('request') as [RequestListener];
    app.server.removeAllListeners('request').on('request', (request, response) => {
      begin(request, response, () => serve(request, response));
    });
    // Node's own takes a connection for idle whose caller has not taken the whole answer yet.
    app.server.closeIdleConnections = () => this.#closeIdle();
    const timers: NodeJS.Timeout[] = [];
    app.addHook('preClose', async () => {
      timers.push(setTimeout(() => this.#cut(), CUT_MS));
      await this.#stop();
      timers.push(setInterval(() => setImmediate(() => this.#closeIdle()), CHECK_MS));
    });
    app.addHook('onClose', async () => timers.forEach(clearTimeout));
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** From here on every answer ends its connection, and says so: no caller sends a request into one that closes. */
  async #stop(): Promise<void> {
    this.#isStopping = true;
    for (const connection of this.#open.values()) connection.endAfterAnswer();
    if (!this.#server.listening) return;
    await pause(this.#graceMs);
    await this.#emptyDoorway();
    // In the same moment: to end imports and streams takes some time, in which others would come.
    this.#server.close();
  }

  /** Closing the door would reset the connections that the system has taken and this process has not seen yet. */
  async #emptyDoorway(): Promise<void> {
    for (let waits = 0, before = -1; waits < MOST_WAITS && this.#letIn > before; waits += 1) {
      before = this.#letIn;
      await pause(NOBODY_MS);
      // Timers may follow each other without a look at the door; this comes behind one.
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

class Connection {
  readonly #socket: Socket;
  readonly #turns: Turns;
  #answering = 0;
  #waiting = 0;
  #last: ServerResponse | undefined;
  /** What had been read when the last answer was out; more than that is the beginning of a request. */
  #bytesRead: number;
  #quietSince = performance.now();

  constructor(socket: Socket, turns: Turns) {
    this.#socket = socket;
    this.#turns = turns;
    // More than none where hands were shaken.
    this.#bytesRead = socket.bytesRead;
  }

  get isIdle(): boolean {
    const hasHeard = this.#answering > 0 || this.#socket.bytesRead > this.#bytesRead;
    return !hasHeard && performance.now() - this.#quietSince >= QUIET_MS;
  }

  /**
   * Serves a request. Where it was sent without waiting for the answer to the one before, that is done with first: what
   * one has changed, the next finds (RFC 9112, 9.3.2). No more of them are read meanwhile, as there may be any number.
   */
  begin(response: ServerResponse, serve: () => void): void {
    const before = this.#last;
    this.#answering += 1;
    this.#last = response;
    response.once('close', this.#end);
    // Node gives an answer its socket when it is the next to be sent.
    if (response.socket !== null) {
      serve();
      return;
    }
    this.#waiting += 1;
    // Not at once: behind each request that it has in hand already, Node reads on.
    process.nextTick(() => this.#waiting > 0 && this.#socket.pause());
    const takeTurn = () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#socket.resume();
      // Otherwise the answer before was the last one.
      if (this.#socket.writable) serve();
    };
    before?.once('close', () => this.#turns.take(NOBODY, takeTurn));
  }

  /** Where the answer has begun, it has said otherwise already. */
  endAfterAnswer(): void {
    if (this.#last !== undefined) this.#last.shouldKeepAlive = false;
  }

  readonly #end = () => {
    this.#answering -= 1;
    this.#bytesRead = this.#socket.bytesRead;
    this.#quietSince = performance.now();
  };
}
