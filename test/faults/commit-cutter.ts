import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket, connect as tcpConnect } from 'node:net';

/** The message by which a session commits. */
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');
const COMMITTED = Buffer.from('COMMIT\0', 'latin1');

/**
 * `commit`: the server gets everything but the commit. `answer`: it commits, and its answer gets lost. `connection`:
 * it gets the commit, and nobody waits to see what becomes of it.
 */
export type Loss = 'commit' | 'answer' | 'connection';

export interface Cut {
  readonly loss: Loss;
  /** Stands in the transaction that is meant: others may commit before it, such as those of the counts. */
  readonly text: string;
}

/** A way to PostgreSQL on which connections break at a commit, when asked for. */
export class CommitCutter {
  readonly #listener: Server;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  /** What is to be lost next. */
  next: Cut | undefined;
  cuts = 0;

  private constructor(listener: Server, port: number) {
    this.#listener = listener;
    this.#port = port;
    listener.on('connection', (client) => this.#join(client));
  }

  static async start(port: number): Promise<CommitCutter> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    return new CommitCutter(listener, port);
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  close(): void {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    const server = tcpConnect(this.#port, '127.0.0.1');
    this.#tie(client, server);
    this.#tie(server, client);
    let isAnswerLost = false;
    /** What this session has sent since its last commit. */
    let sent = Buffer.alloc(0);
    client.on('data', (chunk) => {
      const seen = Buffer.concat([sent, chunk]);
      const at = seen.lastIndexOf(COMMIT);
      sent = at === -1 ? seen : seen.subarray(at + COMMIT.length);
      if (this.next === undefined || at === -1 || !seen.subarray(0, at).includes(this.next.text)) {
        server.write(chunk);
        return;
      }
      const { loss } = this.next;
      const before = chunk.subarray(0, Math.max(0, at - seen.length + chunk.length));
      if (loss === 'answer') server.write(chunk);
      else server.end(loss === 'commit' ? before : chunk);
      if (loss === 'answer') isAnswerLost = true;
      else client.destroy();
      this.cuts += 1;
      this.next = undefined;
    });
    let answer = Buffer.alloc(0);
    server.on('data', (chunk) => {
      if (!isAnswerLost) {
        client.write(chunk);
        return;
      }
      answer = Buffer.concat([answer, chunk]);
      if (answer.includes(COMMITTED)) client.destroy();
    });
  }

  /** One side's end is the other's. */
  #tie(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      // Not at once: what is on its way to the other side may still arrive there.
      other.destroySoon();
    });
  }
}
