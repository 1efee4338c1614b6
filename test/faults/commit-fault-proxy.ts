import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';

/** The start of the name of every statement that writes accounts. */
const WRITE = Buffer.from('\0write: ', 'latin1');
/** The server's response when it is ready for the next message, outside a transaction block. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1');

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
    const session = new ClientSession();
    let dropsResponse = false;
    client.on('data', (chunk) => {
      for (const { message, committed } of session.read(chunk)) {
        if (client.destroyed) return;
        if (this.next === undefined || !committed?.includes(WRITE) || !committed.includes(this.next.text)) {
          server.write(message);
          continue;
        }
        const { fault } = this.next;
        dropsResponse = fault === 'response';
        if (dropsResponse) server.write(message);
        else {
          server.end(fault === 'commit' ? '' : message);
          client.destroy();
        }
        this.faults += 1;
        this.next = undefined;
      }
    });
    let response = Buffer.alloc(0);
    server.on('data', (chunk) => {
      if (!dropsResponse) {
        client.write(chunk);
        return;
      }
      response = Buffer.concat([response, chunk]);
      if (response.includes(READY)) client.destroy();
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

interface ClientMessage {
  readonly message: Buffer;
  /** All messages of the transaction, if this message commits it. */
  readonly committed?: Buffer;
}

/** Divides the bytes of a client into messages, and knows which of them commit. */
class ClientSession {
  #bytes = Buffer.alloc(0);
  #transaction: Buffer[] = [];
  /** The first message has no type. */
  #typeLength = 0;
  #inBlock = false;

  *read(chunk: Buffer): Generator<ClientMessage> {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    while (this.#bytes.length >= this.#typeLength + 4) {
      const length = this.#typeLength + this.#bytes.readUInt32BE(this.#typeLength);
      if (this.#bytes.length < length) return;
      const message = this.#bytes.subarray(0, length);
      this.#bytes = this.#bytes.subarray(length);
      yield this.#typeLength === 0 ? { message } : this.#next(message);
      this.#typeLength = 1;
    }
  }

  /** A query `commit` ends a transaction block; without a block, every Sync commits. */
  #next(message: Buffer): ClientMessage {
    const type = message.toString('latin1', 0, 1);
    const query = type === 'Q' ? message.toString('latin1', 5, message.length - 1) : '';
    if (query.startsWith('begin')) this.#inBlock = true;
    this.#transaction.push(message);
    const ends = query === 'commit' || query === 'rollback';
    if (!ends && (this.#inBlock || type !== 'S')) return { message };
    const committed = Buffer.concat(this.#transaction);
    this.#transaction = [];
    this.#inBlock = false;
    return query === 'rollback' ? { message } : { message, committed };
  }
}
