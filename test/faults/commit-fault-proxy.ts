import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';

/** The message with which a session commits, in the PostgreSQL protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');
const COMMITTED = Buffer.from('COMMIT\0', 'latin1');

/**
 * `commit`: the server receives everything except the commit. `response`: the server commits, and its response is lost.
 * `connection`: the server receives the commit, and the client connection closes without waiting for the result.
 */
export type CommitFault = 'commit' | 'response' | 'connection';

export interface PlannedFault {
  readonly fault: CommitFault;
  /** A text in the target transaction. Others may commit before it, for example those of the counts. */
  readonly text: string;
}

/** A TCP proxy for PostgreSQL that breaks a connection at a commit, on request. */
export class CommitFaultProxy {
  readonly #listener: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  /** The next fault; `undefined` for none. */
  next: PlannedFault | undefined;
  faults = 0;

  private constructor(listener: Server, port: number) {
    this.#listener = listener;
    this.#port = port;
    listener.on('connection', (client) => this.#forward(client));
  }

  static async start(port: number): Promise<CommitFaultProxy> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new CommitFaultProxy(listener, port);
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  close(): void {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(client: Socket): void {
    const server = tcpConnect(this.#port, '127.0.0.1');
    this.#closeTogether(client, server);
    this.#closeTogether(server, client);
    let dropsResponse = false;
    /** The bytes that this session has sent since its last commit. */
    let sent = Buffer.alloc(0);
    client.on('data', (chunk) => {
      const seen = Buffer.concat([sent, chunk]);
      const at = seen.lastIndexOf(COMMIT);
      sent = at === -1 ? seen : seen.subarray(at + COMMIT.length);
      if (this.next === undefined || at === -1 || !seen.subarray(0, at).includes(this.next.text)) {
        server.write(chunk);
        return;
      }
      const { fault } = this.next;
      const before = chunk.subarray(0, Math.max(0, at - seen.length + chunk.length));
      if (fault === 'response') server.write(chunk);
      else server.end(fault === 'commit' ? before : chunk);
      if (fault === 'response') dropsResponse = true;
      else client.destroy();
      this.faults += 1;
      this.next = undefined;
    });
    let response = Buffer.alloc(0);
    server.on('data', (chunk) => {
      if (!dropsResponse) {
        client.write(chunk);
        return;
      }
      response = Buffer.concat([response, chunk]);
      if (response.includes(COMMITTED)) client.destroy();
    });
  }

  /** Closes the other side when one side closes. */
  #closeTogether(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      // destroySoon, not destroy: data on its way to the other side must still arrive.
      other.destroySoon();
    });
  }
}
