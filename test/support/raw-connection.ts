import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A TCP connection for bytes that no HTTP library would send. */
export class RawConnection {
  /** The received bytes, one character per byte. */
  text = '';
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    // A reset counts as a normal end of the connection.
    socket.on('error', () => {});
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
  }

  static async open(url: string): Promise<RawConnection> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Each character is a byte. */
  send(text: string | Buffer): boolean {
    return this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  /** Waits until `count` responses have begun and the last one ends with `ending`, or the connection is closed. */
  async waitForResponses(count: number, ending: string | RegExp = /\}$/): Promise<number[]> {
    const isComplete = () =>
      this.statuses.length >= count &&
      (typeof ending === 'string' ? this.text.endsWith(ending) : ending.test(this.text));
    while (!isComplete() && !this.socket.destroyed) {
      await new Promise<void>((resolve) => {
        this.socket.once('data', () => resolve());
        this.closed.then(resolve);
      });
    }
    return this.statuses;
  }

  get statuses(): number[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** The body of the last response. */
  get body(): string {
    return this.text.slice(this.text.lastIndexOf('\r\n\r\n') + 4);
  }

  close(): void {
    this.socket.destroy();
  }
}

/** The head of a request, with the header lines unchanged. */
export function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n');
}
